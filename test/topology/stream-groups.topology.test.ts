import { describe, expect, test } from '@jest/globals';
import { HoldfastError } from '../../infra/errors.js';
import { PartitionsUnequalError, ProcessorFaultError, TopologyInvalidError } from '../../infra/streams/errors.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { added, bonus } from '../kit/counter-scenario.js';
import { ADDITIONS, COUNTS, counterTopology } from '../kit/counter-topology.js';
import { jsonSerdes } from '../../infra/memory/json-serdes.js';
import { MemoryLog } from '../../infra/memory/memory-log.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';

const KEYS = Array.from({ length: 24 }, (_, index) => `key-${index}`);

class RegistryAwayError extends HoldfastError {
  constructor() {
    super('the registry does not answer', { code: 'HOLDFAST_REGISTRY_UNREACHABLE', retryable: true });
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a stream application', () => {
  test('should give each partition to one group, and each group to one member', async () => {
    const driver = new TopologyTestDriver(counterTopology, { partitions: 6, groups: 4, members: 2 });

    for (const key of KEYS) driver.append(ADDITIONS, key, added(1));
    await driver.settle();

    expect(driver.cluster.instances.map(({ application }) => application.running)).toStrictEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(new Set(await driver.store())).toStrictEqual(new Set(KEYS.map((key) => [key, { name: key, total: 1 }])));
    expect(driver.read(COUNTS).length).toBe(24);
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should lose and repeat nothing while members come and go', async () => {
    const driver = new TopologyTestDriver(counterTopology, { partitions: 5, groups: 3, limits: { cachedKeys: 4 } });
    const round = async (): Promise<void> => {
      for (const key of KEYS) driver.append(ADDITIONS, key, added(1, { team: 'red' }));
      await driver.settle();
    };

    await round();
    const second = driver.cluster.add();
    const third = driver.cluster.add();
    await round();
    await driver.cluster.remove(second);
    await driver.pipeGlobal(bonus('red'));
    await round();
    const fourth = driver.cluster.add();
    await round();
    await driver.cluster.remove(third);
    await driver.cluster.restart(fourth, { store: 'kept' });
    await round();

    expect(driver.read(COUNTS).length).toBe(6 * 24);
    expect([...(await driver.store()).values()].map(({ team, total }) => [team, total])).toStrictEqual(
      KEYS.map(() => ['red', 6]),
    );
    expect(driver.changelog()).toStrictEqual(await driver.store());
    expect(await driver.inconsistencies()).toStrictEqual([]);
  });

  test('should start a group again that it lost and got back at once', async () => {
    const driver = new TopologyTestDriver(counterTopology, { partitions: 2, groups: 2 });
    await driver.pipe(ADDITIONS, 'a', added(1), { partition: 1 });

    const group = driver.log.group('counter');
    const passing = { instanceId: 'passing', groups: 2, onAssigned: () => undefined, paused: false, owned: [] };
    group.join(passing);
    group.leave(passing);
    await driver.pipe(ADDITIONS, 'a', added(2), { partition: 1 });

    expect(driver.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1, 3]);
  });

  test('should finish its transaction and close its stores when it is stopped', async () => {
    const driver = new TopologyTestDriver(counterTopology);
    await driver.pipe(ADDITIONS, 'a', added(1));
    const [instance] = driver.cluster.instances;
    driver.append(ADDITIONS, 'a', added(2));

    await driver.close();

    expect(instance?.stores).toStrictEqual(new Map());
    expect([1, 2]).toContain(driver.read(COUNTS).length);
    const next = new TopologyTestDriver(counterTopology, { log: driver.log });
    await next.pipe(ADDITIONS, 'a', added(4));
    expect(next.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1, 3, 7]);
  });

  test('should let a partition wait while the registry is away, and lose nothing', async () => {
    let away = false;
    const serdes: Serdes = {
      ...jsonSerdes,
      prepare: () => (away ? Promise.reject(new RegistryAwayError()) : Promise.resolve()),
    };
    const blocked: unknown[] = [];
    const driver = new TopologyTestDriver(counterTopology, {
      serdes,
      observer: { onBlocked: (_, error) => blocked.push(error) },
    });
    await driver.pipe(ADDITIONS, 'a', added(1));

    away = true;
    driver.append(ADDITIONS, 'a', added(2));
    while (blocked.length < 3) await nextTurn();
    expect(driver.read(COUNTS).length).toBe(1);
    away = false;
    await driver.settle();

    expect(blocked[0]).toBeInstanceOf(RegistryAwayError);
    expect(driver.read(COUNTS).map(({ value }) => value?.total)).toStrictEqual([1, 3]);
  });

  test('should keep nothing back but what comes behind a record whose schema is long in coming', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const isSlow = (value: Uint8Array): boolean => Buffer.from(value).includes('"amount":7');
    const serdes: Serdes = {
      ...jsonSerdes,
      // What a registry does not know is asked for each time.
      prepare: (_, values) => (values.some(isSlow) ? answered.then(nextTurn).then(nextTurn) : Promise.resolve()),
    };
    const driver = new TopologyTestDriver(counterTopology, { serdes, partitions: 2, groups: 1 });
    const totals = (): unknown =>
      [0, 1].map((partition) =>
        driver
          .read(COUNTS)
          .flatMap(({ coordinates, value }) => (coordinates.partition === partition ? value?.total : [])),
      );
    const until = async (count: number): Promise<void> => {
      while (driver.read(COUNTS).length < count) await nextTurn();
    };
    await driver.pipe(ADDITIONS, 'a', added(1), { partition: 1 });

    for (const amount of [1, 7, 2]) driver.append(ADDITIONS, 'a', added(amount), { partition: 0 });
    driver.append(ADDITIONS, 'a', added(4), { partition: 1 });
    await until(3);
    driver.append(ADDITIONS, 'a', added(5), { partition: 1 });
    await until(4);
    const before = totals();
    answer();
    await driver.settle();

    expect(before).toStrictEqual([[1], [1, 5, 10]]);
    expect(totals()).toStrictEqual([
      [1, 8, 10],
      [1, 5, 10],
    ]);
  });

  test('should refuse topics that do not have the same number of partitions', async () => {
    const log = new MemoryLog();
    for (const [topic, partitions] of Object.entries({ additions: 4, counters: 4, counts: 2, alarms: 4, bonuses: 1 }))
      log.createTopic(topic, partitions);
    const driver = new TopologyTestDriver(counterTopology, { log, partitions: 4 });

    await expect(driver.settle()).rejects.toThrow(PartitionsUnequalError);
    await expect(driver.settle()).rejects.toThrow('additions: 4, counters: 4, counts: 2, alarms: 4');
  });

  test('should refuse a global topic of more than one partition, and more groups than partitions', async () => {
    const log = new MemoryLog();
    for (const topic of ['additions', 'counters', 'counts', 'alarms', 'bonuses']) log.createTopic(topic, 2);

    await expect(new TopologyTestDriver(counterTopology, { log, partitions: 2 }).settle()).rejects.toThrow(
      PartitionsUnequalError,
    );
    await expect(new TopologyTestDriver(counterTopology, { partitions: 2, groups: 3 }).settle()).rejects.toThrow(
      TopologyInvalidError,
    );
  });

  test('should stop at a processor that breaks its contract, and name what it broke on', async () => {
    const broken = (
      processor: Partial<typeof counterTopology.processor>,
    ): TopologyTestDriver<never, never, never, never, never> =>
      new TopologyTestDriver({
        ...counterTopology,
        processor: { ...counterTopology.processor, ...processor },
      }) as never;
    const pipe = (driver: TopologyTestDriver<never, never, never, never, never>): Promise<unknown> =>
      driver.pipe(ADDITIONS, 'a', added(1, { wakeAfter: 0 }), { time: 5 });

    for (const [driver, message] of [
      [broken({ keyOf: () => '!position' }), 'state key "!position" begins with "!"'],
      [broken({ due: () => Number.NaN }), 'state "a" is due at NaN, which is no time'],
      [
        broken({
          process: () => {
            throw new Error('oops');
          },
        }),
        'additions/0/0',
      ],
    ] as const) {
      await expect(pipe(driver)).rejects.toThrow(ProcessorFaultError);
      await expect(pipe(driver)).rejects.toThrow(message);
    }
  });
});
