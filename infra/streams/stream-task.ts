import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import type { Incoming, Topology } from '../../topology/kit/topology.js';
import { ProcessorFaultError } from './errors.js';
import { remedyFor } from './failure-policy.js';
import type { GlobalCursor } from './global-cursor.js';
import { incomingOf } from './incoming.js';
import type { InputQueue } from './input-queue.js';
import type { NewRecord } from './ports.js';
import { ReadableRecords } from './readable-records.js';
import type { Serdes } from './serdes.js';
import type { StateView } from './state-view.js';
import { TaskDraft, type TransactionBounds } from './task-draft.js';
import type { TaskPosition } from './task-position.js';

/** What a task works on and with; made by `openTask`, thrown away with the task. */
export type TaskParts<Input, GlobalInput, State, Shared, Global> = {
  readonly topology: Topology<Input, GlobalInput, State, Shared, Global>;
  readonly partition: number;
  readonly partitions: number;
  readonly serdes: Serdes;
  readonly bounds: TransactionBounds;
  readonly view: StateView<State>;
  readonly queue: InputQueue;
  readonly globals: GlobalCursor<GlobalInput, Global>;
  readonly position: TaskPosition<Shared>;
  /** End of the global topic when the task was assigned: it is taken up to there before any source record. */
  readonly globalEnd: bigint;
  /** There is something to do that was not there before. */
  readonly onMore: () => void;
};

/** Records decoded and loaded together: one look at the registry and one read of the store. */
const BATCH = 500;

/**
 * One partition: decides what waits for it, in memory, and holds the effects until they are committed. It never writes.
 * Order: global records first, then each source record after the timers that its time makes due. It may stop between any
 * two steps and go on in the next transaction. After an error it is thrown away.
 */
export class StreamTask<Input, GlobalInput, State, Shared, Global> {
  readonly partition: number;
  readonly #parts: TaskParts<Input, GlobalInput, State, Shared, Global>;
  readonly #draft: TaskDraft<Input, GlobalInput, State, Shared, Global>;
  readonly #readable: ReadableRecords;
  /** Taken from the queue and decoded, but not processed yet. */
  #pending: readonly Incoming<Input>[] = [];
  #blocked: unknown;

  constructor(parts: TaskParts<Input, GlobalInput, State, Shared, Global>) {
    const { bounds, partition, partitions, position, serdes, topology, view } = parts;
    this.#parts = parts;
    this.partition = partition;
    this.#readable = new ReadableRecords((values) => serdes.prepare(topology.source, values), parts.onMore);
    this.#draft = new TaskDraft(topology, { partition, partitions }, serdes, view, bounds, position);
  }

  get position(): TaskPosition<Shared> {
    return this.#draft.position(this.#parts.globals.position);
  }

  /** Why the task waits although it has something to do: the registry could not be asked. */
  get blocked(): unknown {
    return this.#blocked;
  }

  get hasInput(): boolean {
    return this.#pending.length > 0 || this.#parts.queue.length > 0;
  }

  get hasGlobals(): boolean {
    return this.#parts.globals.peek() !== undefined;
  }

  get earliestDue(): number {
    return this.#parts.view.earliestDue;
  }

  /**
   * P1: decides as much of what waits as one transaction may hold; `true`: there is something to commit. `globalsRead` is
   * how far the global topic has been read. `idleAt`, the wall clock, is given only while the source is read to its end:
   * only then does time pass without a record (R16).
   * @throws ProcessorFaultError, StoreFailedError
   */
  async decide(globalsRead: bigint, idleAt?: number): Promise<boolean> {
    this.#blocked = undefined;
    try {
      if (
        (await this.#takeGlobals(idleAt !== undefined)) &&
        globalsRead >= this.#parts.globalEnd &&
        (await this.#takeInputs()) &&
        idleAt !== undefined &&
        !this.hasInput &&
        this.earliestDue <= idleAt
      )
        await this.#passTime(idleAt);
    } catch (error) {
      if (remedyFor(error).action !== 'retry') throw error;
      this.#blocked = error;
    }
    return this.#draft.dirty;
  }

  /** The outputs of everything decided since the last `committed`. */
  staged(): readonly NewRecord[] {
    return this.#draft.records;
  }

  /** What was staged is committed and in the store. */
  committed(): void {
    this.#draft.committed();
  }

  /** `true`: all that was read of the global topic is taken. */
  async #takeGlobals(idle: boolean): Promise<boolean> {
    const { globals } = this.#parts;
    for (let incoming = globals.peek(); incoming !== undefined; incoming = globals.peek()) {
      // A backlog is decided at its own time; with none, the world's time is that of the change.
      if (idle && !(await this.#passTime(incoming.time))) return false;
      if (!(await this.#walk(incoming))) return false;
      globals.take();
      this.#draft.walk = undefined;
    }
    return true;
  }

  /** Looks at the keys that a global record affects. `false`: the transaction is full, the walk goes on in the next. */
  async #walk(incoming: Incoming<GlobalInput>): Promise<boolean> {
    const { topology, view } = this.#parts;
    const { offset } = incoming.coordinates;
    const resumed = this.#draft.walk?.offset === offset ? this.#draft.walk : undefined;
    for (const [index, name] of topology.processor.affected(incoming).entries()) {
      if (index < (resumed?.index ?? 0)) continue;
      let { after, rank } = resumed?.index === index ? resumed : { after: undefined, rank: 0 };
      for (let keys = await view.indexed(name, after); keys.length > 0; keys = await view.indexed(name, after)) {
        await view.load(keys);
        for (const key of keys) {
          if (!this.#draft.hasRoom) return false;
          if (this.#react(key, name, incoming, rank)) rank += 1;
          after = key;
          this.#draft.walk = { offset, index, after, rank };
        }
        // A walk over many keys must not hold them all.
        view.unpin();
      }
    }
    return true;
  }

  /** `true`: it led to outputs. */
  #react(key: string, index: string, incoming: Incoming<GlobalInput>, rank: number): boolean {
    const { globals, topology, view } = this.#parts;
    const state = view.get(key);
    if (state === null || !topology.processor.indexes(state).includes(index)) return false;
    const { coordinates } = incoming;
    const effects = faultAt(coordinates, () =>
      topology.processor.react(state, this.#draft.around(globals.folded()), { coordinates, rank }),
    );
    this.#draft.stage(key, state, effects);
    return effects.outputs.length > 0;
  }

  /** `true`: nothing waits any more. */
  async #takeInputs(): Promise<boolean> {
    for (let batch = await this.#batch(); batch.length > 0; batch = await this.#batch()) {
      let taken = 0;
      try {
        for (const incoming of batch) {
          if (!this.#draft.hasRoom) return false;
          if (!(await this.#passTime(incoming.time))) return false;
          this.#process(incoming);
          taken += 1;
        }
      } finally {
        this.#pending = batch.slice(taken);
      }
    }
    return true;
  }

  /** The next records, decoded, with their states loaded. */
  async #batch(): Promise<readonly Incoming<Input>[]> {
    const { queue, serdes, topology, view } = this.#parts;
    if (this.#pending.length === 0 && queue.length > 0) {
      const waiting = queue.peek(BATCH);
      const records = waiting.slice(0, await this.#readable.countOf(waiting));
      this.#pending = records.map((record) => incomingOf(topology.source, record, serdes));
      queue.drop(records.length);
    }
    const batch = this.#pending;
    await view.load(batch.map((incoming) => this.#keyOf(incoming)).filter((key) => key !== null));
    return batch;
  }

  #keyOf(incoming: Incoming<Input>): string | null {
    const key = this.#parts.topology.processor.keyOf(incoming);
    if (key?.startsWith('!') === true)
      throw new ProcessorFaultError(`state key ${JSON.stringify(key)} begins with "!"`);
    // Two keys that are the same bytes on the changelog are one key.
    return key?.toWellFormed() ?? null;
  }

  #process(incoming: Incoming<Input>): void {
    const { globals, topology, view } = this.#parts;
    const key = this.#keyOf(incoming);
    const state = key === null ? null : view.get(key);
    const effects = faultAt(incoming.coordinates, () =>
      topology.processor.process(incoming, state, this.#draft.around(globals.global)),
    );
    this.#draft.stage(key, state, effects);
    this.#draft.consumed(incoming.coordinates.offset);
  }

  /** Moves stream time on and fires what is due. `false`: the transaction is full and something due is left. */
  async #passTime(time: number): Promise<boolean> {
    const { view } = this.#parts;
    const now = Math.max(this.#draft.now, time);
    while (view.earliestDue <= now) {
      const timers = await view.timersBy(now);
      await view.load(timers.map(({ key }) => key));
      for (const { due, key } of timers) {
        if (!this.#draft.hasRoom) return false;
        view.timerDone();
        this.#fire(key, due, now);
      }
    }
    this.#draft.now = now;
    return true;
  }

  #fire(key: string, due: number, now: number): void {
    const { globals, topology, view } = this.#parts;
    const state = view.get(key);
    // A state that has changed its mind leaves its old timer behind.
    if (state === null || view.dueOf(key, state) !== due) return;
    this.#draft.now = now;
    const effects = topology.processor.fire(state, this.#draft.around(globals.global));
    const next = effects.state === null ? undefined : view.dueOf(key, effects.state);
    if (next !== undefined && next <= now)
      throw new ProcessorFaultError(`state ${JSON.stringify(key)} fired at ${now} and is due again at ${next}`);
    this.#draft.stage(key, state, effects);
  }
}

/** A processor that throws breaks its contract; what it broke on is the first thing one wants to know. */
const faultAt = <Result>(coordinates: Coordinates, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    throw new ProcessorFaultError(`the processor failed at ${formatCoordinates(coordinates)}`, error);
  }
};
