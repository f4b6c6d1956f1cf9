import type { LogRecord, NewRecord } from '../streams/ports.js';

/** A transaction as the log sees it. Its records are visible once it is committed. */
export type LogTransaction = { status: 'open' | 'committed' | 'aborted' };

type Entry = {
  readonly offset: bigint;
  /** Absent: a control record, which takes an offset and is never delivered. */
  readonly record?: LogRecord;
  readonly transaction?: LogTransaction;
};

/** One partition of the in-memory broker: offsets with control records, aborted records, a last stable offset, compaction. */
export class MemoryPartition {
  readonly topic: string;
  readonly partition: number;
  #entries: Entry[] = [];
  #low = 0n;
  #next = 0n;

  constructor(topic: string, partition: number) {
    this.topic = topic;
    this.partition = partition;
  }

  get low(): bigint {
    return this.#low;
  }

  /** Last stable offset: nothing before it belongs to an open transaction. */
  get end(): bigint {
    return this.#entries.find(({ transaction }) => transaction?.status === 'open')?.offset ?? this.#next;
  }

  append(record: Omit<NewRecord, 'topic' | 'partition'>, time: number, transaction?: LogTransaction): bigint {
    const offset = this.#next;
    const { topic, partition } = this;
    this.#push({
      offset,
      record: { ...record, topic, partition, offset, time },
      ...(transaction === undefined ? {} : { transaction }),
    });
    return offset;
  }

  /** The marker that ends a transaction. */
  appendControl(): void {
    this.#push({ offset: this.#next });
  }

  /** Read committed: at most `limit` records from `from` on, and the offset to go on from. */
  fetch(from: bigint, limit: number): { readonly records: readonly LogRecord[]; readonly next: bigint } {
    const { end } = this;
    const records: LogRecord[] = [];
    for (const { offset, record, transaction } of this.#entries) {
      if (offset < from) continue;
      if (offset >= end) break;
      if (records.length === limit) return { records, next: offset };
      if (record !== undefined && transaction?.status !== 'aborted') records.push(record);
    }
    return { records, next: end > from ? end : from };
  }

  /** Every record committed. */
  committed(): readonly LogRecord[] {
    return this.fetch(this.#low, Number.MAX_SAFE_INTEGER).records;
  }

  /**
   * What the cleaner does: of each key only the last committed record stays; aborted records and markers go, and
   * tombstones appended before `tombstonesBefore` (delete.retention.ms ago). Offsets never move.
   */
  compact(tombstonesBefore = 0): void {
    const { end } = this;
    const last = new Map(this.committed().map((record) => [keyOf(record), record.offset]));
    this.#entries = this.#entries.filter(({ offset, record, transaction }) => {
      if (offset >= end) return true;
      if (record === undefined || transaction?.status === 'aborted') return false;
      if (record.time < tombstonesBefore && record.value === null) return false;
      return last.get(keyOf(record)) === offset;
    });
  }

  /** What retention does. */
  deleteBefore(offset: bigint): void {
    this.#entries = this.#entries.filter((entry) => entry.offset >= offset);
    this.#low = offset;
  }

  #push(entry: Entry): void {
    this.#entries.push(entry);
    this.#next = entry.offset + 1n;
  }
}

const keyOf = ({ key }: LogRecord): string => (key === null ? '' : Buffer.from(key).toString('hex'));
