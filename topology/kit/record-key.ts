/**
 * The key of a unit of work on every topic: `<byte length of tenant>:<tenant><correlation ID>` (`0:…` without a tenant).
 * Injective for any pair, readable, and never folded or trimmed (RULES.md section 2).
 */
export type RecordKey = string;

const encoder = new TextEncoder();

/** A text as Kafka keys hold it; a lone surrogate becomes the replacement character. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export const recordKey = (tenant: string | undefined, correlationId: string): RecordKey =>
  `${utf8(tenant ?? '').length}:${tenant ?? ''}${correlationId}`;

/** Internal entries of the ledger topic (position and the like); a record key always begins with a digit. */
export const isInternalKey = (key: string): boolean => key.startsWith('!');

/**
 * Order of two texts by their UTF-8 bytes. Differs from `<` on UTF-16 units only where a surrogate meets a unit
 * above the surrogate range, so those units are moved to where UTF-8 sorts them.
 */
export const compareUtf8 = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return utf8Rank(x) - utf8Rank(y);
  }
  return a.length - b.length;
};

const utf8Rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
