import { describe, expect, test } from '@jest/globals';
import { OffsetLostError, StateLostError, TaskCorruptedError } from '../../infra/streams/errors.js';
import type { WipeReason } from '../../infra/streams/changelog-restorer.js';
import { added, bonus, outcomeOf, runScenario, type CounterDriver } from '../kit/counter-scenario.js';
import { ADDITIONS, BONUSES, COUNTERS, COUNTS, counterTopology } from '../kit/counter-topology.js';
import { TopologyTestDriver, type DriverOptions } from '../../infra/memory/topology-test-driver.js';

const CHANGELOG = { topic: 'counters', partition: 0 };

/** A driver that notes why stores were wiped. */
const watched = (
  options: DriverOptions = {},
): { readonly driver: CounterDriver; readonly wiped: (WipeReason | undefined)[] } => {
  const wiped: (WipeReason | undefined)[] = [];
  const driver = new TopologyTestDriver(counterTopology, {
    ...options,
    observer: {
      onRestored: (_, restored) => {
        wiped.push(restored.wiped);
      },
    },
  });
  return { driver, wiped };
};

describe('restoring a task', () => {
  test.each(['kept', 'wiped'] as const)(
    'should give the state, the position and the timers of before, the store %s',
    async (store) => {
      const undisturbed = await runScenario(new TopologyTestDriver(counterTopology));
      const { driver, wiped } = watched();
      const before = await runScenario(driver);
      const position = driver.position();

      await driver.crashAndRestore({ store });

      expect(await outcomeOf(driver)).toStrictEqual(before);
      expect(before).toStrictEqual(undisturbed);
      expect(driver.position()).toStrictEqual(position);
      expect(wiped).toStrictEqual([undefined, undefined]);
    },
  );

  test('should read the changelog to its end although it ends in control records and aborted transactions', async () => {
    const { driver } = watched();
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.abortNextCommit();
    driver.abortNextCommit();
    driver.loseNextCommitAnswer(false);
    driver.append(ADDITIONS, 'a', added(2));
    driver.crashAt({ step: 'P4', nth: 4 }, { store: 'wiped' });
    await driver.settle();

    expect(driver.cluster.crashes).toBe(1);
    expect(driver.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1, 3]);
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test.each([false, true])(
    'should restore from a compacted changelog, tombstones dropped: %s',
    async (dropTombstones) => {
      const { driver } = watched();
      const before = await runScenario(driver);
      driver.log.partition(CHANGELOG).compact(dropTombstones ? Number.POSITIVE_INFINITY : 0);

      await driver.crashAndRestore();

      expect(await outcomeOf(driver)).toStrictEqual(before);
      const left = driver.log
        .partition(CHANGELOG)
        .committed()
        .map(({ key }) => Buffer.from(key ?? []).toString());
      expect(left).toStrictEqual(dropTombstones ? ['a', 'b', '!position'] : ['c', 'a', 'b', '!position']);
    },
  );

  test('should fold the global topic exactly as far as the task had read it', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    await driver.pipeGlobal(bonus('blue', 5));
    await driver.pipe(ADDITIONS, 'a', added(1, { team: 'red' }));
    const killed = driver.cluster.instances.map((instance) => instance.kill());
    await Promise.all(killed);
    // Appended while nobody runs: the restored task must still react to it.
    driver.append(BONUSES, null, bonus('red', 10));

    await driver.cluster.killAll({ store: 'wiped' });
    await driver.pipe(ADDITIONS, 'a', added(1));

    expect(driver.read(COUNTS).map(({ value }) => [value?.cause, value?.total, value?.bonuses])).toStrictEqual([
      ['additions/0/0', 1, 5],
      ['bonuses/0/1 #0', 2, 15],
      ['additions/0/1', 3, 15],
    ]);
  });

  test('should wipe a store that knows more than the changelog', async () => {
    const { driver, wiped } = watched();
    for (const amount of [1, 2, 3]) await driver.pipe(ADDITIONS, 'a', added(amount));
    const old = await driver.store();
    driver.log.recreate('counters');
    driver.log.recreate('counts');
    driver.log.recreate('additions');

    await driver.crashAndRestore({ store: 'kept' });

    expect(old).toStrictEqual(new Map([['a', { name: 'a', total: 6 }]]));
    expect(await driver.store()).toStrictEqual(new Map());
    expect(wiped).toStrictEqual([undefined, 'ahead-of-changelog']);
  });

  test('should wipe the store of an earlier life of the changelog', async () => {
    const { driver, wiped } = watched();
    for (const amount of [1, 2]) await driver.pipe(ADDITIONS, 'a', added(amount));
    // Everything was deleted and created again, and another instance has worked since.
    for (const instance of driver.cluster.instances) {
      await instance.kill();
      instance.clients.expire();
    }
    for (const topic of ['counters', 'counts', 'additions']) driver.log.recreate(topic);
    const other = new TopologyTestDriver(counterTopology, { log: driver.log, incarnation: 'second life' });
    for (const amount of [10, 20, 30]) await other.pipe(ADDITIONS, 'b', added(amount));
    await other.close();

    await driver.cluster.killAll({ store: 'kept' });

    expect(await driver.store()).toStrictEqual(new Map([['b', { name: 'b', total: 60 }]]));
    expect(wiped).toStrictEqual([undefined, 'other-incarnation']);
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should wipe a store that was not written for so long that tombstones may be gone', async () => {
    const { driver, wiped } = watched({ limits: { storeMaxAgeMs: 1_000 } });
    await driver.pipe(ADDITIONS, 'a', added(1));
    await driver.advanceTime(1_001);

    await driver.crashAndRestore({ store: 'kept' });

    expect(wiped).toStrictEqual([undefined, 'too-old']);
    expect(await driver.store()).toStrictEqual(new Map([['a', { name: 'a', total: 1 }]]));
  });

  test('should wipe a store that fails, and go on', async () => {
    const { driver, wiped } = watched();
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.cluster.instances[0]?.failNextWrite();

    await driver.pipe(ADDITIONS, 'a', added(2));

    expect(driver.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1, 3]);
    expect(wiped).toStrictEqual([undefined, 'demanded']);
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should stop at a changelog record that nobody can read', async () => {
    const { driver } = watched();
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.append(COUNTERS, 'a', Buffer.from('{'), { partition: 0 });

    await expect(driver.crashAndRestore()).rejects.toThrow(TaskCorruptedError);
  });

  test('should stop when the changelog was deleted under outputs that exist', async () => {
    const { driver } = watched();
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.log.recreate('counters');

    await expect(driver.crashAndRestore()).rejects.toThrow(StateLostError);
    expect(driver.read(COUNTS).length).toBe(1);
  });

  test('should stop when the source has lost records that were not read', async () => {
    const { driver } = watched();
    await driver.pipe(ADDITIONS, 'a', added(1));
    await Promise.all(driver.cluster.instances.map((instance) => instance.kill()));
    for (const amount of [2, 3]) driver.append(ADDITIONS, 'a', added(amount));
    driver.log.partition({ topic: 'additions', partition: 0 }).deleteBefore(2n);
    await driver.cluster.killAll({ store: 'kept' });

    await expect(driver.settle()).rejects.toThrow(OffsetLostError);
    expect(driver.read(COUNTS).length).toBe(1);
  });
});
