import { hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { TopicMissingError } from '../../infra/streams/errors.js';
import { added, bonus } from '../kit/counter-scenario.js';
import {
  ADDITIONS,
  ALARMS,
  BONUSES,
  COUNTERS,
  COUNTS,
  counterTopology,
  type Counted,
} from '../kit/counter-topology.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';

const brief = ({ value }: { readonly value: Counted | null }): readonly unknown[] => [
  value?.cause,
  value?.total,
  value?.now,
];

const sha256 = (bytes: Uint8Array | null): string => hash('sha256', bytes ?? new Uint8Array(0), 'hex');

describe('a stream task', () => {
  test('should decide each record once, in order, and keep the state', async () => {
    const driver = new TopologyTestDriver(counterTopology);

    const first = await driver.pipe(ADDITIONS, 'a', added(1), { time: 10 });
    await driver.pipe(ADDITIONS, 'a', added(2), { time: 20 });
    await driver.pipe(ADDITIONS, 'b', added(5), { time: 15 });

    expect(first).toStrictEqual({ topic: 'additions', partition: 0, offset: 0n });
    expect(driver.read(COUNTS).map(({ key, ...record }) => [key, ...brief(record)])).toStrictEqual([
      ['a', 'additions/0/0', 1, 10],
      ['a', 'additions/0/1', 3, 20],
      // Stream time never goes back (R16).
      ['b', 'additions/0/2', 5, 20],
    ]);
    expect(await driver.store()).toStrictEqual(
      new Map([
        ['a', { name: 'a', total: 3 }],
        ['b', { name: 'b', total: 5 }],
      ]),
    );
    expect(driver.changelog()).toStrictEqual(await driver.store());
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should decide undecodable records and tombstones too, and go on', async () => {
    const driver = new TopologyTestDriver(counterTopology);

    await driver.pipe(ADDITIONS, 'a', Buffer.from('{'));
    await driver.pipe(ADDITIONS, 'a', null);
    await driver.pipe(ADDITIONS, null, added(7));
    await driver.pipe(ADDITIONS, 'a', added(1));

    expect(driver.read(COUNTS).map(({ key, value }) => [key, value?.cause, value?.total])).toStrictEqual([
      ['a', 'additions/0/0 failed', 0],
      ['a', 'additions/0/1 tombstone', 0],
      [null, 'additions/0/2', 7],
      ['a', 'additions/0/3', 1],
    ]);
    expect(await driver.store()).toStrictEqual(new Map([['a', { name: 'a', total: 1 }]]));
  });

  test('should decide nothing twice when records are delivered again', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    const first = await driver.pipe(ADDITIONS, 'a', added(1));
    await driver.pipe(ADDITIONS, 'a', added(2));

    await driver.redeliver(first);
    await driver.pipe(ADDITIONS, 'a', added(4));

    expect(driver.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1, 3, 7]);
  });

  test('should fire timers in order of due time, then of key, before the record that makes them due', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    await driver.pipe(ADDITIONS, '\u{1F600}', added(1, { wakeAfter: 10 }), { time: 0 });
    await driver.pipe(ADDITIONS, '\uFFEE', added(2, { wakeAfter: 10 }), { time: 0 });
    await driver.pipe(ADDITIONS, 'z', added(3, { wakeAfter: 5 }), { time: 0 });
    await driver.pipe(ADDITIONS, 'y', added(4, { wakeAfter: 51 }), { time: 0 });
    // The first mind of this one is forgotten.
    await driver.pipe(ADDITIONS, 'x', added(5, { wakeAfter: 1 }), { time: 0 });
    await driver.pipe(ADDITIONS, 'x', added(5, { wakeAfter: 60 }), { time: 0 });

    await driver.pipe(ADDITIONS, 'd', added(6), { time: 50 });

    expect(driver.read(COUNTS).slice(6).map(brief)).toStrictEqual([
      ['timer 5', 3, 50],
      ['timer 10', 2, 50],
      ['timer 10', 1, 50],
      ['additions/0/6', 6, 50],
    ]);
    expect(driver.read(ALARMS).map(({ value }) => value)).toStrictEqual([
      { type: 'Alarm', key: '3' },
      { type: 'Alarm', key: '2' },
      { type: 'Alarm', key: '1' },
    ]);
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should fire timers by the wall clock only while idle', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    await driver.pipe(ADDITIONS, 'a', added(1, { wakeAfter: 10 }), { time: 0 });

    await driver.advanceTime(9);
    expect(driver.read(COUNTS).length).toBe(1);
    await driver.advanceTime(1);
    expect(driver.read(COUNTS).map(brief)).toStrictEqual([
      ['additions/0/0', 1, 0],
      ['timer 10', 1, 10],
    ]);

    // A backlog appended long ago is decided at its own time, although the clock says more.
    await driver.pipe(ADDITIONS, 'a', added(1, { wakeAfter: 10 }), { time: 10 });
    driver.append(ADDITIONS, 'b', added(1), { time: 15 });
    driver.cluster.moveClock(30);
    await driver.settle();
    expect(
      driver
        .read(COUNTS)
        .slice(2)
        .map(({ value }) => [value?.cause, value?.now]),
    ).toStrictEqual([
      ['additions/0/1', 10],
      ['additions/0/2', 15],
      ['timer 20', 30],
    ]);
  });

  test('should look at the keys that a global record affects, in order of key, with the change folded', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    for (const key of ['\u{1F600}', '\uFFEE', 'b', 'a', 'other'])
      await driver.pipe(ADDITIONS, key, added(1, { team: key === 'other' ? 'blue' : 'red' }));
    await driver.pipe(ADDITIONS, 'b', added(0, { team: 'blue' }));

    await driver.pipeGlobal(bonus('red', 100), 40);

    expect(
      driver
        .read(COUNTS)
        .slice(6)
        .map(({ value }) => [value?.cause, value?.bonuses, value?.now]),
    ).toStrictEqual([
      ['bonuses/0/0 #0', 100, 40],
      ['bonuses/0/0 #1', 100, 40],
      ['bonuses/0/0 #2', 100, 40],
    ]);
    expect(await driver.store()).toStrictEqual(
      new Map([
        ['a', { name: 'a', total: 2, team: 'red' }],
        ['b', { name: 'b', total: 1, team: 'blue' }],
        ['other', { name: 'other', total: 1, team: 'blue' }],
        ['\uFFEE', { name: '\uFFEE', total: 2, team: 'red' }],
        ['\u{1F600}', { name: '\u{1F600}', total: 2, team: 'red' }],
      ]),
    );
  });

  test('should read the global topic to its end before the first record', async () => {
    const driver = new TopologyTestDriver(counterTopology, { client: { fetchSize: 1 } });
    for (let amount = 1; amount <= 10; amount += 1) driver.append(BONUSES, null, bonus('red', amount));

    await driver.pipe(ADDITIONS, 'a', added(1));

    expect(driver.read(COUNTS).map(({ value }) => value?.bonuses)).toStrictEqual([55]);
    expect(driver.position()?.global).toBe(10n);
  });

  test('should delete a state with a tombstone, and its timers and index entries with it', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    await driver.pipe(ADDITIONS, 'a', added(1, { wakeAfter: 10, team: 'red' }), { time: 0 });
    await driver.pipe(ADDITIONS, 'a', added(1, { remove: true }), { time: 0 });
    await driver.advanceTime(10);
    await driver.pipeGlobal(bonus('red'));

    expect(driver.read(COUNTS).map(({ value }) => value?.cause)).toStrictEqual(['additions/0/0', 'additions/0/1']);
    expect(
      driver
        .read(COUNTERS)
        .filter(({ key }) => key === 'a')
        .map(({ value }) => value),
    ).toStrictEqual([{ due: 10, name: 'a', team: 'red', total: 1 }, null]);
    expect(await driver.store()).toStrictEqual(new Map());
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should chain each record to the one before it in its partition', async () => {
    const driver = new TopologyTestDriver(counterTopology, { partitions: 2 });
    for (const key of ['a', 'b', 'c', 'd']) await driver.pipe(ADDITIONS, key, added(1));
    await driver.crashAndRestore();
    for (const key of ['a', 'b', 'c', 'd']) await driver.pipe(ADDITIONS, key, added(1));

    for (const partition of [0, 1]) {
      const written = driver.log.partition({ topic: 'counts', partition }).committed();
      const links = driver.read(COUNTS).filter(({ coordinates }) => coordinates.partition === partition);
      expect(links.map(({ value }) => value?.previous)).toStrictEqual([
        '',
        ...written.slice(0, -1).map(({ value }) => sha256(value)),
      ]);
      expect(driver.position(partition)?.digest).toBe(sha256(written.at(-1)?.value ?? null));
    }
  });

  test('should refuse to write to, and to read from, a topic that is none of its own', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    const elsewhere = { ...ADDITIONS, name: 'elsewhere' };

    await expect(driver.pipe(elsewhere, 'a', added(1))).rejects.toThrow(TopicMissingError);
    expect(() => driver.read(elsewhere)).toThrow(TopicMissingError);
  });
});
