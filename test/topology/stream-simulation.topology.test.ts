import { describe, expect, test } from '@jest/globals';
import { simulate } from '../kit/counter-simulation.js';
import type { Sabotage } from '../../infra/memory/sabotage.js';

const FIRST = Number(process.env.SIMULATION_SEED ?? 1);
const RUNS = Number(process.env.SIMULATION_RUNS ?? 30);
const SEEDS = Array.from({ length: RUNS }, (_, run) => FIRST + run);

/** As many runs as are needed to find a fault. The runtime itself may notice that something cannot be. */
const firstFault = async (sabotage: Sabotage): Promise<unknown> => {
  for (const seed of SEEDS) {
    const { faults } = await simulate(seed, { sabotage }).catch((error: unknown) => ({ faults: [error] }));
    if (faults.length > 0) return faults[0];
  }
  return undefined;
};

describe('a simulated application', () => {
  test('should decide each input exactly once, whatever happens', async () => {
    const disturbances = new Set<string>();
    let inputs = 0;
    for (const seed of SEEDS) {
      const report = await simulate(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed} (SIMULATION_SEED=${seed} SIMULATION_RUNS=1 repeats it)`, { cause: error });
      });
      // With its seed, so that a failure can be had again.
      expect({ seed, faults: report.faults }).toStrictEqual({ seed, faults: [] });
      inputs += report.inputs;
      for (const what of Object.keys(report.disturbances)) disturbances.add(what);
    }

    // A run in which nothing happened shows nothing.
    expect(inputs).toBeGreaterThan(10 * RUNS);
    if (RUNS >= 30) expect(disturbances.size).toBeGreaterThanOrEqual(20);
  }, 120_000);

  test.each(['store-before-commit', 'position-not-on-changelog'] as const)(
    'should be found out when it commits the wrong way: %s',
    async (sabotage) => {
      expect(await firstFault(sabotage)).toBeDefined();
    },
    120_000,
  );
});
