import { setTimeout as delay } from 'node:timers/promises';
import { translate } from './kafka-errors.js';

/** How long a broker may be away or a partition without leader before what needs it is given up. */
export const PATIENCE_MS = 30_000;

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 1_000;

/**
 * Repeats what changes nothing on the broker until it succeeds. What will be refused again ends it at once,
 * everything else when `patience` has run out, on a clock that cannot be set back.
 */
export async function repeated<Result>(
  attempt: () => Promise<Result>,
  options: { readonly between: () => Promise<unknown>; readonly patience?: number },
): Promise<Result> {
  const deadline = performance.now() + (options.patience ?? PATIENCE_MS);
  for (let wait = FIRST_WAIT_MS; ; wait = nextWait(wait)) {
    try {
      return await attempt();
    } catch (error) {
      if (!translate('asking again', error).retryable || performance.now() >= deadline) throw error;
    }
    await delay(wait);
    await options.between().catch(() => undefined);
  }
}

export const nextWait = (wait: number): number => Math.min(wait * 2, LONGEST_WAIT_MS);
