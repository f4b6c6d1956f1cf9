import type { Incoming } from '../../topology/kit/topology.js';

/** A record of the global topic; the fold after it is computed by the first task that takes it, and shared. */
export type GlobalEntry<GlobalInput, Global> = {
  readonly incoming: Incoming<GlobalInput>;
  after: Global | undefined;
};

/** What a cursor asks of the log it reads. */
type LogOfCursor<GlobalInput, Global> = {
  readonly peek: (from: bigint) => GlobalEntry<GlobalInput, Global> | undefined;
  readonly fold: (before: Global, entry: GlobalEntry<GlobalInput, Global>) => Global;
  readonly moved: () => void;
  readonly closed: (cursor: GlobalCursor<GlobalInput, Global>) => void;
};

/** One task's place in the global topic. */
export class GlobalCursor<GlobalInput, Global> {
  readonly onMore: () => void;
  readonly #log: LogOfCursor<GlobalInput, Global>;
  #position: bigint;
  #global: Global;

  constructor(position: bigint, global: Global, onMore: () => void, log: LogOfCursor<GlobalInput, Global>) {
    this.#position = position;
    this.#global = global;
    this.onMore = onMore;
    this.#log = log;
  }

  /** Offset of the next record to take. */
  get position(): bigint {
    return this.#position;
  }

  /** The fold of everything before `position`. */
  get global(): Global {
    return this.#global;
  }

  /** The next record, if it has been read; it stays the next one until `take`. */
  peek(): Incoming<GlobalInput> | undefined {
    return this.#log.peek(this.#position)?.incoming;
  }

  /** The fold with the next record in it. */
  folded(): Global {
    const entry = this.#log.peek(this.#position);
    return entry === undefined ? this.#global : this.#log.fold(this.#global, entry);
  }

  take(): void {
    const entry = this.#log.peek(this.#position);
    if (entry === undefined) return;
    this.#global = this.#log.fold(this.#global, entry);
    this.#position = entry.incoming.coordinates.offset + 1n;
    this.#log.moved();
  }

  close(): void {
    this.#log.closed(this);
  }
}
