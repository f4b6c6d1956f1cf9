import { cloudEventHeaders } from '../../../infra/registry/cloud-event-headers.js';
import { ANY_GROUP, type RightsRole } from '../../../services/rights/rights.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import type { Observation } from '../../../topology/observation.js';
import { TASK_EVENTS, VERDICTS, VIOLATIONS } from '../../../topology/topics.js';
import { withStockKafkajs } from '../../integration/kafka-stock.js';
import type { GuardedMesh } from './guarded-mesh.js';

/** `done`, or the type of the error that ended it, in Kafka's words. */
export type ForeignOutcome = string;

const connection = (mesh: GuardedMesh, role: RightsRole): string => JSON.stringify(mesh.kafka.as(role));

/** kafkajs as it comes, idempotent, writes one observation. */
export const produceAsForeigner = (mesh: GuardedMesh, correlationId: string): Promise<ForeignOutcome> => {
  const value: Observation = {
    type: 'DispatchObserved',
    correlationId,
    agentId: 'w1',
    by: 'client',
    messageId: `m-${correlationId}`,
    inputKept: false,
    continues: false,
  };
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const record = {
    key: text(utf8(recordKey(undefined, correlationId))),
    value: text(mesh.serdes.serialize(TASK_EVENTS, value.type, value)),
    headers: Object.entries(cloudEventHeaders({ id: correlationId, source: '/somebody/else', record: value.type })).map(
      ([name, header]) => [name, text(header)],
    ),
  };
  return withStockKafkajs<ForeignOutcome>(`
    const producer = kafka(${connection(mesh, 'producer')}).producer({ idempotent: true });
    const { key, value, headers } = ${JSON.stringify(record)};
    const bytes = (text) => Buffer.from(text, 'base64');
    await producer.connect()
      .then(() => producer.send({ topic: ${JSON.stringify(mesh.topic(TASK_EVENTS))}, messages: [{ key: bytes(key),
        value: bytes(value), headers: Object.fromEntries(headers.map(([name, header]) => [name, bytes(header)])) }] }))
      .then(() => done('done'), (error) => done(error.type ?? error.cause?.type ?? error.message));`);
};

/** kafkajs as it comes joins its group and reads a record of each topic. */
export const consumeAsForeigner = (mesh: GuardedMesh): Promise<ForeignOutcome> =>
  withStockKafkajs<ForeignOutcome>(`
    const consumer = kafka(${connection(mesh, 'consumer')}).consumer({
      groupId: ${JSON.stringify(ANY_GROUP)}, retry: { retries: 1, restartOnFailure: () => Promise.resolve(false) } });
    const wanted = new Set(${JSON.stringify([mesh.topic(VERDICTS), mesh.topic(VIOLATIONS)])});
    // Leaves the group, so that the next one need not wait for it.
    const end = (word) => consumer.disconnect().then(() => done(word), () => done(word));
    const fail = (error) => end(error.type ?? error.cause?.type ?? error.message);
    consumer.on(consumer.events.CRASH, ({ payload }) => fail(payload.error));
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...wanted], fromBeginning: true });
      await consumer.run({ autoCommit: false, eachMessage: async ({ topic }) => {
        wanted.delete(topic);
        if (wanted.size === 0) void end('done');
      } });
    } catch (error) {
      fail(error);
    }`);
