import type { Random } from './random.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Lets the calls of a cluster through one at a time, in an order that only the seed decides: every interleaving of calls
 * that a network could make is a seed away, and can be had again.
 */
export class Turnstile {
  readonly #random: Random;
  readonly #waiting: (() => void)[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** To be awaited by every call before it takes effect. */
  turn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
    });

  /** Lets one through and waits until all that follows from it waits again. */
  async letOneThrough(): Promise<void> {
    const [next] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1);
    next?.();
    await nextTurn();
  }

  /** Lets one through after the other until `work` is done. @throws what `work` throws; Error it never is */
  async runUntil<Result>(work: Promise<Result>, most: number): Promise<Result> {
    const progress = { done: false };
    const watched = work.finally(() => {
      progress.done = true;
    });
    watched.catch(() => undefined);
    for (let turn = 0; !progress.done; turn += 1) {
      if (turn > most) throw new Error(`not done after ${most} turns`);
      await this.letOneThrough();
    }
    return watched;
  }
}
