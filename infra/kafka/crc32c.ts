/** CRC-32C (Castagnoli), eight bytes a step. `node:zlib` has only the other polynomial. */

const POLYNOMIAL = 0x82f63b78;
const TABLES = new Int32Array(8 * 256);
for (let byte = 0; byte < 256; byte += 1) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  TABLES[byte] = crc;
}
for (let at = 256; at < TABLES.length; at += 1) {
  const previous = TABLES[at - 256] ?? 0;
  TABLES[at] = (previous >>> 8) ^ (TABLES[previous & 255] ?? 0);
}

/** The checksum of `bytes` from `start` on, as an unsigned number. */
export function crc32c(bytes: Buffer, start = 0, end = bytes.length): number {
  const t = TABLES;
  let crc = -1;
  let at = start;
  for (const stop = end - 8; at <= stop; at += 8) {
    const low = crc ^ bytes.readInt32LE(at);
    const high = bytes.readInt32LE(at + 4);
    // No lookup misses: every index is a byte within its table. The compiler of the engine sees that, ours does not.
    crc =
      (t[1792 + (low & 255)] ?? 0) ^
      (t[1536 + ((low >>> 8) & 255)] ?? 0) ^
      (t[1280 + ((low >>> 16) & 255)] ?? 0) ^
      (t[1024 + (low >>> 24)] ?? 0) ^
      (t[768 + (high & 255)] ?? 0) ^
      (t[512 + ((high >>> 8) & 255)] ?? 0) ^
      (t[256 + ((high >>> 16) & 255)] ?? 0) ^
      (t[high >>> 24] ?? 0);
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0);
  return ~crc >>> 0;
}
