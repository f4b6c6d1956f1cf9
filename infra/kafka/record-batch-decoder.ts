import { gunzipSync } from 'node:zlib';
import { crc32c } from './crc32c.js';
import { UnreadableBatchError } from './kafka-errors.js';
import { ATTRIBUTE, BATCH, LOG_OVERHEAD, MAGIC } from './record-batch.js';

const OWN = { enumerable: true, configurable: true, writable: true } as const;

export type DecodedBatch = {
  readonly baseOffset: bigint;
  /** Known even when the log cleaner left the batch empty. */
  readonly lastOffset: bigint;
  readonly producerId: bigint;
  readonly transactional: boolean;
  readonly control: boolean;
  /** Bytes of the batch itself, for `eachRecord`. */
  readonly bytes: Buffer;
};

export type OnRecord = (
  offsetDelta: number,
  time: number,
  key: Uint8Array | null,
  value: Uint8Array | null,
  headers: Readonly<Record<string, Uint8Array>>,
) => void;

/**
 * The whole batches in an answer to a fetch, checksums checked; what was cut off at the end is left out.
 * @throws UnreadableBatchError
 */
export function decodeBatches(records: Buffer): DecodedBatch[] {
  const batches: DecodedBatch[] = [];
  for (let start = 0; start + BATCH.records <= records.length;) {
    const end = start + LOG_OVERHEAD + records.readInt32BE(start + BATCH.length);
    if (end > records.length) break;
    const bytes = records.subarray(start, end);
    const magic = bytes.readInt8(BATCH.magic);
    if (magic !== MAGIC) throw unreadable(`message format ${magic}`);
    const baseOffset = bytes.readBigInt64BE(BATCH.baseOffset);
    if (crc32c(bytes, BATCH.attributes) !== bytes.readUInt32BE(BATCH.crc)) {
      throw new UnreadableBatchError(`the batch at offset ${baseOffset.toString()} does not match its checksum`, {
        corrupt: true,
      });
    }
    const attributes = bytes.readInt16BE(BATCH.attributes);
    batches.push({
      baseOffset,
      lastOffset: baseOffset + BigInt(bytes.readInt32BE(BATCH.lastOffsetDelta)),
      producerId: bytes.readBigInt64BE(BATCH.producerId),
      transactional: (attributes & ATTRIBUTE.transactional) !== 0,
      control: (attributes & ATTRIBUTE.control) !== 0,
      bytes,
    });
    start = end;
  }
  return batches;
}

/**
 * Calls `onRecord` for each record of the batch, in order. Keys, values and headers are views of the batch's memory.
 * @throws UnreadableBatchError for a compression that is not read here
 */
export function eachRecord({ bytes }: DecodedBatch, onRecord: OnRecord): void {
  const attributes = bytes.readInt16BE(BATCH.attributes);
  const count = bytes.readInt32BE(BATCH.recordCount);
  const base = Number(bytes.readBigInt64BE(BATCH.baseTimestamp));
  const appendTime =
    (attributes & ATTRIBUTE.logAppendTime) !== 0 ? Number(bytes.readBigInt64BE(BATCH.maxTimestamp)) : undefined;
  const reader = new RecordReader(decompressed(bytes.subarray(BATCH.records), attributes & ATTRIBUTE.compression));
  for (let index = 0; index < count; index += 1) reader.read(base, appendTime, onRecord);
}

function decompressed(records: Buffer, compression: number): Buffer {
  if (compression === 0) return records;
  if (compression === 1) return gunzipSync(records);
  const names = ['', 'gzip', 'snappy', 'lz4', 'zstd'];
  throw unreadable(
    `compression ${names[compression] ?? compression} (set compression.type=gzip or uncompressed on the topic)`,
  );
}

/** Walks along the records of one batch. */
class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(base: number, appendTime: number | undefined, onRecord: OnRecord): void {
    const length = this.#varint();
    const end = this.#at + length;
    this.#at += 1; // attributes, unused
    const timestampDelta = this.#varlong();
    const offsetDelta = this.#varint();
    const key = this.#span();
    const value = this.#span();
    const headers: Record<string, Uint8Array> = {};
    for (let left = this.#varint(); left > 0; left -= 1) {
      const nameLength = this.#varint();
      const name = this.#bytes.toString('utf8', this.#at, this.#at + nameLength);
      this.#at += nameLength;
      const content = this.#span() ?? new Uint8Array(0);
      // A plain assignment to this name would set the object's prototype, and the header would be gone.
      if (name === '__proto__') Object.defineProperty(headers, name, { ...OWN, value: content });
      else headers[name] = content;
    }
    this.#at = end;
    onRecord(offsetDelta, appendTime ?? base + timestampDelta, key, value, headers);
  }

  #span(): Uint8Array | null {
    const length = this.#varint();
    if (length < 0) return null;
    const from = this.#at;
    this.#at += length;
    return this.#bytes.subarray(from, this.#at);
  }

  #varint(): number {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = this.#byte();
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return (value >>> 1) ^ -(value & 1);
  }

  /** Up to 2^53: timestamps are far below. */
  #varlong(): number {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = this.#byte();
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw unreadable('a record longer than its batch');
    this.#at += 1;
    return byte;
  }
}

function unreadable(what: string): UnreadableBatchError {
  return new UnreadableBatchError(`the log holds a batch that cannot be read: ${what}`, { corrupt: false });
}
