import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../../infra/errors.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { Logger } from '../../infra/telemetry/logger.js';

const PAUSE_MS = 1_000;
/** What lasts is told again after so long, ms. */
const TOLD_AGAIN_MS = 10_000;

export type Patience = {
  readonly logger: Logger;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
  /** How long at most, ms; absent: as long as it takes. */
  readonly atMostMs?: number;
  /** Which errors are waited out; absent: every one that is retryable. */
  readonly isAwaited?: (error: unknown) => boolean;
};

/**
 * Serdes for parts that have no waiting of their own, as a task of the ledger has: while the registry gives no answer,
 * reading waits for it, and goes on by itself.
 */
export const patientSerdes = (serdes: Serdes, patience: Patience): Serdes => ({
  ...serdes,
  prepare: (topic, values) => patiently(() => serdes.prepare(topic, values), patience),
});

/** Tries until it succeeds, fails for good, or the patience is at an end; rejects then with what it failed for last. */
export const patiently = async <Result>(
  attempt: () => Promise<Result>,
  { logger, signal, atMostMs = Infinity, isAwaited = () => true }: Patience,
): Promise<Result> => {
  const since = performance.now();
  let toldAt = -Infinity;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const now = performance.now();
      if (!(error instanceof HoldfastError && error.retryable && isAwaited(error))) throw error;
      if (signal.aborted || now - since >= atMostMs) throw error;
      if (now - toldAt >= TOLD_AGAIN_MS) {
        logger.warn({ code: error.code, error: error.message }, 'the schema registry gives no answer yet');
        toldAt = now;
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
};
