import { describe, expect, test } from '@jest/globals';
import { ADDITIONS, ALARMS, BONUSES, COUNTS, counterTopology, type Added } from '../kit/counter-topology.js';
import { TopologyTestDriver } from '../kit/topology-test-driver.js';

const added = (amount: number, more: Partial<Added> = {}): Added => ({ type: 'Added', amount, ...more });
const causes = (driver: TopologyTestDriver<never, never, never, never, never>): readonly string[] =>
  driver.read(COUNTS).map(({ value }) => value?.cause ?? '');

describe('a stream application', () => {
  test('should decide each record once and keep the state', async () => {
    const driver = new TopologyTestDriver(counterTopology);

    expect(await driver.pipe(ADDITIONS, 'a', added(1), { time: 10 })).toStrictEqual({
      topic: 'additions',
      partition: 0,
      offset: 0n,
    });
    await driver.pipe(ADDITIONS, 'a', added(2), { time: 20 });
    await driver.pipe(ADDITIONS, 'b', added(5), { time: 15 });

    expect(driver.read(COUNTS).map(({ key, value }) => [key, value?.cause, value?.total, value?.now])).toStrictEqual([
      ['a', 'additions/0/0', 1, 10],
      ['a', 'additions/0/1', 3, 20],
      ['b', 'additions/0/2', 5, 20],
    ]);
    expect(await driver.store()).toStrictEqual(
      new Map([
        ['a', { total: 3 }],
        ['b', { total: 5 }],
      ]),
    );
    expect(driver.changelog()).toStrictEqual(await driver.store());
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should go on over abort, fencing, lost answers and a restore', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.abortNextCommit();
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.fenceNextCommit();
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.loseNextCommitAnswer(true);
    await driver.pipe(ADDITIONS, 'a', added(1));
    driver.loseNextCommitAnswer(false);
    await driver.pipe(ADDITIONS, 'a', added(1));
    await driver.crashAndRestore();
    await driver.pipe(ADDITIONS, 'a', added(1));
    await driver.redeliver({ topic: 'additions', partition: 0, offset: 1n });

    expect(driver.read(COUNTS).map(({ value }) => [value?.cause, value?.total])).toStrictEqual([
      ['additions/0/0', 1],
      ['additions/0/1', 2],
      ['additions/0/2', 3],
      ['additions/0/3', 4],
      ['additions/0/4', 5],
      ['additions/0/5', 6],
    ]);
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should fire timers before the record that makes them due, and when idle', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    await driver.pipe(ADDITIONS, 'b', added(1, { wakeAfter: 10 }), { time: 0 });
    await driver.pipe(ADDITIONS, 'a', added(2, { wakeAfter: 10 }), { time: 0 });
    await driver.pipe(ADDITIONS, 'c', added(3, { wakeAfter: 5 }), { time: 0 });
    await driver.pipe(ADDITIONS, 'd', added(4, { wakeAfter: 100 }), { time: 50 });
    await driver.advanceTime(100);

    expect(driver.read(COUNTS).map(({ value }) => [value?.cause, value?.total, value?.now])).toStrictEqual([
      ['additions/0/0', 1, 0],
      ['additions/0/1', 2, 0],
      ['additions/0/2', 3, 0],
      ['timer 5', 3, 50],
      ['timer 10', 2, 50],
      ['timer 10', 1, 50],
      ['additions/0/3', 4, 50],
      ['timer 150', 4, 150],
    ]);
    expect(driver.read(ALARMS).length).toBe(4);
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should walk what a global record affects, in order of key', async () => {
    const driver = new TopologyTestDriver(counterTopology, { partitions: 3, groups: 2 });
    await driver.pipeGlobal({ type: 'Bonus', team: 'red', amount: 100 });
    for (const key of ['\u{1F600}', '\uFFEE', 'b', 'a'])
      await driver.pipe(ADDITIONS, key, added(1, { team: 'red' }), { partition: 1 });
    await driver.pipeGlobal({ type: 'Bonus', team: 'red', amount: 10 });
    await driver.crashAndRestore();
    await driver.pipeGlobal({ type: 'Bonus', team: 'red', amount: 1 });

    expect(driver.read(COUNTS).map(({ value }) => [value?.cause, value?.total, value?.bonuses])).toMatchSnapshot();
    expect(await driver.store()).toStrictEqual(new Map());
    void BONUSES;
    void causes;
  });
});
