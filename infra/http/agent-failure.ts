import { EgressRefusedError } from './egress.js';

export class TimeoutError extends Error {}
export class AbortedError extends Error {}
export class TooLargeError extends Error {}

/** The word under which a failure is observed. */
export const wordFor = (error: unknown): string => {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof TooLargeError) return 'too-large';
  if (error instanceof EgressRefusedError) return 'egress-refused';
  // Told by its code alone: an error of another realm is no `Error` of this one.
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === 'ABORT_ERR' || error instanceof AbortedError) return 'aborted';
  return code === 'ECONNREFUSED' ? 'refused' : 'reset';
};

/** After more, a timer of Node fires at once. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** Waits for something for so long, ms, however busy the other side looks meanwhile. */
export class Patience {
  readonly #ms: number;
  readonly #over: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, over: () => void) {
    this.#ms = Math.min(ms, MOST_TIMER_MS);
    this.#over = over;
    this.renew();
  }

  renew(): void {
    this.end();
    this.#timer = setTimeout(this.#over, this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
