import { Decompress } from 'fzstd';
import { OversizeError } from './oversize-error.js';

/** Byte positions and flags of a Zstandard frame (RFC 8878, section 3.1.1). */
const MAGIC = 0xfd2fb528;
const DESCRIPTOR_AT = 4;
const WINDOW_AT = 5;
const SINGLE_SEGMENT = 1 << 5;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
const BLOCK_HEADER = 3;
const RLE = 1;
const COMPRESSED = 2;
const MAX_BLOCK = 128 * 1024;
const SMALLEST_WINDOW_LOG = 10;

/** One frame or several. @throws OversizeError, Error */
export const readZstdFrame = (bytes: Buffer, limit: number): Buffer => {
  const blocks: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((block) => {
    length += block.length;
    if (length > limit) throw new OversizeError();
    blocks.push(block);
  });
  stream.push(withFittingWindow(bytes), true);
  return Buffer.concat(blocks, length);
};

/**
 * Producers do not know how much will come and announce a window of megabytes, which the library makes room for and moves
 * along with every block: milliseconds for each small batch. More than the frame can hold is never looked back at.
 */
const withFittingWindow = (bytes: Buffer): Buffer => {
  const descriptor = bytes[DESCRIPTOR_AT] ?? 0;
  if (bytes.length <= WINDOW_AT || bytes.readUInt32LE(0) !== MAGIC || (descriptor & SINGLE_SEGMENT) !== 0) return bytes;
  const exponent = Math.ceil(Math.log2(Math.max(mostOf(bytes, descriptor), 1))) - SMALLEST_WINDOW_LOG;
  const window = Math.max(exponent, 0) << 3;
  if (window >= (bytes[WINDOW_AT] ?? 0)) return bytes;
  const fitting = Buffer.from(bytes);
  fitting[WINDOW_AT] = window;
  return fitting;
};

/** The most that can come out of the frame, by its blocks. */
const mostOf = (bytes: Buffer, descriptor: number): number => {
  let at = WINDOW_AT + 1 + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + (CONTENT_SIZE_BYTES[descriptor >> 6] ?? 0);
  let most = 0;
  for (let last = false; !last && at + BLOCK_HEADER <= bytes.length;) {
    const header = bytes.readUIntLE(at, BLOCK_HEADER);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    last = (header & 1) === 1;
    most += type === COMPRESSED ? MAX_BLOCK : size;
    at += BLOCK_HEADER + (type === RLE ? 1 : size);
  }
  return most;
};
