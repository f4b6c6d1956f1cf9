import { compareUtf8 } from '../../topology/kit/record-key.js';
import { dueOfTimer, keyOfTimer, TIMERS_FROM } from './store-layout.js';

/** Smallest text that sorts after this one. */
const successor = (text: string): string => `${text}\u0000`;

/**
 * The next timers in memory, so that asking "is anything due?" costs a comparison and not a read of the store. Entries
 * are never removed when a state changes its mind: whoever takes one compares it with the state's own due time.
 */
export class TimerWindow {
  readonly #size: number;
  /** Sorted; every live timer before the horizon is among them. */
  #timers: string[] = [];
  /** `undefined`: the window holds all there are. */
  #horizon: string | undefined = TIMERS_FROM;

  /** Holds about `size` timers. */
  constructor(size: number) {
    this.#size = size;
  }

  /** A lower bound of the due times, ms. */
  get earliest(): number {
    const [first] = this.#timers;
    if (first !== undefined) return dueOfTimer(first);
    if (this.#horizon === undefined) return Number.POSITIVE_INFINITY;
    return this.#horizon === TIMERS_FROM ? 0 : dueOfTimer(this.#horizon);
  }

  add(timer: string): void {
    if (this.#horizon !== undefined && compareUtf8(timer, this.#horizon) >= 0) return;
    const at = this.#placeOf(timer);
    if (this.#timers[at] === timer) return;
    this.#timers.splice(at, 0, timer);
    if (this.#timers.length <= 2 * this.#size) return;
    this.#horizon = this.#timers[this.#size];
    this.#timers.length = this.#size;
  }

  /** Reads on from the store while the window is empty and something beyond it may be due. */
  async fill(
    now: number,
    read: (from: string, limit: number) => Promise<readonly (readonly [key: string, value: Uint8Array])[]>,
    uncommitted: () => Iterable<string>,
  ): Promise<void> {
    while (this.#timers.length === 0 && this.#horizon !== undefined && this.earliest <= now) {
      const from = this.#horizon;
      const stored = await read(from, this.#size);
      const last = stored.at(-1);
      const to = stored.length < this.#size || last === undefined ? undefined : successor(last[0]);
      const changed = [...uncommitted()].filter(
        (timer) => compareUtf8(timer, from) >= 0 && (to === undefined || compareUtf8(timer, to) < 0),
      );
      this.#horizon = to;
      this.#timers = [...new Set([...stored.map(([timer]) => timer), ...changed])].sort(compareUtf8);
    }
  }

  /** Those due by `now`. */
  by(now: number): readonly { readonly due: number; readonly key: string }[] {
    const until = this.#timers.findIndex((timer) => dueOfTimer(timer) > now);
    const due = until === -1 ? this.#timers : this.#timers.slice(0, until);
    return due.map((timer) => ({ due: dueOfTimer(timer), key: keyOfTimer(timer) }));
  }

  /** Drops the first. */
  shift(): void {
    this.#timers.shift();
  }

  #placeOf(timer: string): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareUtf8(this.#timers[middle] ?? '', timer) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
