/** The machine's clock, for the time while nothing is read: deciding itself knows stream time only (R16). */
export type Clock = {
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
  /** Resolves when `now()` may have reached `time`, or at once when `signal` aborts. */
  readonly sleepUntil: (time: number, signal: AbortSignal) => Promise<void>;
  /** Resolves after `ms` on a monotonic clock, or at once when `signal` aborts. For pauses between attempts. */
  readonly backOff: (ms: number, signal: AbortSignal) => Promise<void>;
};

const MAX_TIMEOUT = 0x7fffffff;

const after = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timeout);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timeout = setTimeout(done, Math.min(Math.max(0, ms), MAX_TIMEOUT));
    signal.addEventListener('abort', done, { once: true });
  });

export const systemClock: Clock = {
  now: () => Date.now(),
  sleepUntil: (time, signal) => after(time - Date.now(), signal),
  backOff: after,
};
