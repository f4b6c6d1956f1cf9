import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import type { Effects, Incoming, Surroundings, Topology } from '../../topology/kit/topology.js';
import { ProcessorFaultError } from './errors.js';
import { remedyFor } from './failure-policy.js';
import type { GlobalCursor } from './global-cursor.js';
import { incomingOf } from './incoming.js';
import type { InputQueue } from './input-queue.js';
import type { NewRecord } from './ports.js';
import type { Serdes } from './serdes.js';
import { StagedOutputs } from './staged-outputs.js';
import type { StateView } from './state-view.js';
import { withoutWalk, type TaskPosition } from './task-position.js';

/** How much one transaction may hold of one partition. */
export type TransactionBounds = { readonly inputs: number; readonly outputBytes: number };

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
};

/** Records decoded and loaded together: one look at the registry and one read of the store. */
const BATCH = 500;

/**
 * One partition: decides what waits for it, in memory, and holds the effects until they are committed. It never writes.
 * Order: global records first, then each source record after the timers that its time makes due. Every step over one key
 * is staged whole between two `await`s, so a task may stop between any two steps. After an error it is thrown away.
 */
export class StreamTask<Input, GlobalInput, State, Shared, Global> {
  readonly partition: number;
  readonly #parts: TaskParts<Input, GlobalInput, State, Shared, Global>;
  readonly #outputs: StagedOutputs;
  /** Working copy: as of the last effect staged. */
  #position: TaskPosition<Shared>;
  /** Taken from the queue and decoded, but not processed yet. */
  #pending: readonly Incoming<Input>[] = [];
  #inputs = 0;
  #dirty = false;
  #blocked: unknown;

  constructor(parts: TaskParts<Input, GlobalInput, State, Shared, Global>) {
    this.#parts = parts;
    this.partition = parts.partition;
    this.#position = parts.position;
    this.#outputs = new StagedOutputs(parts.topology, parts.partition, parts.serdes);
  }

  get position(): TaskPosition<Shared> {
    return { ...this.#position, global: this.#parts.globals.position };
  }

  /** Why the task waits although it has something to do: the registry cannot be asked. */
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
      if (!(await this.#takeGlobals(idleAt !== undefined))) return this.#dirty;
      if (globalsRead < this.#parts.globalEnd) return this.#dirty;
      if (!(await this.#takeInputs())) return this.#dirty;
      if (idleAt !== undefined && !this.hasInput && this.earliestDue <= idleAt) await this.#passTime(idleAt);
    } catch (error) {
      if (remedyFor(error).action !== 'retry') throw error;
      this.#blocked = error;
    }
    return this.#dirty;
  }

  /** The outputs of everything decided since the last `committed`. */
  staged(): readonly NewRecord[] {
    return this.#outputs.records;
  }

  /** What was staged is committed and in the store. */
  committed(): void {
    this.#outputs.clear();
    this.#inputs = 0;
    this.#dirty = false;
  }

  #hasRoom(): boolean {
    const { bounds, view } = this.#parts;
    const { inputs, outputBytes } = bounds;
    return this.#inputs < inputs && this.#outputs.bytes < outputBytes && view.changedBytes < outputBytes;
  }

  /** `true`: all that was read of the global topic is taken. */
  async #takeGlobals(idle: boolean): Promise<boolean> {
    const { globals } = this.#parts;
    for (let incoming = globals.peek(); incoming !== undefined; incoming = globals.peek()) {
      // A backlog is decided at its own time; with none, the world's time is that of the change.
      if (idle && !(await this.#passTime(incoming.time))) return false;
      if (!(await this.#walk(incoming))) return false;
      globals.take();
      this.#position = withoutWalk(this.#position);
    }
    return true;
  }

  /** Looks at the keys that a global record affects. `false`: the transaction is full, the walk goes on in the next. */
  async #walk(incoming: Incoming<GlobalInput>): Promise<boolean> {
    const { globals, topology, view } = this.#parts;
    const { processor } = topology;
    const { offset } = incoming.coordinates;
    const resumed = this.#position.walk?.offset === offset ? this.#position.walk : undefined;
    const indexes = processor.affected(incoming);
    for (const [index, name] of indexes.entries()) {
      if (index < (resumed?.index ?? 0)) continue;
      let { after, rank } = resumed?.index === index ? resumed : { after: undefined, rank: 0 };
      for (let keys = await view.indexed(name, after); keys.length > 0; keys = await view.indexed(name, after)) {
        await view.load(keys);
        for (const key of keys) {
          if (!this.#hasRoom()) return false;
          const state = view.get(key);
          if (state !== null && processor.indexes(state).includes(name)) {
            const around = this.#around(globals.folded());
            const effects = faultAt(incoming.coordinates, () =>
              processor.react(state, around, { coordinates: incoming.coordinates, rank }),
            );
            this.#stage(key, state, effects);
            if (effects.outputs.length > 0) rank += 1;
          }
          after = key;
          this.#position = { ...this.#position, walk: { offset, index, after, rank } };
        }
      }
    }
    return true;
  }

  /** `true`: nothing waits any more. */
  async #takeInputs(): Promise<boolean> {
    for (let batch = await this.#batch(); batch.length > 0; batch = await this.#batch()) {
      let taken = 0;
      try {
        for (const incoming of batch) {
          if (!this.#hasRoom()) return false;
          // R17: the same record read twice is one record.
          if (incoming.coordinates.offset >= this.#position.source) {
            if (!(await this.#passTime(incoming.time))) return false;
            this.#process(incoming);
          }
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
      const records = queue.peek(BATCH);
      const values = records.map(({ value }) => value).filter((value) => value !== null);
      await serdes.prepare(topology.source, values);
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
      topology.processor.process(incoming, state, this.#around(globals.global)),
    );
    this.#stage(key, state, effects);
    this.#position = { ...this.#position, source: incoming.coordinates.offset + 1n };
    this.#inputs += 1;
    this.#dirty = true;
  }

  /** Moves stream time on and fires what is due. `false`: the transaction is full and something due is left. */
  async #passTime(time: number): Promise<boolean> {
    const { view } = this.#parts;
    const now = Math.max(this.#position.now, time);
    while (view.earliestDue <= now) {
      const timers = await view.timersBy(now);
      await view.load(timers.map(({ key }) => key));
      for (const { due, key } of timers) {
        if (!this.#hasRoom()) return false;
        view.timerDone();
        this.#fire(key, due, now);
      }
    }
    if (now !== this.#position.now) this.#position = { ...this.#position, now };
    return true;
  }

  #fire(key: string, due: number, now: number): void {
    const { globals, topology, view } = this.#parts;
    const state = view.get(key);
    // A state that has changed its mind leaves its old timer behind.
    if (state === null || view.dueOf(key, state) !== due) return;
    this.#position = { ...this.#position, now };
    const effects = topology.processor.fire(state, this.#around(globals.global));
    const next = effects.state === null ? undefined : view.dueOf(key, effects.state);
    if (next !== undefined && next <= now)
      throw new ProcessorFaultError(`state ${JSON.stringify(key)} fired at ${now} and is due again at ${next}`);
    this.#stage(key, state, effects);
  }

  #around(global: Global): Surroundings<Shared, Global> {
    const { partition, partitions } = this.#parts;
    const { now, shared } = this.#position;
    return { now, partition, partitions, shared, global };
  }

  /** Synchronous: between two awaits a step is staged whole or not at all. */
  #stage(key: string | null, before: State | null, { state, shared, outputs }: Effects<State, Shared>): void {
    const writes = key !== null && state !== before;
    if (writes) this.#parts.view.put(key, state);
    if (writes || outputs.length > 0 || shared !== this.#position.shared) this.#dirty = true;
    const digest = this.#outputs.add(outputs, this.#position.digest);
    this.#position = { ...this.#position, shared, digest };
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
