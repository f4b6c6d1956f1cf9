import { compareUtf8 } from '../../topology/kit/record-key.js';
import { ProcessorFaultError } from './errors.js';
import type { StateStore } from './ports.js';
import { StateCache, type CachedState } from './state-cache.js';
import type { StateCodec } from './state-codec.js';
import {
  derivedChanges,
  dueOf,
  indexRange,
  keyOfIndexEntry,
  timerKey,
  TIMERS_TO,
  type Derivation,
} from './store-layout.js';
import { TimerWindow } from './timer-window.js';

type StoredStates<State> = Pick<StateCodec<State, unknown>, 'prepare' | 'encode' | 'decodeStored'>;
type Entry = readonly [key: string, value: Uint8Array | undefined];
/** A key that the running transaction has written: its state before the transaction, and now. */
type Change<State> = { readonly before: State | null; readonly state: State | null };

/** What a transaction does to one partition's state. */
export type SealedState = {
  /** For the changelog: each changed key once; `undefined` deletes. */
  readonly changelog: readonly Entry[];
  /** For the store: the same, and the index entries derived from it. */
  readonly store: readonly Entry[];
};

/** Assumed size of a state that was never encoded. */
const NEW_STATE_BYTES = 512;
const INDEX_PAGE = 512;

/**
 * One partition's states as the running transaction sees them: its own uncommitted writes over a bounded cache of
 * decoded states over the store. The store is only read here; it is written after the commit (P6).
 */
export class StateView<State> {
  readonly #store: StateStore;
  readonly #codec: StoredStates<State>;
  readonly #derivation: Derivation<State>;
  readonly #cache: StateCache<State>;
  /** What the running batch works on. Pinned: the cache may let go of a key that was loaded for this very batch. */
  readonly #loaded = new Map<string, CachedState<State>>();
  readonly #changes = new Map<string, Change<State>>();
  readonly #timers: TimerWindow;
  #changedBytes = 0;

  constructor(
    store: StateStore,
    codec: StoredStates<State>,
    derivation: Derivation<State>,
    bounds: { readonly cachedKeys: number; readonly timers: number },
  ) {
    this.#store = store;
    this.#codec = codec;
    this.#derivation = derivation;
    this.#cache = new StateCache(bounds.cachedKeys);
    this.#timers = new TimerWindow(bounds.timers);
  }

  /** Estimated bytes that the running transaction will write to the changelog. */
  get changedBytes(): number {
    return this.#changedBytes;
  }

  /** Makes `get` and `put` ready for these keys, with one read of the store. */
  async load(keys: readonly string[]): Promise<void> {
    const missing: string[] = [];
    for (const key of new Set(keys)) {
      if (this.#changes.has(key) || this.#loaded.has(key)) continue;
      const cached = this.#cache.get(key);
      if (cached === undefined) missing.push(key);
      else this.#loaded.set(key, cached);
    }
    if (missing.length === 0) return;
    const values = await this.#store.getMany(missing);
    await this.#codec.prepare(values.filter((value) => value !== undefined));
    missing.forEach((key, index) => {
      const bytes = values[index];
      this.#loaded.set(
        key,
        bytes === undefined
          ? { state: null, size: NEW_STATE_BYTES }
          : { state: this.#codec.decodeStored(key, bytes), size: bytes.length },
      );
    });
  }

  /** What was loaded and not changed is needed no more in this batch. */
  unpin(): void {
    for (const [key, held] of this.#loaded) if (!this.#changes.has(key)) this.#cache.set(key, held);
    this.#loaded.clear();
  }

  /** The state under a key that was loaded. */
  get(key: string): State | null {
    const change = this.#changes.get(key);
    return change === undefined ? this.#held(key).state : change.state;
  }

  put(key: string, state: State | null): void {
    const change = this.#changes.get(key);
    if (change === undefined) this.#changedBytes += this.#held(key).size;
    this.#changes.set(key, { before: change === undefined ? this.#held(key).state : change.before, state });
    const due = state === null ? undefined : dueOf(this.#derivation, key, state);
    if (due !== undefined) this.#timers.add(timerKey(due, key));
  }

  /** No state is due before this time. */
  get earliestDue(): number {
    return this.#timers.earliest;
  }

  /** Keys that may be due by `now`, in order of due time, then of key; look at each, then say `timerDone`. */
  async timersBy(now: number): Promise<readonly { readonly due: number; readonly key: string }[]> {
    await this.#timers.fill(
      now,
      (from, limit) => this.#store.range({ from, to: TIMERS_TO, limit }),
      () => this.#changedTimers(),
    );
    return this.#timers.by(now);
  }

  /** Due time of a state, as the timers hold it. @throws ProcessorFaultError */
  dueOf(key: string, state: State): number | undefined {
    return dueOf(this.#derivation, key, state);
  }

  /** The first of `timersBy` was looked at. */
  timerDone(): void {
    this.#timers.shift();
  }

  /** Keys that may be in the index, after `after`, in order of key; empty: no more. The state itself has the last word. */
  async indexed(index: string, after: string | undefined): Promise<readonly string[]> {
    const { from, to } = indexRange(index, after);
    const stored = await this.#store.range({ from, to, limit: INDEX_PAGE });
    const keys = new Set(stored.map(([entry]) => keyOfIndexEntry(index, entry)));
    const last = stored.length < INDEX_PAGE ? undefined : [...keys].at(-1);
    for (const [key, { state }] of this.#changes) {
      if (state === null || !this.#derivation.indexes(state).includes(index)) continue;
      if (after !== undefined && compareUtf8(key, after) <= 0) continue;
      if (last === undefined || compareUtf8(key, last) <= 0) keys.add(key);
    }
    return [...keys].sort(compareUtf8);
  }

  /** What the running transaction changes; it stays visible here until `settle`. */
  seal(): SealedState {
    const changelog: Entry[] = [];
    const derived: Entry[] = [];
    for (const [key, { before, state }] of this.#changes) {
      // Created and deleted within one transaction: there is nothing to delete.
      if (before === null && state === null) continue;
      changelog.push([key, state === null ? undefined : this.#codec.encode(state)]);
      derived.push(...derivedChanges(this.#derivation, key, before, state));
    }
    return { changelog, store: [...changelog, ...derived] };
  }

  /** The sealed changes are in the store now. */
  settle(sealed: SealedState): void {
    for (const [key, held] of this.#loaded) this.#cache.set(key, held);
    for (const [key, bytes] of sealed.changelog)
      this.#cache.set(key, { state: this.get(key), size: bytes?.length ?? NEW_STATE_BYTES });
    this.#loaded.clear();
    this.#changes.clear();
    this.#changedBytes = 0;
  }

  #held(key: string): CachedState<State> {
    const held = this.#loaded.get(key);
    if (held === undefined) throw new ProcessorFaultError(`state ${JSON.stringify(key)} was used before it was loaded`);
    return held;
  }

  *#changedTimers(): Iterable<string> {
    for (const [key, { state }] of this.#changes) {
      const due = state === null ? undefined : dueOf(this.#derivation, key, state);
      if (due !== undefined) yield timerKey(due, key);
    }
  }
}
