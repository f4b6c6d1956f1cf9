/** The Confluent wire format: a zero byte, the writer schema's ID in four bytes (big endian), the Avro value. */
export const HEADER_BYTES = 5;
const MAGIC = 0;

export type Frame =
  { readonly kind: 'frame'; readonly schemaId: number } | { readonly kind: 'none'; readonly detail: string };

export const readFrame = (bytes: Uint8Array): Frame => {
  if (bytes.length < HEADER_BYTES)
    return {
      kind: 'none',
      detail: `${bytes.length} bytes are no Confluent wire format, which begins with ${HEADER_BYTES}`,
    };
  const [magic, a = 0, b = 0, c = 0, d = 0] = bytes;
  if (magic !== MAGIC)
    return { kind: 'none', detail: `the first byte is ${magic ?? 0}, in Confluent wire format it is 0` };
  return { kind: 'frame', schemaId: ((a << 24) | (b << 16) | (c << 8) | d) >>> 0 };
};

export const writeHeader = (bytes: Buffer, schemaId: number): void => {
  bytes.writeUInt8(MAGIC, 0);
  bytes.writeUInt32BE(schemaId, 1);
};
