import snappy from 'snappy';
import { OversizeError } from './oversize-error.js';

/** What Java's producer begins with (snappy-java's stream): a magic of eight bytes, its version, the oldest compatible one. */
const JAVA_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const JAVA_HEADER = JAVA_MAGIC.length + 8;
const LENGTH_BYTES = 4;
const MAX_PREAMBLE = 5;

/**
 * Blocks of a length each, as Java writes them, or one block alone, as librdkafka does.
 * @throws OversizeError, Error
 */
export const readSnappy = (bytes: Buffer, limit: number): Buffer => {
  if (!bytes.subarray(0, JAVA_MAGIC.length).equals(JAVA_MAGIC)) return readBlock(bytes, limit);
  const blocks: Buffer[] = [];
  let left = limit;
  for (let at = JAVA_HEADER; at < bytes.length;) {
    if (at + LENGTH_BYTES > bytes.length) throw new Error('it ends in the length of a block');
    const length = bytes.readUInt32BE(at);
    at += LENGTH_BYTES;
    if (length > bytes.length - at) throw new Error('it ends in the middle of a block');
    const block = readBlock(bytes.subarray(at, at + length), left);
    blocks.push(block);
    left -= block.length;
    at += length;
  }
  return blocks.length === 1 && blocks[0] !== undefined ? blocks[0] : Buffer.concat(blocks);
};

/** The library makes room for as much as the block says of itself. */
const readBlock = (block: Buffer, limit: number): Buffer => {
  if (lengthOf(block) > limit) throw new OversizeError();
  return snappy.uncompressSync(block, { asBuffer: true }) as Buffer;
};

/** A varint at the beginning of a block. */
const lengthOf = (block: Buffer): number => {
  let length = 0;
  for (let at = 0; at < MAX_PREAMBLE; at += 1) {
    const byte = block[at];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return length;
  }
  throw new Error('it has no length');
};
