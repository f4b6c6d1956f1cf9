import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inMemorySerdes } from '../../infra/registry/avro-codec.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { subjects } from '../../schemas/catalogue.js';
import { SCHEMAS, type RecordName } from '../../schemas/generated.js';
import type { Topic } from '../../topology/kit/topology.js';
import { TASK_EVENTS, TOPICS, VERDICTS } from '../../topology/topics.js';
import { topicOf, valuesOf } from '../unit/schemas/arbitraries.js';

/** What the stream runtime relies on, whoever implements the serdes. */

const overRegistry = async (): Promise<Serdes> => {
  const url = process.env.HOLDFAST_REGISTRY_URL ?? '';
  if (url === '') throw new Error('HOLDFAST_REGISTRY_URL names no registry: run these tests by "npm test contract"');
  const topicPrefix = `t${randomUUID()}.`;
  await registerAll(openRegistryClient({ url }), subjects(topicPrefix));
  return openRegistrySerdes({ url, topicPrefix, schemaWaitMs: 0 });
};

const IMPLEMENTATIONS: [string, () => Promise<Serdes>][] = [
  ['in memory', () => Promise.resolve(inMemorySerdes())],
  ['over a registry', overRegistry],
];
const RECORDS = Object.keys(SCHEMAS) as RecordName[];
const valueOf = (record: RecordName, seed: number): unknown => fc.sample(valuesOf(record), { seed, numRuns: 1 })[0];

describe.each(IMPLEMENTATIONS)('serdes %s', (_, open) => {
  let serdes: Serdes;

  beforeAll(async () => {
    serdes = await open();
  }, 60_000);

  test.each(RECORDS)('should read a %s as it was written, the same bytes each time', async (record) => {
    const topic = topicOf(record);
    const value = valueOf(record, 1);
    const bytes = serdes.serialize(topic, record, value);

    await serdes.prepare(topic, [bytes]);

    expect(serdes.serialize(topic, record, value)).toStrictEqual(bytes);
    expect(serdes.deserialize(topic, bytes)).toStrictEqual({ kind: 'value', value });
  });

  test('should frame the value in Confluent wire format, with an ID of its own for each record', () => {
    const frames = RECORDS.map((record) => serdes.serialize(topicOf(record), record, valueOf(record, 2)));
    const ids = frames.map((frame) => Buffer.from(frame).readUInt32BE(1));

    expect(frames.map(([magic]) => magic)).toStrictEqual(RECORDS.map(() => 0));
    expect(new Set(ids).size).toBe(RECORDS.length);
  });

  test('should read a record only from the topics that carry it', async () => {
    const bytes = serdes.serialize(VERDICTS, 'Verdict', valueOf('Verdict', 3) as never);
    const others: readonly Topic<unknown>[] = TOPICS.filter(({ name }) => name !== VERDICTS.name);

    for (const topic of others) {
      await serdes.prepare(topic, [bytes]);
      expect(serdes.deserialize(topic, bytes)).toMatchObject({ kind: 'failed', reason: 'undecodable' });
    }
  });

  test('should take any bytes: what is no frame, or no value, is undecodable', async () => {
    const whole = serdes.serialize(TASK_EVENTS, 'StreamClosed', valueOf('StreamClosed', 4) as never);
    const broken = [new Uint8Array(0), Uint8Array.of(0, 1), Uint8Array.of(9, 0, 0, 0, 1, 0), whole.subarray(0, 5)];

    await serdes.prepare(TASK_EVENTS, broken);

    for (const bytes of broken)
      expect(serdes.deserialize(TASK_EVENTS, bytes)).toMatchObject({ kind: 'failed', reason: 'undecodable' });
  });

  test('should name a schema that does not exist as unknown, without failing to prepare', async () => {
    const bytes = Uint8Array.of(0, 0x7f, 0xff, 0xff, 0xf1, 0);

    await serdes.prepare(TASK_EVENTS, [bytes]);

    expect(serdes.deserialize(TASK_EVENTS, bytes)).toMatchObject({ kind: 'failed', reason: 'unknown-schema' });
  });
});
