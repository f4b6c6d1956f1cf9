/** One seed for all generated tests of a run: `HOLDFAST_SEED` repeats a run that failed. */
import type { Parameters } from 'fast-check';

export const SEED = Number(process.env['HOLDFAST_SEED'] ?? Date.now() % 2 ** 31);

/** Parameters for `fc.assert`: a failure names the seed and the smallest example. */
export const seeded = <T>(parameters: Parameters<T> = {}): Parameters<T> => ({ seed: SEED, ...parameters });
