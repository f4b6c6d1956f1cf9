const ROW = 16;
const PRINTABLE_ASCII = /^[\x20-\x7e]$/;

/** Bytes as text where they are UTF-8, else as `0x…`. */
export const bytesText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `0x${Buffer.from(bytes).toString('hex')}`;
  }
};

/** Bytes as `hexdump -C` shows them, at most so many rows of 16. */
export const hexLines = (bytes: Uint8Array, rows: number): readonly string[] => {
  const shown = Math.min(Math.ceil(bytes.length / ROW), rows);
  const lines = Array.from({ length: shown }, (_, row) => {
    const part = bytes.subarray(row * ROW, (row + 1) * ROW);
    const hex = Array.from(part, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(part, (byte) => String.fromCharCode(byte))
      .map((character) => (PRINTABLE_ASCII.test(character) ? character : '.'))
      .join('');
    return `${(row * ROW).toString(16).padStart(8, '0')}  ${hex.padEnd(ROW * 3 - 1)}  |${text}|`;
  });
  const rest = bytes.length - shown * ROW;
  return rest > 0 ? [...lines, `${rest} bytes more; --raw writes all of them to a file`] : lines;
};
