import type { Fetched, PartitionRef } from '../streams/ports.js';
import type { HoldfastError } from '../errors.js';
import type { FetchedPartition } from './fetch-protocol.js';
import { PATIENCE_MS } from './retrying.js';
import { decodeBatches } from './record-batch-decoder.js';
import { readCommitted } from './read-committed.js';

export type ReadRange = { readonly from: bigint; readonly to?: bigint };
export type OnFetched = (fetched: Fetched) => Promise<void>;

/** One being handed over and one ahead of it. */
const FETCHED_AHEAD = 1;

/** One reading of one partition: where it stands, what was fetched ahead, and to whom it goes. */
export class LogRead {
  readonly partition: PartitionRef;
  readonly ended: Promise<void>;
  /** The offset to fetch from next. */
  next: bigint;
  readonly #to: bigint | undefined;
  readonly #onFetched: OnFetched;
  readonly #onRoom: () => void;
  readonly #ahead: Fetched[] = [];
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #delivering = false;
  #held = false;
  #over = false;
  #emptyAt: bigint | undefined;
  #failingSince: number | undefined;

  constructor(partition: PartitionRef, range: ReadRange, onFetched: OnFetched, onRoom: () => void) {
    this.partition = { topic: partition.topic, partition: partition.partition };
    this.next = range.from;
    this.#to = range.to;
    this.#onFetched = onFetched;
    this.#onRoom = onRoom;
    this.ended = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Whether it can take another fetch. */
  get wants(): boolean {
    return !this.#over && !this.#held && !this.#complete && this.#ahead.length < FETCHED_AHEAD;
  }

  get #complete(): boolean {
    return this.#to !== undefined && this.next >= this.#to;
  }

  /** Takes an answer for its position. `idle`: the broker had nothing for anybody, so no limit kept records back. */
  take(answer: FetchedPartition, idle: boolean): void {
    if (this.#over) return;
    this.#failingSince = undefined;
    try {
      const batches = decodeBatches(answer.records);
      if (batches.length > 0) {
        const { records, next } = readCommitted(this.partition, batches, answer.aborted, this.#range);
        this.#advance(next, records);
      } else if (idle) this.#passHole(answer.lastStableOffset);
    } catch (error) {
      this.fail(error);
    }
  }

  get #range(): { from: bigint; to: bigint | undefined } {
    return { from: this.next, to: this.#to };
  }

  #advance(reached: bigint, records: Fetched['records']): void {
    if (reached <= this.next) return;
    this.#emptyAt = undefined;
    const from = this.next;
    this.next = this.#to !== undefined && reached > this.#to ? this.#to : reached;
    this.#ahead.push({ ...this.partition, records, from, next: this.next });
    void this.#deliver();
  }

  /**
   * The log can end in offsets that no batch holds any more: the cleaner takes even the last marker of an idle changelog
   * in the end. Stable offsets ahead, twice nothing there, and nothing else in the answers: there is nothing.
   */
  #passHole(lastStableOffset: bigint): void {
    if (lastStableOffset <= this.next) return;
    if (this.#emptyAt === this.next) this.#advance(lastStableOffset, []);
    else this.#emptyAt = this.next;
  }

  async #deliver(): Promise<void> {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let fetched = this.#ahead.shift(); fetched !== undefined && !this.#over; fetched = this.#ahead.shift()) {
        this.#onRoom();
        await this.#onFetched(fetched);
      }
      if (this.#complete && this.#ahead.length === 0) this.stop();
    } catch (error) {
      this.fail(error);
    } finally {
      this.#delivering = false;
      if (this.#over) this.#resolve();
    }
  }

  /** Takes no more for the time being. */
  hold(): void {
    this.#held = true;
  }

  /** A fetch failed: forgiven until it has lasted too long. */
  setBack(error: HoldfastError, lasting: boolean): void {
    this.#failingSince ??= performance.now();
    if (lasting || !error.retryable || performance.now() - this.#failingSince > PATIENCE_MS) this.fail(error);
  }

  fail(error: unknown): void {
    this.#over = true;
    this.#reject(error);
  }

  /** Ends it, when the call that is under way has returned. */
  stop(): void {
    this.#over = true;
    if (!this.#delivering) this.#resolve();
  }
}
