import { decompress, type BatchFault } from './compression/decompress.js';
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

/** What is met in a batch, in order of offset; each tells whether it wants more of it. */
export type BatchVisitor = {
  readonly record: (
    offsetDelta: number,
    time: number,
    key: Uint8Array | null,
    value: Uint8Array | null,
    headers: Readonly<Record<string, Uint8Array>>,
  ) => boolean;
  /** An offset whose record cannot be had out of the batch. */
  readonly fault: (offsetDelta: number, time: number, fault: BatchFault) => boolean;
};

/**
 * The whole batches in an answer to a fetch, checksums checked; what was cut off at the end is left out.
 * @throws UnreadableBatchError the first batch cannot be told apart; one behind others ends the list, and is met again
 */
export function decodeBatches(records: Buffer): DecodedBatch[] {
  const batches: DecodedBatch[] = [];
  for (let start = 0; start + BATCH.records <= records.length;) {
    const end = start + LOG_OVERHEAD + records.readInt32BE(start + BATCH.length);
    if (end > records.length) break;
    const bytes = records.subarray(start, end);
    const baseOffset = bytes.readBigInt64BE(BATCH.baseOffset);
    const fault = faultOf(bytes, baseOffset);
    if (fault !== undefined) {
      if (batches.length > 0) break;
      throw fault;
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

const faultOf = (bytes: Buffer, baseOffset: bigint): UnreadableBatchError | undefined => {
  const magic = bytes.readInt8(BATCH.magic);
  if (magic !== MAGIC)
    return new UnreadableBatchError(
      `the log holds a batch that cannot be read: message format ${magic} at offset ${baseOffset.toString()}`,
      { corrupt: false },
    );
  if (crc32c(bytes, BATCH.attributes) === bytes.readUInt32BE(BATCH.crc)) return undefined;
  const said = `the batch at offset ${baseOffset.toString()} does not match its checksum`;
  return new UnreadableBatchError(said, { corrupt: true });
};

/**
 * Visits each record of the batch, in order. Keys, values and headers are views of the batch's memory. Total: whoever may
 * write to a topic chooses what is in its batches, so what cannot be decompressed, and what follows a malformed record, is
 * visited offset by offset as a fault. `looked`: how many bytes there were, decompressed; `whole`: all of it was wanted.
 */
export function eachRecord(
  { bytes }: DecodedBatch,
  visit: BatchVisitor,
): { readonly looked: number; readonly whole: boolean } {
  const attributes = bytes.readInt16BE(BATCH.attributes);
  const count = bytes.readInt32BE(BATCH.recordCount);
  const lastDelta = bytes.readInt32BE(BATCH.lastOffsetDelta);
  const base = Number(bytes.readBigInt64BE(BATCH.baseTimestamp));
  const appendTime =
    (attributes & ATTRIBUTE.logAppendTime) !== 0 ? Number(bytes.readBigInt64BE(BATCH.maxTimestamp)) : undefined;
  const records = decompress(bytes.subarray(BATCH.records), attributes & ATTRIBUTE.compression);
  const faults = (from: number, fault: BatchFault): boolean => {
    for (let delta = from; delta <= lastDelta; delta += 1)
      if (!visit.fault(delta, appendTime ?? base, fault)) return false;
    return true;
  };
  if (records.kind === 'failed') return { looked: 0, whole: faults(0, records.fault) };
  const looked = records.bytes.length;
  const reader = new RecordReader(records.bytes);
  try {
    for (let index = 0; index < count; index += 1)
      if (!reader.read(base, appendTime, visit.record)) return { looked, whole: false };
  } catch (error) {
    if (!(error instanceof MalformedRecord)) throw error;
    const fault = { reason: 'undecodable', detail: `its batch is malformed: ${error.message}` } as const;
    return { looked, whole: faults(reader.reached + 1, fault) };
  }
  return { looked, whole: true };
}

/** The batch is not what its header says. */
class MalformedRecord extends Error {}

/** Walks along the records of one batch. */
class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** Offset delta of the last record that was read. */
  reached = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws MalformedRecord */
  read(base: number, appendTime: number | undefined, onRecord: BatchVisitor['record']): boolean {
    const length = this.#varint();
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) throw new MalformedRecord('a record is longer than its batch');
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
    if (this.#at !== end) throw new MalformedRecord('a record has another length than it says');
    if (offsetDelta <= this.reached) throw new MalformedRecord('its offsets do not ascend');
    this.reached = offsetDelta;
    return onRecord(offsetDelta, appendTime ?? base + timestampDelta, key, value, headers);
  }

  #span(): Uint8Array | null {
    const length = this.#varint();
    if (length < 0) return null;
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new MalformedRecord('a field is longer than its batch');
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
    if (byte === undefined) throw new MalformedRecord('it ends in the middle of a record');
    this.#at += 1;
    return byte;
  }
}
