import { beforeAll, describe, expect, test } from '@jest/globals';
import { FencedError, RepeatedlyFencedError } from '../../infra/streams/errors.js';
import type { Step } from '../../infra/streams/stream-context.js';
import { added, outcomeOf, runScenario, type CounterDriver, type Outcome } from '../kit/counter-scenario.js';
import { ADDITIONS, COUNTS, counterTopology } from '../kit/counter-topology.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';

const ASSIGNMENT: readonly Step[] = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7'];
const PROCESSING: readonly Step[] = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7'];
const STORES = ['kept', 'wiped'] as const;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a task group', () => {
  let undisturbed: Outcome;

  beforeAll(async () => {
    undisturbed = await runScenario(new TopologyTestDriver(counterTopology));
  });

  test.each(PROCESSING.flatMap((step) => STORES.map((store) => [step, store] as const)))(
    'should decide everything exactly once when it is killed after %s, the store %s',
    async (step, store) => {
      const driver = new TopologyTestDriver(counterTopology);

      const outcome = await runScenario(driver, () => {
        driver.crashAt({ step }, { store });
      });

      expect(driver.cluster.crashes).toBe(1);
      expect(outcome).toStrictEqual(undisturbed);
    },
  );

  test.each(ASSIGNMENT.flatMap((step) => STORES.map((store) => [step, store] as const)))(
    'should decide everything exactly once when it is killed after %s of a new assignment, the store %s',
    async (step, store) => {
      const driver = new TopologyTestDriver(counterTopology);

      const outcome = await runScenario(driver, () => {
        driver.abortNextCommit();
        driver.crashAt({ step }, { store });
      });

      expect(driver.cluster.crashes).toBe(1);
      expect(outcome).toStrictEqual(undisturbed);
    },
  );

  const FAULTS: readonly (readonly [string, (driver: CounterDriver) => void])[] = [
    [
      'the broker aborts a transaction',
      (driver) => {
        driver.abortNextCommit();
      },
    ],
    [
      'another member takes the lock in a transaction',
      (driver) => {
        driver.fenceNextCommit();
      },
    ],
    [
      'a commit takes effect but its answer is lost',
      (driver) => {
        driver.loseNextCommitAnswer(true);
      },
    ],
    [
      'the request to commit is lost',
      (driver) => {
        driver.loseNextCommitAnswer(false);
      },
    ],
    [
      'several transactions in a row fail',
      (driver) => {
        driver.abortNextCommit();
        driver.loseNextCommitAnswer(false);
        driver.fenceNextCommit();
        driver.loseNextCommitAnswer(true);
        driver.abortNextCommit();
      },
    ],
  ];

  test.each(FAULTS)('should decide everything exactly once when %s', async (_, fault) => {
    const driver = new TopologyTestDriver(counterTopology);

    expect(await runScenario(driver, fault)).toStrictEqual(undisturbed);
    expect(driver.log.faults).toStrictEqual([]);
  });

  test('should leave nothing of an aborted transaction to be read', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    driver.abortNextCommit();
    await driver.pipe(ADDITIONS, 'a', added(1));

    // One record and one marker of the aborted transaction lie before it.
    expect(driver.read(COUNTS).map(({ coordinates, value }) => [coordinates.offset, value?.total])).toStrictEqual([
      [2n, 1],
    ]);
  });

  test('should take the lock back once when the coordinator confirms the membership, and give up at the second time', async () => {
    const failures: unknown[] = [];
    const driver = new TopologyTestDriver(counterTopology, {
      observer: { onFailure: (_, error) => failures.push(error) },
    });
    await driver.pipe(ADDITIONS, 'a', added(1));

    // Somebody outside of the consumer group takes the lock: no rebalance follows.
    driver.log.fence('counter.g0');
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.log.fence('counter.g0');

    await expect(driver.pipe(ADDITIONS, 'a', added(1))).rejects.toThrow(RepeatedlyFencedError);
    expect(failures.map((error) => error instanceof FencedError)).toStrictEqual([true, true]);
    expect(driver.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1, 2]);
  });

  test('should leave the lock to its new owner when nobody says that it is a member', async () => {
    const failures: unknown[] = [];
    const driver = new TopologyTestDriver(counterTopology, {
      client: { confirms: false },
      observer: { onFailure: (_, error) => failures.push(error) },
    });
    await driver.pipe(ADDITIONS, 'a', added(1));

    driver.log.fence('counter.g0');
    driver.append(ADDITIONS, 'a', added(1));
    const settled = driver.settle();
    while (failures.length === 0) await nextTurn();
    driver.cluster.moveClock(60_000);

    await expect(settled).rejects.toThrow(RepeatedlyFencedError);
    expect(failures.map((error) => error instanceof FencedError)).toStrictEqual([true]);
    expect(driver.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1]);
  });

  test('should come back after a pause in which another member worked', async () => {
    const driver = new TopologyTestDriver(counterTopology, { partitions: 2, groups: 2 });
    await driver.pipe(ADDITIONS, 'a', added(1));
    const [sleeper] = driver.cluster.instances;
    if (sleeper === undefined) throw new Error('nobody runs');
    const other = driver.cluster.add();
    await driver.settle();

    driver.cluster.pause(sleeper);
    await driver.pipe(ADDITIONS, 'a', added(2));
    await driver.pipe(ADDITIONS, 'c', added(2));
    await driver.cluster.resume(sleeper);
    await driver.pipe(ADDITIONS, 'a', added(4));
    await driver.pipe(ADDITIONS, 'c', added(4));
    await driver.cluster.remove(other);
    await driver.pipe(ADDITIONS, 'a', added(8));

    expect(await driver.store()).toStrictEqual(
      new Map([
        ['a', { name: 'a', total: 15 }],
        ['c', { name: 'c', total: 6 }],
      ]),
    );
    expect((await outcomeOf(driver)).inconsistencies).toStrictEqual([]);
    expect(driver.read(COUNTS).length).toBe(6);
  });
});
