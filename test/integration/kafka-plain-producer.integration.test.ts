import { afterAll, describe, expect, it } from '@jest/globals';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import type { PlainProducer } from '../../infra/kafka/plain-producer.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { FaultSocket } from './kafka-fault-socket.js';
import { KafkaFixture, readAll, rejection, silent, testConnection } from './kafka-fixture.js';
import { withStockKafkajs } from './kafka-stock.js';

const kafka = new KafkaFixture();
const { reader } = kafka.clients(kafka.name('group'));
afterAll(() => kafka.clean(), 60_000);

const keyed = (topic: string, key: string, value: string) => ({
  topic,
  key: Buffer.from(key),
  value: Buffer.from(value),
  headers: {},
});
const placed = (topic: string, value: string) => ({ ...keyed(topic, 'k', value), partition: 0 });

const valuesOf = async (topic: string): Promise<(string | undefined)[]> =>
  (await readAll(reader, { topic, partition: 0 })).records.map((line) => line.split('=')[1]);

async function using(faults: FaultSocket, work: (producer: PlainProducer) => Promise<void>): Promise<void> {
  const producer = createPlainProducer(testConnection({ socketFactory: faults.factory }), silent);
  try {
    await work(producer);
  } finally {
    await producer.close();
  }
}

describe('the plain producer', () => {
  it('should place records by their keys and tell the coordinates of each, in order', async () => {
    const topic = await kafka.topic(4);
    const records = Array.from({ length: 40 }, (_, index) => keyed(topic, `key ${index % 10}`, `${index}`));

    await using(new FaultSocket(), async (producer) => {
      const coordinates = await producer.send(records);

      const ends = [0n, 0n, 0n, 0n];
      const expected = records.map(({ key }) => {
        const partition = partitionOf(key, 4);
        const offset = ends[partition] ?? 0n;
        ends[partition] = offset + 1n;
        return { topic, partition, offset };
      });
      expect(coordinates).toStrictEqual(expected);
      const [first] = coordinates;
      expect((await readAll(reader, { topic, partition: first?.partition ?? -1 })).records[0]).toBe('0 key 0=0');
      expect(await producer.send([])).toStrictEqual([]);
    });
  });

  it('should write each of many sends at a time once and in order though an answer is lost, where kafkajs loses one', async () => {
    const [topic, stockTopic] = [await kafka.topic(), await kafka.topic()];
    const faults = new FaultSocket();
    const values = Array.from({ length: 30 }, (_, index) => `${index}`);

    await using(faults, async (producer) => {
      await producer.send([placed(topic, 'first')]);
      faults.once('Produce', 'answer lost');
      const sent = await Promise.all(values.map((value) => producer.send([placed(topic, value)])));
      expect(sent.flat().map(({ offset }) => offset)).toStrictEqual(values.map((_, index) => BigInt(index + 1)));
    });
    const stock = await withStockKafkajs<string[]>(`
      const faults = new FaultSocket();
      const producer = kafka({ socketFactory: faults.factory }).producer({ idempotent: true, maxInFlightRequests: 1 });
      await producer.connect();
      const send = (value) => producer.send({ topic: ${JSON.stringify(stockTopic)}, messages: [{ key: 'k', value, partition: 0 }] });
      await send('first');
      faults.once('Produce', 'answer lost');
      done(await Promise.all(['A', 'B', 'C'].map(send)).then(() => 'all acknowledged', (error) => error.name));`);

    expect(await valuesOf(topic)).toStrictEqual(['first', ...values]);
    expect(stock).toBe('all acknowledged');
    expect((await valuesOf(stockTopic)).toSorted()).not.toStrictEqual(['A', 'B', 'C', 'first']);
  }, 60_000);

  it('should write what follows an unknown outcome, where kafkajs acknowledges it and drops it', async () => {
    const [topic, stockTopic] = [await kafka.topic(), await kafka.topic()];
    const faults = new FaultSocket();

    await using(faults, async (producer) => {
      await producer.send([placed(topic, 'first')]);
      faults.always('Produce', 'answer lost');
      const unknown = await rejection(producer.send([placed(topic, 'unknown')]));
      faults.clear();
      await producer.send([placed(topic, 'next')]);
      expect([unknown.code]).toStrictEqual(['HOLDFAST_STREAM_BROKER']);
    });
    const stock = await withStockKafkajs<string>(`
      const faults = new FaultSocket();
      const producer = kafka({ socketFactory: faults.factory }).producer({
        idempotent: true, maxInFlightRequests: 1, retry: { initialRetryTime: 20, retries: 2 } });
      await producer.connect();
      const send = (value) => producer.send({ topic: ${JSON.stringify(stockTopic)}, messages: [{ key: 'k', value, partition: 0 }] });
      await send('first');
      faults.always('Produce', 'answer lost');
      await send('unknown').catch(() => undefined);
      faults.clear();
      done(await send('next').then(() => 'acknowledged', (error) => error.name));`);

    expect(await valuesOf(topic)).toStrictEqual(['first', 'unknown', 'next']);
    expect(stock).toBe('acknowledged');
    expect(await valuesOf(stockTopic)).toStrictEqual(['first', 'unknown']);
  }, 60_000);

  it('should write more at once than the broker takes in one batch, in order', async () => {
    const topic = await kafka.topic();
    const values = Array.from({ length: 8 }, (_, index) => `${index}${'.'.repeat(900_000)}`);
    await using(new FaultSocket(), async (producer) => {
      const written = await producer.send(values.map((value) => placed(topic, value)));
      expect(written.map(({ offset }) => offset)).toStrictEqual(values.map((_, index) => BigInt(index)));
    });

    expect(await valuesOf(topic)).toStrictEqual(values);
  }, 60_000);

  it('should refuse what can never be written, and go on', async () => {
    const topic = await kafka.topic();
    await using(new FaultSocket(), async (producer) => {
      const tooLarge = await rejection(producer.send([{ ...placed(topic, ''), value: Buffer.alloc(4 * 1024 * 1024) }]));
      const nowhere = await rejection(producer.send([{ topic, key: null, value: null, headers: {} }]));
      const absent = await rejection(producer.send([keyed(kafka.name('absent'), 'k', 'v')]));
      await producer.send([placed(topic, 'fine')]);

      expect([tooLarge, nowhere, absent].map(({ code }) => code)).toStrictEqual([
        'HOLDFAST_KAFKA_RECORD_TOO_LARGE',
        'HOLDFAST_KAFKA_REFUSED',
        'HOLDFAST_STREAM_TOPIC_MISSING',
      ]);
    });
    expect(await valuesOf(topic)).toStrictEqual(['fine']);
  });
});
