import { crc32c } from './crc32c.js';
import { ATTRIBUTE, BATCH, LOG_OVERHEAD, MAGIC } from './record-batch.js';

export type EncodableRecord = {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
  /** Creation time, ms, if it is not that of the batch. Only the first record's counts. */
  readonly time?: number;
};

export type BatchIdentity = {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly firstSequence: number;
  readonly transactional: boolean;
  /** Creation time of every record, ms. */
  readonly timestamp: number;
};

/** One uncompressed record batch of format 2, in one pass over the records and one allocation. */
export function encodeRecordBatch(records: readonly EncodableRecord[], identity: BatchIdentity): Buffer {
  const batch = Buffer.allocUnsafe(BATCH.records + roomFor(records));
  let at: number = BATCH.records;
  for (const [offsetDelta, record] of records.entries()) at = writeRecord(batch, at, offsetDelta, record);
  const timestamp = BigInt(records[0]?.time ?? identity.timestamp);
  batch.writeBigInt64BE(0n, BATCH.baseOffset);
  batch.writeInt32BE(at - LOG_OVERHEAD, BATCH.length);
  batch.writeInt32BE(0, BATCH.leaderEpoch);
  batch.writeInt8(MAGIC, BATCH.magic);
  batch.writeInt16BE(identity.transactional ? ATTRIBUTE.transactional : 0, BATCH.attributes);
  batch.writeInt32BE(records.length - 1, BATCH.lastOffsetDelta);
  batch.writeBigInt64BE(timestamp, BATCH.baseTimestamp);
  batch.writeBigInt64BE(timestamp, BATCH.maxTimestamp);
  batch.writeBigInt64BE(identity.producerId, BATCH.producerId);
  batch.writeInt16BE(identity.producerEpoch, BATCH.producerEpoch);
  batch.writeInt32BE(identity.firstSequence, BATCH.baseSequence);
  batch.writeInt32BE(records.length, BATCH.recordCount);
  batch.writeUInt32BE(crc32c(batch, BATCH.attributes, at), BATCH.crc);
  return batch.subarray(0, at);
}

/** An upper bound, so that the buffer never has to grow. */
function roomFor(records: readonly EncodableRecord[]): number {
  let room = 0;
  for (const { key, value, headers } of records) {
    // Length, attributes, two deltas, two lengths and the header count: at most 5 bytes each.
    room += 35 + (key?.length ?? 0) + (value?.length ?? 0);
    // A character takes at most three bytes of UTF-8.
    for (const name in headers) room += 10 + name.length * 3 + (headers[name]?.length ?? 0);
  }
  return room;
}

function writeRecord(batch: Buffer, start: number, offsetDelta: number, record: EncodableRecord): number {
  const { key, value, headers } = record;
  let size = 2 + varintSize(offsetDelta) + bytesSize(key) + bytesSize(value);
  let count = 0;
  for (const name in headers) {
    const length = Buffer.byteLength(name);
    size += varintSize(length) + length + bytesSize(headers[name] ?? null);
    count += 1;
  }
  size += varintSize(count);
  let at = writeVarint(batch, start, size);
  batch[at++] = 0; // attributes
  batch[at++] = 0; // timestamp delta: all records of a batch carry its time
  at = writeVarint(batch, at, offsetDelta);
  at = writeBytes(batch, at, key);
  at = writeBytes(batch, at, value);
  at = writeVarint(batch, at, count);
  for (const name in headers) {
    at = writeVarint(batch, at, Buffer.byteLength(name));
    at += batch.write(name, at);
    at = writeBytes(batch, at, headers[name] ?? null);
  }
  return at;
}

const bytesSize = (bytes: Uint8Array | null): number => (bytes === null ? 1 : varintSize(bytes.length) + bytes.length);

function writeBytes(batch: Buffer, at: number, bytes: Uint8Array | null): number {
  if (bytes === null) return writeVarint(batch, at, -1);
  const from = writeVarint(batch, at, bytes.length);
  batch.set(bytes, from);
  return from + bytes.length;
}

/** Bytes of a zigzag varint. */
function varintSize(value: number): number {
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  let size = 1;
  while (rest > 127) {
    rest >>>= 7;
    size += 1;
  }
  return size;
}

function writeVarint(batch: Buffer, start: number, value: number): number {
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  let at = start;
  while (rest > 127) {
    batch[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  batch[at++] = rest;
  return at;
}
