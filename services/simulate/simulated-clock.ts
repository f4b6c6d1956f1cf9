import { systemClock, type Clock } from '../../infra/streams/clock.js';

/** The clock of a story: it stands until the story moves it. Pauses between attempts are real. */
export class SimulatedClock implements Clock {
  readonly backOff = systemClock.backOff;
  #time = 0;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  now = (): number => this.#time;

  /** Never goes back. */
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
      const dropped = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      signal.addEventListener('abort', dropped, { once: true });
    });
}
