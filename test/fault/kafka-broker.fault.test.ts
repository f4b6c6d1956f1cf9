import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { startLocalKafka } from '../../infra/local/local-backend.js';
import type { LocalKafka } from '../../infra/local/local-backend.js';
import type { Membership, StreamClients, TransactionalProducer } from '../../infra/streams/ports.js';
import { FaultSocket } from '../integration/kafka-fault-socket.js';
import { eventually, readable, record, silent } from '../integration/kafka-fixture.js';

/** A broker of its own, which is killed; its cleaner works at once. */
let broker: LocalKafka;
let clients: StreamClients;
let admin: KafkaAdmin;
const faults = new FaultSocket();
const PARTITIONS = 2;
const GROUP = 'fault-group';

beforeAll(async () => {
  broker = await startLocalKafka({ kafka: { properties: { 'log.cleaner.backoff.ms': 200 } } });
  const connection = { brokers: broker.brokers, clientId: 'holdfast-test', socketFactory: faults.factory };
  const times = { sessionMs: 6_000, rebalanceMs: 60_000, heartbeatMs: 300 };
  clients = createKafkaStreamClients({ connection, logger: silent, groupId: GROUP, times });
  admin = new KafkaAdmin({ brokers: broker.brokers, clientId: 'holdfast-test' }, silent);
}, 180_000);

afterAll(async () => {
  await clients.close();
  await admin.close();
  await broker.stop();
}, 60_000);

/** Commits as the runtime does: after any failure the lock is taken anew, and what stands is read before going on. */
class Writer {
  failures = 0;
  #producer: TransactionalProducer | undefined;

  async writeOnce(source: string, value: number): Promise<void> {
    const at = { topic: source, partition: 0 };
    const written = async (): Promise<boolean> => {
      const [bounds] = await clients.reader.bounds([at]);
      const values: string[] = [];
      await clients.reader.read(at, { from: 0n, to: bounds?.end ?? 0n }, ({ records }) => {
        values.push(...records.map((one) => readable(one)));
        return Promise.resolve();
      });
      return values.some((line) => line.endsWith(`=${value}`));
    };
    await eventually(
      async () => {
        try {
          if (this.#producer === undefined) {
            this.#producer = await clients.fence('fault-lock');
            if (await written()) return true;
          }
          await this.#producer.commit({
            records: [record(at, 'k', `${value}`)],
            positions: [{ ...at, offset: BigInt(value) }],
          });
          return true;
        } catch {
          this.failures += 1;
          await this.#producer?.close();
          this.#producer = undefined;
          return undefined;
        }
      },
      `value ${value}`,
      90_000,
    );
  }
}

describe('a broker that dies', () => {
  it('should cost time only: each value once, in order, to the same member', async () => {
    const source = 'fault-restart';
    await admin.createTopics([{ name: source, partitions: PARTITIONS, config: {} }]);
    const delivered: string[] = [];
    const failures: Error[] = [];
    let next = 0n;
    const joined: Membership[] = [];
    const run = (): void => {
      for (const membership of joined) membership.run({ topic: source, partition: 0 }, next);
    };
    const subscription = {
      groupId: 'fault-members',
      source,
      partitions: PARTITIONS,
      groups: PARTITIONS,
      instanceId: 'one',
    };
    let assignments = 0;
    const membership = await clients.join(subscription, {
      onAssigned: () => {
        assignments += 1;
        run();
      },
      onFetched: (fetched) => {
        delivered.push(...fetched.records.map((one) => readable(one).split('=')[1] ?? ''));
        next = fetched.next;
        return Promise.resolve();
      },
      onFailed: (error) => failures.push(error),
    });
    await eventually(() => (assignments > 0 ? true : undefined), 'an assignment');
    joined.push(membership);
    run();
    const writer = new Writer();

    for (let value = 0; value < 30; value += 1) {
      if (value === 10) {
        await broker.stopKafka('SIGKILL');
        void broker.startKafka();
      }
      if (value === 20) {
        await eventually(() => (delivered.includes('19') ? true : undefined), 'delivery after the crash', 90_000);
        await broker.stopKafka('SIGTERM');
        void broker.startKafka();
      }
      await writer.writeOnce(source, value);
    }
    await eventually(() => (delivered.includes('29') ? true : undefined), 'the last value', 90_000);
    await membership.leave();

    expect(delivered).toStrictEqual(Array.from({ length: 30 }, (_, value) => `${value}`));
    expect(failures).toStrictEqual([]);
  }, 240_000);
});

describe('a broker that hangs', () => {
  it('should be given up by whoever waits for it, and lose nothing', async () => {
    const at = { topic: 'fault-hang', partition: 0 };
    await admin.createTopics([{ name: at.topic, partitions: 1, config: {} }]);
    const writer = new Writer();
    await writer.writeOnce(at.topic, 0);

    broker.pauseKafka();
    const writing = writer.writeOnce(at.topic, 1);
    try {
      await eventually(() => (writer.failures > 0 ? true : undefined), 'the commit to be given up', 150_000);
    } finally {
      broker.resumeKafka();
    }
    await writing;
    await writer.writeOnce(at.topic, 2);

    // Read afterwards: a reader gives a broker that hangs up as well, and may do so before the writer does.
    const delivered: string[] = [];
    const stop = new AbortController();
    const following = clients.reader.read(
      at,
      { from: 0n },
      ({ records }) => {
        delivered.push(...records.map((one) => readable(one).split('=')[1] ?? ''));
        return Promise.resolve();
      },
      stop.signal,
    );
    await eventually(() => (delivered.length >= 3 ? true : undefined), 'three values', 60_000);
    stop.abort();
    await following;
    expect(delivered).toStrictEqual(['0', '1', '2']);
  }, 300_000);
});

describe('a clock that is set back', () => {
  it('should not stop the heartbeats', async () => {
    const source = 'fault-clock';
    await admin.createTopics([{ name: source, partitions: PARTITIONS, config: {} }]);
    const failures: Error[] = [];
    let assignments = 0;
    const subscription = {
      groupId: 'fault-clock',
      source,
      partitions: PARTITIONS,
      groups: PARTITIONS,
      instanceId: 'one',
    };
    const membership = await clients.join(subscription, {
      onAssigned: () => (assignments += 1),
      onFetched: () => Promise.resolve(),
      onFailed: (error) => failures.push(error),
    });
    await eventually(() => (assignments > 0 ? true : undefined), 'an assignment');
    const now = Date.now;
    const beats = (): number => faults.requests.filter((request) => request === 'Heartbeat').length;
    const before = beats();

    Date.now = () => now() - 3_600_000;
    try {
      await eventually(() => (beats() > before + 5 ? true : undefined), 'heartbeats');
    } finally {
      Date.now = now;
    }
    await membership.leave();

    expect([assignments, failures]).toStrictEqual([1, []]);
  }, 60_000);
});

describe('a log that was cleaned', () => {
  it('should be read past the batches that the cleaner emptied', async () => {
    const at = { topic: 'fault-cleaned', partition: 0 };
    const config = {
      'cleanup.policy': 'compact',
      'segment.ms': '500',
      'min.cleanable.dirty.ratio': '0.0001',
      'max.compaction.lag.ms': '500',
    };
    await admin.createTopics([{ name: at.topic, partitions: 1, config }]);
    // The cleaner keeps the last batch of each producer, emptied, to keep its sequence number.
    const connection = { brokers: broker.brokers, clientId: 'holdfast-test' };
    const [owner, other] = [createPlainProducer(connection, silent), createPlainProducer(connection, silent)];
    await owner.send([record(at, 'first', '1')]);
    await owner.send([record(at, 'k', 'old')]);
    await other.send([{ ...record(at, 'large', ''), value: Buffer.alloc(900_000, 7) }]);
    await other.send([record(at, 'k', 'new')]);

    const read = await eventually(
      async () => {
        await other.send([record(at, 'roll', 'x')]);
        const [bounds] = await clients.reader.bounds([at]);
        const keys: string[] = [];
        const steps: bigint[] = [];
        await clients.reader.read(at, { from: 0n, to: bounds?.end ?? 0n }, ({ records, next }) => {
          keys.push(...records.map(({ offset, key }) => `${offset.toString()} ${Buffer.from(key ?? []).toString()}`));
          steps.push(next);
          return Promise.resolve();
        });
        return keys.includes('1 k') ? undefined : { keys, reached: steps.at(-1), end: bounds?.end };
      },
      'the old value to be cleaned away',
      90_000,
    );

    await Promise.all([owner.close(), other.close()]);
    expect(read.keys.slice(0, 3)).toStrictEqual(['0 first', '2 large', '3 k']);
    expect(read.reached).toBe(read.end);
  }, 120_000);
});
