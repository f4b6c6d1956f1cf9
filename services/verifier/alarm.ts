/** A sleep that can be ended early. Holds no process alive. */
export class Alarm {
  #ring: (() => void) | undefined;
  #stopped = false;

  /** Resolves at `time` (ms since the epoch; absent: never by itself), when it rings, or when it was stopped. */
  until(time: number | undefined): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = time === undefined ? undefined : this.#timer(time);
      timer?.unref();
      this.#ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  ring(): void {
    this.#ring?.();
    this.#ring = undefined;
  }

  #timer(time: number): NodeJS.Timeout {
    const ring = (): void => {
      this.ring();
    };
    return setTimeout(ring, Math.min(Math.max(0, time - Date.now()), MOST_MS));
  }

  stop(): void {
    this.#stopped = true;
    this.ring();
  }
}

/** Longer timers fire at once; whoever wakes too early looks again. */
const MOST_MS = 2 ** 31 - 1;
