import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { corrected, load } from '../../infra/kafka/corrected-kafkajs.js';
import { encodeProduce } from '../../infra/kafka/corrections/produce-encoding.js';
import { crc32c } from '../../infra/kafka/crc32c.js';
import type { PlacedMessage } from '../../infra/kafka/kafkajs-internals.js';
import { FaultSocket } from './kafka-fault-socket.js';
import { KafkaFixture, readAll, record, rejection, testConnection } from './kafka-fixture.js';
import { withStockKafkajs } from './kafka-stock.js';

const kafka = new KafkaFixture();
afterAll(() => kafka.clean(), 60_000);

/** What kafkajs as it comes does with one transaction after another, of one record and one position each. */
const stockTransactions = (topic: string, faults: string): string => `
  const faults = new FaultSocket();
  const producer = kafka({ socketFactory: faults.factory }).producer({
    transactionalId: ${JSON.stringify(kafka.name('stock'))}, idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const commit = async () => {
    const transaction = await producer.transaction();
    await transaction.send({ topic: ${JSON.stringify(topic)}, messages: [{ key: 'k', value: 'v' }] });
    await transaction.sendOffsets({ consumerGroupId: ${JSON.stringify(kafka.name('group'))},
      topics: [{ topic: ${JSON.stringify(topic)}, partitions: [{ partition: 0, offset: '1' }] }] });
    await transaction.commit();
  };
  await commit();
  faults.requests.length = 0;
  ${faults}
  const outcome = await commit().then(() => 'committed', (error) => error.name);
  done({ outcome, requests: faults.requests });`;

type StockOutcome = { readonly outcome: string; readonly requests: string[] };

const withoutRepetition = (requests: readonly string[]): string[] =>
  requests.filter((request, index) => request !== requests[index - 1]);

describe('coordinators of a transaction', () => {
  const commitTwice = async (prepare: (faults: FaultSocket) => void): Promise<string[]> => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const faults = new FaultSocket();
    const clients = kafka.clients(kafka.name('group'), testConnection({ socketFactory: faults.factory }));
    const producer = await clients.fence(kafka.name('lock'));
    await producer.commit({ records: [record(at, 'k', 'v')], positions: [{ ...at, offset: 1n }] });
    faults.requests.length = 0;
    prepare(faults);
    await producer.commit({ records: [record(at, 'k', 'v')], positions: [{ ...at, offset: 2n }] });
    return [...faults.requests];
  };

  it('should be asked for once, where kafkajs asks before each of its requests', async () => {
    const requests = await commitTwice(() => undefined);
    const stock = await withStockKafkajs<StockOutcome>(stockTransactions(await kafka.topic(), ''));

    expect(withoutRepetition(requests)).toStrictEqual([
      'AddPartitionsToTxn',
      'Produce',
      'AddOffsetsToTxn',
      'TxnOffsetCommit',
      'EndTxn',
    ]);
    expect(stock.requests.filter((request) => request === 'FindCoordinator').length).toBeGreaterThanOrEqual(4);
  }, 60_000);

  it.each([
    ['is loading', 14, 0],
    ['is not available', 15, 1],
    ['has moved', 16, 1],
  ])(
    'should be asked again when the one of the group %s, where kafkajs gives up',
    async (_what, code, searches) => {
      const requests = await commitTwice((faults) => {
        faults.once('TxnOffsetCommit', code);
      });
      const stock = await withStockKafkajs<StockOutcome>(
        stockTransactions(await kafka.topic(), `faults.once('TxnOffsetCommit', ${code});`),
      );

      expect(requests.filter((request) => request === 'TxnOffsetCommit').length).toBe(2);
      expect(requests.filter((request) => request === 'FindCoordinator').length).toBe(searches);
      expect(requests.at(-1)).toBe('EndTxn');
      expect(stock.outcome).not.toBe('committed');
    },
    60_000,
  );

  it('should be waited for on the spot while they settle the last transaction, where kafkajs fetches metadata', async () => {
    const requests = await commitTwice((faults) => {
      faults.once('AddPartitionsToTxn', 51);
    });
    const stock = await withStockKafkajs<StockOutcome>(
      stockTransactions(await kafka.topic(), `faults.once('AddPartitionsToTxn', 51);`),
    );

    expect(requests.filter((request) => request === 'AddPartitionsToTxn').length).toBeGreaterThanOrEqual(2);
    expect(requests).not.toContain('Metadata');
    expect(stock.requests).toContain('Metadata');
  }, 60_000);
});

describe('record batches', () => {
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const message: fc.Arbitrary<PlacedMessage> = fc.record({
    partition: fc.constant(0),
    key: fc.option(bytes),
    value: fc.option(bytes),
    headers: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((name) => name !== '__proto__'),
      bytes,
      { maxKeys: 4 },
    ),
  });

  it('should be the bytes that kafkajs writes', async () => {
    const timestamp = 1_700_000_000_123;
    const request = fc.record({
      acks: fc.constant(-1),
      timeout: fc.nat(60_000),
      transactionalId: fc.option(fc.string({ minLength: 1 })),
      producerId: fc.integer({ min: 0, max: 2 ** 40 }).map(String),
      producerEpoch: fc.nat(32_767),
      topicData: fc.array(
        fc.record({
          topic: fc.string({ minLength: 1 }),
          partitions: fc.array(
            fc.record({
              partition: fc.nat(100),
              firstSequence: fc.nat(2 ** 31 - 1),
              messages: fc.array(message, { minLength: 1, maxLength: 80 }),
            }),
            { maxLength: 3 },
          ),
        }),
        { maxLength: 3 },
      ),
    });
    const samples = fc.sample(request, 200);
    const stock = await withStockKafkajs<string[]>(`
      const encode = require('kafkajs/src/protocol/requests/produce/v3/request');
      const revive = (name, value) => value?.type === 'Buffer' ? Buffer.from(value.data) : value;
      const encoded = [];
      for (const options of JSON.parse(${JSON.stringify(JSON.stringify(samples))}, revive)) {
        const messages = options.topicData.flatMap(({ partitions }) => partitions.flatMap(({ messages }) => messages));
        for (const message of messages) message.timestamp = ${timestamp};
        encoded.push((await encode(options).encode()).buffer.toString('base64'));
      }
      done(encoded);`);

    expect(samples.map((options) => encodeProduce(options, timestamp).buffer.toString('base64'))).toStrictEqual(stock);
  }, 60_000);

  it('should be written by our encoder when a batch is sent, and bare byte arrays as the bytes they are', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const clients = kafka.clients(kafka.name('group'));
    const lock = kafka.name('lock');
    const producer = await clients.fence(lock);

    await producer.commit({
      records: [{ ...at, key: new TextEncoder().encode('key'), value: new Uint8Array([118]), headers: {} }],
      positions: [],
    });
    await clients.fence(lock);
    const stock = await withStockKafkajs<string>(`
      const producer = kafka().producer();
      await producer.connect();
      done(await producer.send({ topic: ${JSON.stringify(await kafka.topic())},
        messages: [{ key: new TextEncoder().encode('key'), value: new Uint8Array([118]) }] }).then(() => 'sent', (error) => error.name));`);

    expect((await readAll(clients.reader, at)).records).toStrictEqual(['0 key=v']);
    expect(stock).not.toBe('sent');
  }, 60_000);

  it('should carry the checksum of the standard', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    const zeros = Buffer.alloc(32);
    expect(crc32c(zeros)).toBe(0x8a9136aa);
  });
});

describe('grouping by partition', () => {
  const MESSAGES = 500;

  /** Groups messages of one partition; returns how many elements were looked at in iterations over arrays. */
  const countSteps = (
    group: (options: object) => Record<number, unknown[]>,
    messages: unknown[],
  ): { steps: number; grouped: number | undefined } => {
    let steps = 0;
    const prototype = Object.getPrototypeOf(messages) as { [Symbol.iterator]: () => Generator };
    const original = prototype[Symbol.iterator];
    prototype[Symbol.iterator] = function* (this: unknown[]) {
      for (let index = 0; index < this.length; index += 1) {
        steps += 1;
        yield this[index];
      }
    };
    const partitioner = ({ message }: { message: { partition: number } }): number => message.partition;
    const groups = group({ topic: 't', partitionMetadata: [{}], messages, partitioner });
    prototype[Symbol.iterator] = original;
    return { steps, grouped: groups[0]?.length };
  };

  it('should look at each message once, where kafkajs copies all the former ones each time', async () => {
    corrected();
    const path = 'kafkajs/src/producer/groupMessagesPerPartition';
    const group = createRequire(import.meta.url)(path) as Parameters<typeof countSteps>[0];

    const ours = countSteps(
      group,
      Array.from({ length: MESSAGES }, () => ({ partition: 0 })),
    );
    const stock = await withStockKafkajs<typeof ours>(`
      const messages = Array.from({ length: ${MESSAGES} }, () => ({ partition: 0 }));
      done((${countSteps.toString()})(require('${path}'), messages));`);

    expect(ours).toStrictEqual({ steps: MESSAGES, grouped: MESSAGES });
    expect(stock).toStrictEqual({ steps: (MESSAGES * (MESSAGES - 1)) / 2, grouped: MESSAGES });
  });
});

describe('the timer of a connection', () => {
  it('should never be set for a time before now, as kafkajs does after each answer', async () => {
    const waits: number[] = [];
    const original = globalThis.setTimeout;
    globalThis.setTimeout = ((run: () => void, wait?: number) => {
      waits.push(wait ?? 0);
      return original(run, wait);
    }) as typeof setTimeout;
    try {
      await kafka.admin.checkTopics([{ name: kafka.name('absent'), partitions: 1, config: {} }]);
      await kafka.clients(kafka.name('group')).partitionCounts([await kafka.topic()]);
    } finally {
      globalThis.setTimeout = original;
    }
    const stock = await withStockKafkajs<number[]>(`
      const waits = [];
      const original = setTimeout;
      globalThis.setTimeout = (run, wait) => { waits.push(wait); return original(run, wait); };
      const admin = kafka().admin();
      await admin.connect();
      await admin.listTopics();
      done(waits);`);

    expect(waits.filter((wait) => wait < 0)).toStrictEqual([]);
    expect(stock.filter((wait) => wait < 0).length).toBeGreaterThan(0);
  }, 60_000);
});

describe('another version of kafkajs', () => {
  it('should be refused', async () => {
    const other = Object.assign(() => ({ version: '2.2.5' }), createRequire(import.meta.url));

    const error = await rejection(Promise.resolve().then(() => load(other as unknown as NodeJS.Require)));

    expect([error.code, error.message]).toStrictEqual([
      'HOLDFAST_KAFKAJS_VERSION',
      'kafkajs 2.2.5 is installed; its corrections were made and tested for 2.2.4 and may not fit',
    ]);
  });
});
