/** A seeded source of chance: the same seed gives the same run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below `bound`, whole (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * bound);
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  /** @throws RangeError nothing to choose from */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to choose from');
    return item;
  }
}
