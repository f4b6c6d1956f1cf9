import { constants, gunzipSync } from 'node:zlib';
import { readLz4Frame } from './lz4-frame.js';
import { readSnappy } from './snappy-frame.js';
import { OversizeError } from './oversize-error.js';
import { readZstdFrame } from './zstd-frame.js';

/**
 * The most that one compressed batch may become, bytes. Brokers bound a batch by its compressed size alone
 * (`max.message.bytes`): four mebibytes can stand for gigabytes. This is eight times what they let through for task events
 * uncompressed; a producer that compresses so well has to make smaller batches.
 */
export const MAX_DECOMPRESSED_BYTES = 32 * 1024 * 1024;

/** Why nothing of a batch, or of the rest of it, can be read. */
export type BatchFault = { readonly reason: 'undecodable' | 'too-large'; readonly detail: string };

export type Decompressed =
  { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'failed'; readonly fault: BatchFault };

type Decompress = (bytes: Buffer, limit: number) => Buffer;

const gunzip: Decompress = (bytes, limit) => {
  try {
    return gunzipSync(bytes, { maxOutputLength: limit, finishFlush: constants.Z_FINISH });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new OversizeError();
    throw error;
  }
};

/** By the number that the batch's attributes give. */
const CODECS: readonly (readonly [name: string, decompress: Decompress])[] = [
  ['none', (bytes) => bytes],
  ['gzip', gunzip],
  ['snappy', readSnappy],
  ['lz4', readLz4Frame],
  ['zstd', readZstdFrame],
];

/** The records of a batch, decompressed. Total: anybody can write to an input topic. */
export const decompress = (compressed: Buffer, compression: number, limit = MAX_DECOMPRESSED_BYTES): Decompressed => {
  const codec = CODECS[compression];
  if (codec === undefined) return failed('undecodable', `its batch has compression ${compression}, which is none`);
  const [name, read] = codec;
  try {
    return { kind: 'bytes', bytes: read(compressed, limit) };
  } catch (error) {
    if (error instanceof OversizeError)
      return failed('too-large', `its ${name} batch of ${compressed.length} bytes becomes more than ${limit}`);
    return failed('undecodable', `its batch cannot be decompressed (${name}): ${(error as Error).message}`);
  }
};

const failed = (reason: BatchFault['reason'], detail: string): Decompressed => ({
  kind: 'failed',
  fault: { reason, detail },
});
