import { openRegistryClient } from '../../../infra/registry/registry-client.js';
import type { PlainRecord } from '../../../infra/kafka/plain-producer.js';
import { subjects } from '../../../schemas/catalogue.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import { TASK_EVENTS } from '../../../topology/topics.js';
import { dispatched } from '../../kit/decider-kit/builders.js';
import type { FaultRun } from './fault-run.js';

/** Index of `null` in the union of the field that another producer has added. */
const NO_NOTE = Buffer.from([0]);

/**
 * A dispatch as a producer with a later version of the schema writes it: under an ID that no process has seen, readable
 * once the registry is asked.
 */
export const dispatchOfLaterVersion = async (
  run: FaultRun,
  registryUrl: string,
  correlationId: string,
): Promise<PlainRecord> => {
  const own = subjects(run.schemaPrefix).find(({ record }) => record === 'DispatchObserved');
  if (own === undefined) throw new Error('there is no DispatchObserved');
  const schema = JSON.parse(own.schema) as { readonly fields: readonly unknown[] };
  const note = { name: 'note', doc: 'Added by another producer.', type: ['null', 'string'], default: null };
  const later = JSON.stringify({ ...schema, fields: [...schema.fields, note] });
  const id = await openRegistryClient({ url: registryUrl }).register(own.subject, later);
  const observation = dispatched('w1', { correlationId });
  const bytes = Buffer.concat([run.serdes.serialize(TASK_EVENTS, observation.type, observation), NO_NOTE]);
  bytes.writeInt32BE(id, 1);
  return {
    topic: run.topic(TASK_EVENTS.name),
    key: utf8(recordKey(undefined, correlationId)),
    value: bytes,
    headers: {},
  };
};
