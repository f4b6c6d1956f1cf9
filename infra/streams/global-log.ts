import type { Incoming, Topology } from '../../topology/kit/topology.js';
import { GlobalCursor, type GlobalEntry } from './global-cursor.js';
import { remedyFor } from './failure-policy.js';
import type { Clock } from './clock.js';
import { incomingOf } from './incoming.js';
import type { Fetched, LogReader, PartitionRef } from './ports.js';
import type { Serdes } from './serdes.js';

type Snapshot<Global> = { readonly position: bigint; readonly global: Global };

/** Records that may be ahead of the slowest task before the reader waits. */
const AHEAD = 10_000;
const RETRY_MS = 500;
/** Every so many records folded at a start, a snapshot is kept for the tasks that stand further back. */
const SNAPSHOT_EVERY = 1_000;
const SNAPSHOTS = 32;

/**
 * The global topic, read once by an instance for all its tasks. Each task folds it at its own pace, from the position in
 * its own position record; tasks at the same position share one fold, and only what some task has not taken is in memory.
 */
export class GlobalLog<Input, GlobalInput, State, Shared, Global> {
  readonly #topology: Topology<Input, GlobalInput, State, Shared, Global>;
  readonly #partition: PartitionRef;
  readonly #reader: LogReader;
  readonly #serdes: Serdes;
  readonly #clock: Clock;
  readonly #onFailed: (error: unknown) => void;
  readonly #cursors = new Set<GlobalCursor<GlobalInput, Global>>();
  /** By position, ascending. */
  #snapshots: readonly Snapshot<Global>[];
  #entries: GlobalEntry<GlobalInput, Global>[] = [];
  /** Every record from here up to `next` that some cursor still needs is in the entries. */
  #from = 0n;
  #next = 0n;
  #following: AbortController | undefined;
  #room: (() => void) | undefined;
  #closed = false;

  constructor(
    topology: Topology<Input, GlobalInput, State, Shared, Global>,
    ports: { readonly reader: LogReader; readonly serdes: Serdes; readonly clock: Clock },
    onFailed: (error: unknown) => void,
  ) {
    this.#topology = topology;
    this.#partition = { topic: topology.global.name, partition: 0 };
    this.#reader = ports.reader;
    this.#serdes = ports.serdes;
    this.#clock = ports.clock;
    this.#onFailed = onFailed;
    this.#snapshots = [{ position: 0n, global: topology.processor.initialGlobal() }];
  }

  /** The offset up to which the topic has been read. */
  get next(): bigint {
    return this.#next;
  }

  /**
   * A place to read from, with the fold of everything before `position`. `onMore` is called when more can be taken.
   * @throws OffsetLostError the topic does not begin at its beginning any more
   */
  async open(position: bigint, onMore: () => void): Promise<GlobalCursor<GlobalInput, Global>> {
    const global = await this.#foldedTo(position);
    const cursor = new GlobalCursor<GlobalInput, Global>(position, global, onMore, {
      peek: (from) => this.#entries.find(({ incoming }) => incoming.coordinates.offset >= from),
      fold: (before, entry) => (entry.after ??= this.#topology.processor.foldGlobal(before, entry.incoming)),
      moved: () => {
        this.#trim();
      },
      closed: (closed) => {
        this.#release(closed);
      },
    });
    this.#cursors.add(cursor);
    if (this.#following === undefined || position < this.#from) this.#follow(position);
    return cursor;
  }

  close(): void {
    this.#closed = true;
    this.#following?.abort();
    this.#room?.();
  }

  async #foldedTo(position: bigint): Promise<Global> {
    const known = [
      ...this.#snapshots,
      ...[...this.#cursors].map(({ position: at, global }) => ({ position: at, global })),
    ];
    let { position: at, global } = known
      .filter((snapshot) => snapshot.position <= position)
      .reduce((best, snapshot) => (snapshot.position >= best.position ? snapshot : best));
    if (at === position) return global;
    let folded = 0;
    await this.#reader.read(this.#partition, { from: at, to: position }, async (fetched) => {
      for (const incoming of await this.#incoming(fetched)) {
        if (incoming.coordinates.offset >= position) break;
        global = this.#topology.processor.foldGlobal(global, incoming);
        at = incoming.coordinates.offset + 1n;
        folded += 1;
        if (folded % SNAPSHOT_EVERY === 0) this.#keep({ position: at, global });
      }
    });
    this.#keep({ position, global });
    return global;
  }

  #keep(snapshot: Snapshot<Global>): void {
    const others = this.#snapshots.filter(({ position }) => position !== snapshot.position);
    const [first, ...rest] = [...others, snapshot].sort((a, b) => (a.position < b.position ? -1 : 1));
    if (first !== undefined) this.#snapshots = [first, ...rest.slice(-SNAPSHOTS)];
  }

  async #incoming(fetched: Fetched): Promise<readonly Incoming<GlobalInput>[]> {
    const { global } = this.#topology;
    await this.#serdes.prepare(
      global,
      fetched.records.flatMap(({ value }) => (value === null ? [] : [value])),
    );
    return fetched.records.map((record) => incomingOf(global, record, this.#serdes));
  }

  /** Begins to read anew from a position that lies before what is in memory. */
  #follow(from: bigint): void {
    this.#following?.abort();
    this.#room?.();
    const following = new AbortController();
    this.#following = following;
    this.#entries = [];
    this.#from = from;
    this.#next = from;
    void this.#read(following.signal).catch((error: unknown) => {
      if (!following.signal.aborted) this.#onFailed(error);
    });
  }

  async #read(signal: AbortSignal): Promise<void> {
    const stopped = (): boolean => signal.aborted;
    while (!stopped()) {
      try {
        await this.#reader.read(
          this.#partition,
          { from: this.#next },
          async (fetched) => {
            const records = await this.#incoming(fetched);
            if (stopped()) return;
            for (const incoming of records)
              if (incoming.coordinates.offset >= this.#next) this.#entries.push({ incoming, after: undefined });
            if (fetched.next > this.#next) this.#next = fetched.next;
            for (const cursor of this.#cursors) cursor.onMore();
            this.#trim();
            if (this.#entries.length > AHEAD) await new Promise<void>((resolve) => (this.#room = resolve));
          },
          signal,
        );
      } catch (error) {
        if (stopped()) return;
        if (remedyFor(error).action === 'stop') throw error;
        await this.#clock.backOff(RETRY_MS, signal);
      }
    }
  }

  #release(cursor: GlobalCursor<GlobalInput, Global>): void {
    this.#cursors.delete(cursor);
    this.#keep(cursor);
    this.#trim();
  }

  #trim(): void {
    if (this.#closed || this.#cursors.size === 0) return;
    const needed = [...this.#cursors].map(({ position }) => position).reduce((a, b) => (a < b ? a : b));
    const taken = this.#entries.findIndex(({ incoming }) => incoming.coordinates.offset >= needed);
    this.#entries.splice(0, taken === -1 ? this.#entries.length : taken);
    if (needed > this.#from) this.#from = needed;
    if (this.#entries.length <= AHEAD) this.#room?.();
  }
}
