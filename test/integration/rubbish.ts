/** No Avro in Confluent framing, and no UTF-8. */
export const RUBBISH = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3]);

/** The same value, said to be written with another schema. */
export const withSchemaId = (value: Uint8Array, id: number): Buffer => {
  const bytes = Buffer.from(value);
  bytes.writeInt32BE(id, 1);
  return bytes;
};
