import type { Clock } from '../streams/clock.js';

/** Time stands until a test moves it. Pauses between attempts take no time at all. */
export class ManualClock implements Clock {
  #time: number;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  constructor(time = 0) {
    this.#time = time;
  }

  now = (): number => this.#time;

  /** Time never goes back. */
  advanceTo(time: number): void {
    this.#time = Math.max(this.#time, time);
    const due = this.#sleepers.filter(({ until }) => until <= this.#time);
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#time);
    for (const { wake } of due) wake();
  }

  sleepUntil = (time: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (time <= this.#time || signal.aborted) {
        resolve();
        return;
      }
      const sleeper = { until: time, wake: resolve };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      });
    });

  backOff = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
}
