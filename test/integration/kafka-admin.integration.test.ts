import { afterAll, describe, expect, it } from '@jest/globals';
import type { TopicSpec } from '../../infra/kafka/topic-spec.js';
import { KafkaFixture, record, rejection } from './kafka-fixture.js';

const kafka = new KafkaFixture();
afterAll(() => kafka.clean(), 60_000);

describe('topics', () => {
  it('should be created once, as specified, and be found so', async () => {
    const specs: TopicSpec[] = [
      {
        name: kafka.name('events'),
        partitions: 3,
        config: { 'message.timestamp.type': 'LogAppendTime', 'compression.type': 'gzip' },
      },
      { name: kafka.name('log'), partitions: 1, replicationFactor: 1, config: { 'cleanup.policy': 'compact' } },
    ];

    expect(await kafka.admin.createTopics(specs)).toStrictEqual(specs.map(({ name }) => name));
    expect(await kafka.admin.createTopics(specs)).toStrictEqual([]);
    expect(await kafka.admin.checkTopics(specs)).toStrictEqual([]);
  });

  it('should be told apart from their specs in words, every difference', async () => {
    const name = await kafka.topic(2, { 'cleanup.policy': 'delete' });
    const absent = kafka.name('absent');

    const faults = await kafka.admin.checkTopics([
      { name, partitions: 8, replicationFactor: 3, config: { 'cleanup.policy': 'compact', 'no.such.setting': '1' } },
      { name: absent, partitions: 1, config: {} },
    ]);

    expect(faults).toStrictEqual([
      `topic ${name} has 2 partitions, not 8`,
      `topic ${name} has 1 replicas, not 3`,
      `topic ${name} has cleanup.policy=delete, not compact`,
      `topic ${name} has no setting no.such.setting, wanted 1`,
      `topic ${absent} does not exist`,
    ]);
  });

  it('should not be created from specs that are wrong', async () => {
    const spec = { name: kafka.name('twice'), partitions: 1, config: {} };

    const error = await rejection(
      kafka.admin.createTopics([spec, spec, { name: 'no spaces', partitions: 0, config: {} }]),
    );
    const refused = await rejection(kafka.admin.createTopics([{ ...spec, config: { 'cleanup.policy': 'nonsense' } }]));

    expect([error.code, error.message]).toStrictEqual([
      'HOLDFAST_KAFKA_REFUSED',
      `no topic was created: topic ${spec.name} is specified twice; "no spaces" cannot be the name of a topic; ` +
        'topic no spaces cannot have 0 partitions',
    ]);
    expect(refused.code).toBe('HOLDFAST_KAFKA_REFUSED');
    expect(await kafka.admin.checkTopics([spec])).toStrictEqual([`topic ${spec.name} does not exist`]);
  });

  it('should be deleted by prefix, and never all', async () => {
    const prefix = `${kafka.prefix}gone-`;
    const names = [`${prefix}1`, `${prefix}2`];
    await kafka.admin.createTopics(names.map((name) => ({ name, partitions: 1, config: {} })));

    expect(await kafka.admin.deleteTopics(prefix)).toStrictEqual(names);
    expect(await kafka.admin.deleteTopics(prefix)).toStrictEqual([]);
    expect((await rejection(kafka.admin.deleteTopics(''))).code).toBe('HOLDFAST_KAFKA_REFUSED');
  });

  it('should have their offsets described', async () => {
    const topic = await kafka.topic(2);
    const clients = kafka.clients(kafka.name('group'));
    const lock = kafka.name('lock');
    const producer = await clients.fence(lock);
    await producer.commit({ records: [record({ topic, partition: 1 }, 'k', 'v')], positions: [] });
    await clients.fence(lock);

    expect(await kafka.admin.describeOffsets([topic])).toStrictEqual([
      { topic, partition: 0, low: 0n, end: 0n },
      { topic, partition: 1, low: 0n, end: 2n },
    ]);
  });
});
