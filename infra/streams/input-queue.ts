import type { Fetched, LogRecord } from './ports.js';

/** How much of a partition may wait in memory; beyond it, the fetcher waits. */
export type QueueBounds = { readonly records: number; readonly bytes: number };

const bytesOf = ({ key, value }: LogRecord): number => (key?.length ?? 0) + (value?.length ?? 0);

/** What was fetched of one partition and not processed yet. Bounded: a full queue holds the fetcher back. */
export class InputQueue {
  readonly #bounds: QueueBounds;
  #records: LogRecord[] = [];
  #bytes = 0;
  #next: bigint;
  #closed = false;
  #room: (() => void)[] = [];

  /** Expects the record at `from` first. */
  constructor(from: bigint, bounds: QueueBounds) {
    this.#next = from;
    this.#bounds = bounds;
  }

  /** The offset up to which the log has been seen. */
  get next(): bigint {
    return this.#next;
  }

  get length(): number {
    return this.#records.length;
  }

  /**
   * `joined`: false where records between the last delivery and this one are missing; nothing is taken then, and the
   * partition must be fetched again from `next`. `room` resolves when more may come.
   */
  offer(fetched: Fetched): { readonly joined: boolean; readonly room: Promise<void> } {
    if (this.#closed || fetched.from > this.#next) return { joined: this.#closed, room: Promise.resolve() };
    for (const record of fetched.records) {
      // R17: the same record read twice is one record. `next` is never before the task's position.
      if (record.offset < this.#next) continue;
      this.#records.push(record);
      this.#bytes += bytesOf(record);
    }
    if (fetched.next > this.#next) this.#next = fetched.next;
    return {
      joined: true,
      room: this.#full() ? new Promise((resolve) => this.#room.push(resolve)) : Promise.resolve(),
    };
  }

  /** The first records, at most `count`; they stay until `drop`. */
  peek(count: number): readonly LogRecord[] {
    return this.#records.slice(0, count);
  }

  drop(count: number): void {
    for (const record of this.#records.splice(0, count)) this.#bytes -= bytesOf(record);
    if (!this.#full()) this.#release();
  }

  /** Drops everything and lets the fetcher go. */
  close(): void {
    this.#closed = true;
    this.#records = [];
    this.#release();
  }

  #full(): boolean {
    return !this.#closed && (this.#records.length >= this.#bounds.records || this.#bytes >= this.#bounds.bytes);
  }

  #release(): void {
    const waiting = this.#room;
    this.#room = [];
    for (const resolve of waiting) resolve();
  }
}
