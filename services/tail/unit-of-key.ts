const HEAD = /^(\d+):/;

/** The unit of a record key (`topology/kit/record-key.ts`); `undefined`: the bytes are none. */
export const unitOfKey = (
  key: Uint8Array,
): { readonly tenant?: string; readonly correlationId: string } | undefined => {
  const bytes = Buffer.from(key);
  const [head, digits] = HEAD.exec(bytes.toString()) ?? [];
  if (head === undefined) return undefined;
  const start = head.length;
  const end = start + Number(digits);
  if (end > bytes.length) return undefined;
  const tenant = bytes.toString('utf8', start, end);
  return { ...(tenant === '' ? {} : { tenant }), correlationId: bytes.toString('utf8', end) };
};
