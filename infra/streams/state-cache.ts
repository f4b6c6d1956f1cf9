/** A state as it is known without asking the store; `null`: the key has none. `size`: bytes when last encoded. */
export type CachedState<State> = { readonly state: State | null; readonly size: number };

/**
 * Bounded cache of decoded states in two generations: what is used moves to the young one, and the old one is dropped
 * when the young one is full. Nearly an LRU, without its bookkeeping on every read.
 */
export class StateCache<State> {
  readonly #generation: number;
  #young = new Map<string, CachedState<State>>();
  #old = new Map<string, CachedState<State>>();

  /** Holds at most `keys` states. */
  constructor(keys: number) {
    this.#generation = Math.max(1, keys >> 1);
  }

  get(key: string): CachedState<State> | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: CachedState<State>): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#generation) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
