import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import { cloudEventHeaders } from '../../infra/registry/cloud-event-headers.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import { silent } from '../integration/kafka-fixture.js';
import { topicOf } from '../unit/schemas/arbitraries.js';
import { ForeignWorld, PARTITIONS, type Batch } from './foreign-world.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { PUBLIC } from './golden.js';
import { LANGUAGES, run } from './languages.js';
import { valuesFor, type Value } from './values.js';

const SOURCE = '/holdfast/test';
const BATCHES: readonly Batch[] = PUBLIC.map(({ record }) => ({ record, values: valuesFor(record, 1_000) }));

const world = new ForeignWorld();

const keyOf = (record: string, { tenant, correlationId, agentId }: Value): string => {
  if (typeof correlationId === 'string')
    return recordKey(typeof tenant === 'string' ? tenant : undefined, correlationId);
  return typeof agentId === 'string' ? agentId : record;
};

beforeAll(async () => {
  await world.start();
  const producer = createPlainProducer({ brokers: world.config.kafka.brokers, clientId: 'test' }, silent);
  const written = BATCHES.flatMap(({ record, values }, batch) =>
    values.map((value, index) => {
      const topic = topicOf(record);
      const key = utf8(keyOf(record, value as Value));
      return producer.send([
        {
          topic: world.topic(topic.name),
          key,
          partition: topic.partitioning === 'single' ? 0 : partitionOf(key, PARTITIONS),
          value: world.serdes.serialize(topic, record, value),
          headers: cloudEventHeaders({ id: `${batch}-${record}-${index}`, source: SOURCE, record }),
        },
      ]);
    }),
  );
  await Promise.all(written);
  await producer.close();
}, 300_000);

afterAll(() => world.stop(), 60_000);

describe.each(LANGUAGES)('what Holdfast writes, in $name', (language) => {
  it('should be read whole, a thousand values of every public record and more', async () => {
    const [said] = await run(language, 'compare', world.kafka, world.plan(SOURCE, BATCHES));

    expect(said).toStrictEqual({
      equal: Object.fromEntries(BATCHES.map(({ record, values }) => [record, values.length])),
      differing: [],
      missing: 0,
    });
  }, 300_000);
});
