import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { corrected } from '../../infra/kafka/corrected-kafkajs.js';
import { kafkaConfig } from '../../infra/kafka/kafka-config.js';
import { kafkaTool } from '../../infra/local/kafka-tool.js';
import type { Fetched, PartitionRef } from '../../infra/streams/ports.js';
import {
  eventually,
  KafkaFixture,
  readable,
  readAll,
  record,
  rejection,
  silent,
  testBrokers,
  testConnection,
} from './kafka-fixture.js';

const kafka = new KafkaFixture();
const clients = kafka.clients(kafka.name('group'));
afterAll(() => kafka.clean(), 60_000);

const { kafkajs } = corrected();
const plainKafka = new kafkajs.Kafka(kafkaConfig(testConnection(), silent));

type Raw = {
  readonly send: (value: string, key?: string | Buffer) => Promise<unknown>;
  readonly abort: () => Promise<void>;
  readonly commit: () => Promise<void>;
};

/** Transactions by hand, which our own producers never leave open or abort. */
async function transactions(at: PartitionRef): Promise<{ begin: () => Promise<Raw>; close: () => Promise<void> }> {
  const producer = plainKafka.producer({
    transactionalId: kafka.name('raw'),
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: () => () => at.partition,
  });
  await producer.connect();
  const begin = async (): Promise<Raw> => {
    const transaction = await producer.transaction();
    return {
      send: (value, key = 'k') =>
        transaction.send({
          topic: at.topic,
          messages: [{ key: Buffer.from(key), value: Buffer.from(value), headers: {} }],
        }),
      abort: () => transaction.abort(),
      commit: () => transaction.commit(),
    };
  };
  return { begin, close: () => producer.disconnect() };
}

/** Two producers whose aborted transactions interleave in one partition, then one that commits. */
async function interleavedAborts(at: PartitionRef): Promise<void> {
  const [one, two] = [await transactions(at), await transactions(at)];
  const [first, second] = [await one.begin(), await two.begin()];
  await first.send('one aborted');
  await second.send('two aborted');
  await second.abort();
  await first.send('one aborted too');
  await first.abort();
  const third = await two.begin();
  await third.send('two committed');
  await third.commit();
  const fourth = await one.begin();
  // kafkajs takes a record with this key for the marker that ends the aborted transaction.
  await fourth.send('aborted with zeros for a key', Buffer.alloc(4));
  await fourth.send('aborted after it');
  await fourth.abort();
  const fifth = await one.begin();
  await fifth.send('one committed');
  await fifth.commit();
  await (await one.begin()).abort();
  await Promise.all([one.close(), two.close()]);
}

/** What kafkajs as it comes delivers of the partition, in a process without our corrections. */
async function readWithStockKafkajs(topic: string, groupId: string, last: string): Promise<string[]> {
  const program = `
    const { Kafka, logLevel } = require('kafkajs');
    const consumer = new Kafka({ clientId: 'stock', brokers: ${JSON.stringify(testBrokers())}, logLevel: logLevel.NOTHING })
      .consumer({ groupId: ${JSON.stringify(groupId)}, maxWaitTimeInMs: 100 });
    (async () => {
      const read = [];
      await consumer.connect();
      await consumer.subscribe({ topic: ${JSON.stringify(topic)}, fromBeginning: true });
      await new Promise((resolve) => consumer.run({ autoCommit: false, eachMessage: async ({ message }) => {
        read.push(message.value.toString());
        if (read.at(-1) === ${JSON.stringify(last)}) resolve();
      } }));
      await consumer.disconnect();
      console.log(JSON.stringify(read));
    })();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { timeout: 60_000 });
  return JSON.parse(stdout) as string[];
}

/** What Kafka's own consumer prints. */
async function readWithJava(topic: string, count: number): Promise<string[]> {
  const args = [
    '--bootstrap-server',
    testBrokers().join(','),
    '--topic',
    topic,
    '--from-beginning',
    '--isolation-level',
    'read_committed',
  ];
  const limits = ['--max-messages', String(count + 1), '--timeout-ms', '5000'];
  const tool = await kafkaTool('org.apache.kafka.tools.consumer.ConsoleConsumer', [...args, ...limits]);
  const { stdout } = await promisify(execFile)(tool.command, tool.args, { timeout: 60_000 });
  return stdout.trim().split('\n');
}

describe('reading committed records', () => {
  it('should leave out what interleaved aborted transactions wrote, as Java does and kafkajs does not', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    await interleavedAborts(at);

    const ours = (await readAll(clients.reader, at)).records.map((line) => line.split('=')[1] ?? '');

    expect(ours).toStrictEqual(['two committed', 'one committed']);
    expect(await readWithJava(at.topic, ours.length)).toStrictEqual(ours);
    const stock = await readWithStockKafkajs(at.topic, kafka.name('stock'), 'one committed');
    expect(stock).toContain('one aborted');
  }, 120_000);

  it('should reach the end of a log in which nothing is readable', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const writer = await transactions(at);
    const transaction = await writer.begin();
    await transaction.send('aborted');
    await transaction.abort();
    await writer.close();
    await eventually(async () => ((await clients.reader.bounds([at]))[0]?.end === 2n ? true : undefined), 'the marker');

    const { records, fetched, end } = await readAll(clients.reader, at);

    expect(records).toStrictEqual([]);
    expect(end).toBe(2n);
    expect(fetched.map(({ from, next }) => [from, next])).toStrictEqual([[0n, 2n]]);
  });

  it('should not read past an open transaction', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const writer = await transactions(at);
    const transaction = await writer.begin();
    await transaction.send('open');

    expect(await clients.reader.bounds([at])).toStrictEqual([{ ...at, low: 0n, end: 0n }]);
    expect((await kafka.admin.describeOffsets([at.topic], 'read-uncommitted'))[0]?.end).toBe(1n);

    await transaction.abort();
    await writer.close();
  });

  it('should read exactly the range asked for, though it begins and ends inside of compressed batches', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const producer = plainKafka.producer({ createPartitioner: () => () => 0 });
    await producer.connect();
    const batch = (from: number): { key: string; value: string }[] =>
      Array.from({ length: 100 }, (_, index) => ({ key: 'k', value: `${from + index}` }));
    for (const from of [0, 100, 200]) {
      await producer.send({ topic: at.topic, messages: batch(from), compression: kafkajs.CompressionTypes.GZIP });
    }
    await producer.disconnect();

    const read: Fetched[] = [];
    await clients.reader.read(at, { from: 50n, to: 250n }, (fetched) => {
      read.push(fetched);
      return Promise.resolve();
    });

    expect(read.flatMap(({ records }) => records.map(readable))).toStrictEqual(
      Array.from({ length: 200 }, (_, index) => `${index + 50} k=${index + 50}`),
    );
    expect(read[0]?.from).toBe(50n);
    expect(read.at(-1)?.next).toBe(250n);
  });

  it('should say that an offset is lost, before the log and past it', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const producer = await clients.fence(kafka.name('lock'));
    await producer.commit({ records: [record(at, 'a', '1'), record(at, 'b', '2')], positions: [] });
    const admin = plainKafka.admin();
    await admin.connect();
    await admin.fetchTopicMetadata({ topics: [at.topic] });
    await admin.deleteTopicRecords({ topic: at.topic, partitions: [{ partition: 0, offset: '2' }] });
    await admin.disconnect();

    const before = await rejection(clients.reader.read(at, { from: 0n, to: 3n }, () => Promise.resolve()));
    const past = await rejection(clients.reader.read(at, { from: 99n }, () => Promise.resolve()));

    expect([before.code, before.message]).toStrictEqual([
      'HOLDFAST_STREAM_OFFSET_LOST',
      `${at.topic}/0 begins at offset 2, but offset 0 has not been read yet`,
    ]);
    expect(past.code).toBe('HOLDFAST_STREAM_OFFSET_LOST');
  });

  it('should name the topics that do not exist', async () => {
    const topic = await kafka.topic(3);
    const absent = kafka.name('absent');

    expect(await clients.partitionCounts([topic])).toStrictEqual(new Map([[topic, 3]]));
    const counts = await rejection(clients.partitionCounts([topic, absent]));
    const bounds = await rejection(clients.reader.bounds([{ topic: absent, partition: 0 }]));
    const read = await rejection(clients.reader.read({ topic, partition: 3 }, { from: 0n }, () => Promise.resolve()));

    expect([counts, bounds, read].map(({ code, message }) => [code, message])).toStrictEqual([
      [
        'HOLDFAST_STREAM_TOPIC_MISSING',
        `the broker has no topic ${absent} ("holdfast topics create" makes those of Holdfast)`,
      ],
      [
        'HOLDFAST_STREAM_TOPIC_MISSING',
        `the broker has no topic ${absent} ("holdfast topics create" makes those of Holdfast)`,
      ],
      [
        'HOLDFAST_STREAM_TOPIC_MISSING',
        `the broker has no topic ${topic}/3 ("holdfast topics create" makes those of Holdfast)`,
      ],
    ]);
    expect((await readAll(clients.reader, { topic, partition: 0 })).records).toStrictEqual([]);
  });
});

describe('following the log', () => {
  it('should deliver in order, one call at a time, until it is told to stop', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const producer = await clients.fence(kafka.name('lock'));
    const stop = new AbortController();
    const values: string[] = [];
    let calls = 0;
    let together = 0;
    const following = clients.reader.read(
      at,
      { from: 0n },
      async ({ records }) => {
        calls += 1;
        together = Math.max(together, calls);
        await new Promise((resolve) => setImmediate(resolve));
        values.push(...records.map(readable));
        calls -= 1;
      },
      stop.signal,
    );

    for (let round = 0; round < 20; round += 1) {
      await producer.commit({ records: [record(at, 'k', `${round}`)], positions: [] });
    }
    await eventually(() => (values.length === 20 ? true : undefined), 'twenty records');
    stop.abort();
    await following;

    expect(values).toStrictEqual(Array.from({ length: 20 }, (_, round) => `${round * 2} k=${round}`));
    expect(together).toBe(1);
  });

  it('should fail with what the taker throws, and leave other readings alone', async () => {
    const [one, two] = [
      { topic: await kafka.topic(), partition: 0 },
      { topic: await kafka.topic(), partition: 0 },
    ];
    const producer = await clients.fence(kafka.name('lock'));
    const stop = new AbortController();
    const values: string[] = [];
    const failing = clients.reader.read(one, { from: 0n }, () => Promise.reject(new Error('will not have it')));
    const going = clients.reader.read(
      two,
      { from: 0n },
      ({ records }) => {
        values.push(...records.map(readable));
        return Promise.resolve();
      },
      stop.signal,
    );

    await producer.commit({ records: [record(one, 'k', '1'), record(two, 'k', '1')], positions: [] });
    const error = await rejection(failing);
    await producer.commit({ records: [record(two, 'k', '2')], positions: [] });
    await eventually(() => (values.length === 2 ? true : undefined), 'both records');
    stop.abort();
    await going;

    expect(error.message).toBe('will not have it');
    expect(values).toStrictEqual(['0 k=1', '2 k=2']);
  });

  it('should serve two readings of one partition from offsets of their own', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const producer = await clients.fence(kafka.name('lock'));
    for (const value of ['1', '2', '3']) await producer.commit({ records: [record(at, 'k', value)], positions: [] });
    const stop = new AbortController();
    const seen: string[][] = [[], []];

    const readings = [0n, 4n].map((from, reading) =>
      clients.reader.read(
        at,
        { from },
        ({ records }) => {
          seen[reading]?.push(...records.map(readable));
          return Promise.resolve();
        },
        stop.signal,
      ),
    );
    await eventually(() => (seen[0]?.length === 3 && seen[1]?.length === 1 ? true : undefined), 'both ends');
    stop.abort();
    await Promise.all(readings);

    expect(seen).toStrictEqual([['0 k=1', '2 k=2', '4 k=3'], ['4 k=3']]);
  });
});
