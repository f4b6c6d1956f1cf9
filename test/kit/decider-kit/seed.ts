import type { Parameters } from 'fast-check';
import { PROPERTY_SEED } from '../property-seed.js';

export const SEED = PROPERTY_SEED;

/** Parameters for `fc.assert`: a failure names the seed and the smallest example. */
export const seeded = <T>(parameters: Parameters<T> = {}): Parameters<T> => ({ seed: SEED, ...parameters });

/** Ends the search for a smaller example some time after the first failure: long histories have very many smaller ones. */
export const shrinkingFor = <T>(ms: number, property: (value: T) => void): ((value: T) => void) => {
  let failedAt: number | undefined;
  return (value) => {
    if (failedAt !== undefined && Date.now() - failedAt > ms) return;
    try {
      property(value);
    } catch (error) {
      failedAt ??= Date.now();
      throw error;
    }
  };
};
