import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KafkaConnection } from '../../infra/kafka/kafka-config.js';
import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import { startLocalKafka } from '../../infra/local/local-backend.js';
import type { LocalKafka } from '../../infra/local/local-backend.js';
import { eventually, readAll, record, rejection } from '../integration/kafka-fixture.js';

let broker: LocalKafka;
const lines: string[] = [];
const say = (fields: Record<string, unknown>, message: string): void => {
  lines.push(`${message} ${JSON.stringify(fields)}`);
};
const logger = { debug: say, info: say, warn: say, error: say };
const PASSWORD = 'never-to-be-logged';

const as = (password: string): KafkaConnection => ({
  brokers: [broker.listeners.SASL ?? 'no listener'],
  clientId: 'holdfast-test',
  sasl: { mechanism: 'plain', credentials: () => ({ username: 'holdfast', password }) },
});

beforeAll(async () => {
  const login = `org.apache.kafka.common.security.plain.PlainLoginModule required user_holdfast="${PASSWORD}";`;
  broker = await startLocalKafka({
    kafka: {
      listeners: [{ name: 'SASL', protocol: 'SASL_PLAINTEXT' }],
      properties: {
        'sasl.enabled.mechanisms': 'PLAIN',
        'listener.name.sasl.sasl.enabled.mechanisms': 'PLAIN',
        'listener.name.sasl.plain.sasl.jaas.config': login,
        // Sessions end often, so that connections have to authenticate again while they are in use.
        'listener.name.sasl.connections.max.reauth.ms': 12_000,
      },
    },
  });
}, 180_000);

afterAll(() => broker.stop(), 60_000);

describe('a broker that asks for a password', () => {
  it('should be used by every client of ours, and the password not be logged', async () => {
    const admin = new KafkaAdmin(as(PASSWORD), logger);
    const clients = createKafkaStreamClients({ connection: as(PASSWORD), logger, groupId: 'secured' });
    const producer = createPlainProducer(as(PASSWORD), logger);
    const at = { topic: 'secured', partition: 0 };
    await admin.createTopics([{ name: at.topic, partitions: 1, config: {} }]);
    const owner = await clients.fence('secured-lock');
    await owner.commit({ records: [record(at, 'k', '1')], positions: [{ ...at, offset: 1n }] });
    await clients.fence('secured-lock');
    await producer.send([record(at, 'k', '2')]);
    let assigned: readonly number[] | undefined;
    const membership = await clients.join(
      { groupId: 'secured-members', source: at.topic, partitions: 1, groups: 1, instanceId: 'one' },
      {
        onAssigned: (groups) => {
          assigned = groups;
        },
        onFetched: () => Promise.resolve(),
        onFailed: () => undefined,
      },
    );
    await eventually(() => assigned, 'an assignment');

    const { records } = await readAll(clients.reader, at);

    await membership.leave();
    await Promise.all([clients.close(), producer.close(), admin.close()]);
    expect(records).toStrictEqual(['0 k=1', '2 k=2']);
    expect(assigned).toStrictEqual([0]);
    expect(lines.filter((line) => line.includes(PASSWORD))).toStrictEqual([]);
  }, 60_000);

  it('should refuse a wrong one, readably and at once', async () => {
    const clients = createKafkaStreamClients({ connection: as('wrong'), logger, groupId: 'secured' });
    const producer = createPlainProducer(as('wrong'), logger);

    const errors = await Promise.all([
      rejection(clients.fence('secured-lock')),
      rejection(clients.partitionCounts(['secured'])),
      rejection(clients.reader.bounds([{ topic: 'secured', partition: 0 }])),
      rejection(clients.reader.read({ topic: 'secured', partition: 0 }, { from: 0n }, () => Promise.resolve())),
      rejection(producer.send([record({ topic: 'secured', partition: 0 }, 'k', 'v')])),
    ]);
    await Promise.all([clients.close(), producer.close()]);

    expect(errors.map(({ code }) => code)).toStrictEqual(errors.map(() => 'HOLDFAST_KAFKA_REFUSED'));
    expect(errors[0].message).toContain('Authentication failed');
  }, 60_000);
});
