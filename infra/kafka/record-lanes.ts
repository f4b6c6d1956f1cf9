import { setMaxListeners } from 'node:events';
import type { LogRecord, PartitionRef, Position } from '../streams/ports.js';
import { keyOf } from './topic-metadata.js';

type Take = (record: LogRecord, signal: AbortSignal) => Promise<void>;
type Delivery = { readonly records: readonly LogRecord[]; readonly from: bigint; readonly next: bigint };

/** Records that may be under way or wait for their turn before no more are taken from the log. */
const MOST_OPEN = 5_000;

/**
 * Runs records of one key one after the other and everything else side by side, and knows for each partition up to where
 * all is done.
 */
export class RecordLanes {
  readonly #take: Take;
  readonly #onFailed: (error: unknown) => void;
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #waiting = new Set<() => void>();
  #open = 0;

  constructor(take: Take, onFailed: (error: unknown) => void) {
    this.#take = take;
    this.#onFailed = onFailed;
  }

  /** Partitions that are one's own from now on, from these positions. */
  open(positions: readonly Position[]): Tenure {
    return new Tenure(positions, (record, tenure) => this.#enter(record, tenure));
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async #enter(record: LogRecord, tenure: Tenure): Promise<void> {
    while (this.#open >= MOST_OPEN && !tenure.isOver())
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    const lane = laneOf(record);
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    this.#open += 1;
    const mine = before.then(() => this.#run(record, tenure));
    this.#lanes.set(lane, mine);
    void mine.then(() => {
      if (this.#lanes.get(lane) === mine) this.#lanes.delete(lane);
      this.#open -= 1;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const resolve of waiting) resolve();
    });
  }

  async #run(record: LogRecord, tenure: Tenure): Promise<void> {
    if (tenure.isOver()) return;
    try {
      await this.#take(record, tenure.signal);
      tenure.finish(record);
    } catch (error) {
      // Left to the next owner: it was given up, not done.
      if (!tenure.isOver()) this.#onFailed(error);
    }
  }
}

/** A record without a key waits for nobody. */
const laneOf = ({ topic, partition, offset, key }: LogRecord): string =>
  key === null
    ? `${topic}/${partition}@${offset.toString()}`
    : `${topic}/${partition}:${Buffer.from(key).toString('hex')}`;

type Progress = { readonly partition: PartitionRef; next: bigint; readonly open: Set<bigint> };

/** The time in which partitions are one's own: where each stands, and up to where it is done. */
export class Tenure {
  readonly #abort = new AbortController();
  readonly #progress: ReadonlyMap<string, Progress>;
  readonly #enter: (record: LogRecord, tenure: Tenure) => Promise<void>;

  constructor(positions: readonly Position[], enter: (record: LogRecord, tenure: Tenure) => Promise<void>) {
    // Everything under way listens for its end.
    setMaxListeners(0, this.#abort.signal);
    this.#enter = enter;
    this.#progress = new Map(
      positions.map(({ offset, ...partition }) => [keyOf(partition), { partition, next: offset, open: new Set() }]),
    );
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  isOver(): boolean {
    return this.#abort.signal.aborted;
  }

  end(): void {
    this.#abort.abort();
  }

  /** Where each partition is to be read from. */
  next(): readonly Position[] {
    return [...this.#progress.values()].map(({ partition, next }) => ({ ...partition, offset: next }));
  }

  /** The position of each partition before which everything is done. */
  done(): readonly Position[] {
    return [...this.#progress.values()].map(({ partition, next, open }) => {
      // Offsets are added in order, so the first of the set is the lowest.
      const [lowest] = open;
      return { ...partition, offset: lowest ?? next };
    });
  }

  /** Takes what was read. A delivery that does not join the one before is one of an older generation. */
  async deliver(partition: PartitionRef, { records, from, next }: Delivery): Promise<void> {
    const progress = this.#progress.get(keyOf(partition));
    if (progress?.next !== from || this.isOver()) return;
    for (const { offset } of records) progress.open.add(offset);
    progress.next = next;
    for (const record of records) await this.#enter(record, this);
  }

  finish(record: LogRecord): void {
    this.#progress.get(keyOf(record))?.open.delete(record.offset);
  }
}
