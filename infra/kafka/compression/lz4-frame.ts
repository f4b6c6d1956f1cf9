import { decompressFrameSync } from 'lz4-napi';
import { OversizeError } from './oversize-error.js';

/** Byte positions and flags of an LZ4 frame (its format description, version 1.6). */
const FLAGS_AT = 4;
const BLOCK_SIZE_AT = 5;
const FIXED_HEADER = 7;
const FLAG = { dictionary: 1, contentSize: 1 << 3, blockChecksum: 1 << 4 } as const;
const CHECKSUM_BYTES = 4;
const STORED = 0x8000_0000;

/** One frame. @throws OversizeError, Error */
export const readLz4Frame = (bytes: Buffer, limit: number): Buffer => {
  if (mostOf(bytes) > limit) throw new OversizeError();
  return decompressFrameSync(bytes);
};

/**
 * The most that can come out, by the blocks: the library knows no limit. All blocks but the last are full where nobody
 * flushed in between, and no producer does. What is no frame is left to the library to say.
 */
const mostOf = (bytes: Buffer): number => {
  const flags = bytes[FLAGS_AT] ?? 0;
  // 4 to 7: 64 KiB, 256 KiB, 1 MiB, 4 MiB.
  const full = 2 ** (8 + 2 * (((bytes[BLOCK_SIZE_AT] ?? 0) >> 4) & 7));
  const trailer = (flags & FLAG.blockChecksum) === 0 ? 0 : CHECKSUM_BYTES;
  let at = FIXED_HEADER + ((flags & FLAG.contentSize) === 0 ? 0 : 8) + ((flags & FLAG.dictionary) === 0 ? 0 : 4);
  let most = 0;
  while (at + 4 <= bytes.length) {
    const size = bytes.readUInt32LE(at);
    if (size === 0) break;
    const length = size % STORED;
    most += size < STORED ? full : length;
    at += 4 + length + trailer;
  }
  return most;
};
