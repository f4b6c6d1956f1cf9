import { beforeAll, describe, expect, test } from '@jest/globals';
import { added, bonus, outcomeOf, type CounterDriver, type Outcome } from '../kit/counter-scenario.js';
import { ADDITIONS, COUNTS, counterTopology } from '../kit/counter-topology.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';

const KEYS = Array.from({ length: 40 }, (_, index) => `key-${index}`);

/** A backlog, a bonus for all, and timers for all at once; `disturb` is called before the last two. */
const run = async (driver: CounterDriver, disturb?: () => void): Promise<Outcome> => {
  for (const key of KEYS) driver.append(ADDITIONS, key, added(1, { team: 'red', wakeAfter: 100 }));
  for (const key of KEYS) driver.append(ADDITIONS, key, added(2));
  await driver.settle();
  disturb?.();
  await driver.pipeGlobal(bonus('red'), 10);
  await driver.pipe(ADDITIONS, 'last', added(1), { time: 200 });
  return outcomeOf(driver);
};

/** Room for two or three records in a transaction. */
const NARROW = { transaction: { inputs: 3, outputBytes: 400 } };
/** Too small for the keys at hand, so that states are read from the store again. */
const FORGETFUL = { cachedKeys: 4, timers: 3, queue: { records: 5, bytes: 1_000 } };

describe('a transaction', () => {
  let roomy: Outcome;

  beforeAll(async () => {
    roomy = await run(new TopologyTestDriver(counterTopology));
  });

  test('should take everything that waits when there is room', async () => {
    const commits: number[] = [];
    const driver = new TopologyTestDriver(counterTopology, {
      observer: { onStep: (step, group) => (step === 'P7' ? commits.push(group) : undefined) },
    });
    for (const key of KEYS) driver.append(ADDITIONS, key, added(1));
    for (const key of KEYS) driver.append(ADDITIONS, key, added(2));
    await driver.settle();

    // All in one, or what was fetched first and the rest.
    expect(commits.length).toBeLessThanOrEqual(2);
    // Each key once and transaction, and the position.
    expect(driver.log.partition({ topic: 'counters', partition: 0 }).committed().length).toBeLessThanOrEqual(82);
    expect(driver.read(COUNTS).length).toBe(80);
  });

  test('should be divided without a difference, walks and due timers too', async () => {
    const driver = new TopologyTestDriver(counterTopology, { limits: NARROW });

    expect(await run(driver)).toStrictEqual(roomy);
  });

  test('should decide the same with little memory', async () => {
    const driver = new TopologyTestDriver(counterTopology, { limits: FORGETFUL, client: { fetchSize: 3 } });

    expect(await run(driver)).toStrictEqual(roomy);
  });

  test.each([
    ['P4', 2],
    ['P5', 5],
    ['P6', 11],
    ['P7', 20],
    ['P2', 25],
  ] as const)(
    'should go on with a divided walk when it is killed after %s of its transaction %s',
    async (step, nth) => {
      const driver = new TopologyTestDriver(counterTopology, { limits: { ...NARROW, ...FORGETFUL } });

      const outcome = await run(driver, () => {
        driver.crashAt({ step, nth }, { store: 'wiped' });
      });

      expect(driver.cluster.crashes).toBe(1);
      expect(outcome).toStrictEqual(roomy);
    },
  );

  test('should fire timers that were set in the same transaction, however few are kept in memory', async () => {
    const due = async (timers: number): Promise<Outcome> => {
      const driver = new TopologyTestDriver(counterTopology, { limits: { timers } });
      KEYS.slice(0, 9).forEach((key, index) => {
        driver.append(ADDITIONS, key, added(1, { wakeAfter: 90 - 10 * index }), { time: 0 });
      });
      driver.append(ADDITIONS, 'last', added(1), { time: 100 });
      return outcomeOf(driver);
    };

    const { counts } = await due(1);

    expect(counts.slice(9).map(([, value]) => value?.cause)).toStrictEqual([
      ...[10, 20, 30, 40, 50, 60, 70, 80, 90].map((time) => `timer ${time}`),
      'additions/0/9',
    ]);
    expect(counts).toStrictEqual((await due(1_000)).counts);
  });
});
