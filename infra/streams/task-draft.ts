import type { Effects, Surroundings, Topology } from '../../topology/kit/topology.js';
import type { NewRecord } from './ports.js';
import type { Serdes } from './serdes.js';
import { StagedOutputs } from './staged-outputs.js';
import type { StateView } from './state-view.js';
import type { TaskPosition, Walk } from './task-position.js';

/** How much one transaction may hold of one partition. */
export type TransactionBounds = { readonly inputs: number; readonly outputBytes: number };

/**
 * What one partition adds to the running transaction: states, outputs, and the position after them. Synchronous: between
 * two `await`s of the task a step is in here whole or not at all.
 */
export class TaskDraft<Input, GlobalInput, State, Shared, Global> {
  readonly #view: StateView<State>;
  readonly #bounds: TransactionBounds;
  readonly #outputs: StagedOutputs;
  readonly #place: { readonly partition: number; readonly partitions: number };
  readonly #incarnation: string;
  /** The position in parts: a record moves each of them. */
  #source: bigint;
  #now: number;
  #shared: Shared;
  #digest: string;
  #inputs = 0;
  #dirty = false;
  /** How far the walk has come that is under way. */
  walk: Walk | undefined;

  constructor(
    topology: Topology<Input, GlobalInput, State, Shared, Global>,
    place: { readonly partition: number; readonly partitions: number },
    serdes: Serdes,
    view: StateView<State>,
    bounds: TransactionBounds,
    { digest, incarnation, now, shared, source, walk }: TaskPosition<Shared>,
  ) {
    this.#view = view;
    this.#bounds = bounds;
    this.#place = place;
    this.#outputs = new StagedOutputs(topology, place.partition, serdes);
    this.#incarnation = incarnation;
    this.#source = source;
    this.#now = now;
    this.#shared = shared;
    this.#digest = digest;
    this.walk = walk;
  }

  /** Stream time: never goes back (R16). */
  get now(): number {
    return this.#now;
  }

  set now(time: number) {
    this.#now = Math.max(this.#now, time);
  }

  /** There is something to commit. */
  get dirty(): boolean {
    return this.#dirty;
  }

  get records(): readonly NewRecord[] {
    return this.#outputs.records;
  }

  /** The transaction may take another step. */
  get hasRoom(): boolean {
    const { inputs, outputBytes } = this.#bounds;
    return this.#inputs < inputs && this.#outputs.bytes < outputBytes && this.#view.changedBytes < outputBytes;
  }

  position(global: bigint): TaskPosition<Shared> {
    return {
      source: this.#source,
      global,
      ...(this.walk === undefined ? {} : { walk: this.walk }),
      now: this.#now,
      shared: this.#shared,
      digest: this.#digest,
      incarnation: this.#incarnation,
    };
  }

  around(global: Global): Surroundings<Shared, Global> {
    return { now: this.#now, ...this.#place, shared: this.#shared, global };
  }

  /** @throws ProcessorFaultError an output that cannot be written */
  stage(key: string | null, before: State | null, { state, shared, outputs }: Effects<State, Shared>): void {
    const writes = key !== null && state !== before;
    if (writes) this.#view.put(key, state);
    if (writes || outputs.length > 0 || shared !== this.#shared) this.#dirty = true;
    this.#digest = this.#outputs.add(outputs, this.#digest);
    this.#shared = shared;
  }

  /** The source record at `offset` is decided. */
  consumed(offset: bigint): void {
    this.#source = offset + 1n;
    this.#inputs += 1;
    this.#dirty = true;
  }

  /** What was drafted is committed and in the store; the position stays. */
  committed(): void {
    this.#outputs.clear();
    this.#inputs = 0;
    this.#dirty = false;
  }
}
