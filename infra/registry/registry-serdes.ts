import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { subjects, type Subject } from '../../schemas/catalogue.js';
import type { Serdes } from '../streams/serdes.js';
import type { Topic } from '../../topology/kit/topology.js';
import { AvroCodec, isSameSchema, type Registered } from './avro-codec.js';
import { parseSchema } from './avro-schema.js';
import { cloudEventHeaders } from './cloud-event-headers.js';
import { RegistryContradictsItselfError, RegistryUnreachableError, SchemasNotRegisteredError } from './errors.js';
import { openRegistryClient, type RegistryClient } from './registry-client.js';
import type { RegistryConnection } from './registry-connection.js';

export type RegistrySerdesOptions = RegistryConnection & {
  /** Put before topic names, and so before subjects. */
  readonly topicPrefix?: string;
  /** How long a schema ID that the registry does not know is asked for before its records are set aside (R59). */
  readonly schemaWaitMs: number;
};

/** What is written by the stream applications of Holdfast names itself so; each record is an event of its own. */
const SOURCE = '/holdfast';
const eventHeaders = (record: string) => cloudEventHeaders({ id: randomUUID(), source: SOURCE, record });

const ASK_AGAIN_MS = 500;
/** IDs remembered as missing; anybody can write records with made-up ones. */
const MISSING_KEPT = 1_000;
/** A schema that nothing can be read with is asked for again after so long, if records still come with it. */
const DOUBT_MS = 60_000;

/**
 * Serdes over a schema registry. Looks up its own schemas' IDs once, here, and never registers any.
 * @throws SchemasNotRegisteredError, RegistryContradictsItselfError, RegistryUnreachableError
 */
export const openRegistrySerdes = async (options: RegistrySerdesOptions): Promise<Serdes> => {
  const client = openRegistryClient(options);
  const registered = await registeredSchemas(client, subjects(options.topicPrefix));
  return serdesOver(client, registered, options.schemaWaitMs);
};

const registeredSchemas = async (
  client: RegistryClient,
  wanted: readonly Subject[],
): Promise<readonly Registered[]> => {
  const ids = await Promise.all(wanted.map(({ subject, schema }) => client.idOf(subject, schema)));
  const registered = wanted.flatMap((subject, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...subject, id }];
  });
  const missing = wanted.filter((_, index) => ids[index] === undefined).map(({ subject }) => subject);
  if (missing.length > 0) throw new SchemasNotRegisteredError(client.url, missing);
  await Promise.all(registered.map((one) => assertUnderItsId(client, one)));
  return registered;
};

/** Other readers find a schema by its ID alone. @throws RegistryContradictsItselfError, RegistryUnreachableError */
const assertUnderItsId = async (client: RegistryClient, { id, schema, subject }: Registered): Promise<void> => {
  const answer = await client.schemaById(id);
  if (answer.kind === 'schema' && isSameSchema(answer.schema, parseSchema(schema))) return;
  const found = { missing: 'it has none', schema: 'it has another one', unreadable: 'is what cannot be read with' };
  throw new RegistryContradictsItselfError(client.url, subject, id, found[answer.kind]);
};

/** As `openRegistrySerdes`, for a client and IDs that are there already. */
export const serdesOver = (client: RegistryClient, registered: readonly Registered[], schemaWaitMs: number): Serdes => {
  const codec = new AvroCodec(registered);
  /** When an ID was first found missing, and when one that is of no use was asked for last; ms on a monotonic clock. */
  const missingSince = new Map<number, number>();
  const doubtedAt = new Map<number, number>();

  const learn = async (ids: readonly number[]): Promise<readonly number[]> => {
    const answers = await Promise.all(ids.map(async (id) => ({ id, answer: await client.schemaById(id) })));
    for (const { id, answer } of answers) {
      if (answer.kind === 'missing') continue;
      codec.learn(id, answer);
      missingSince.delete(id);
    }
    return answers.filter(({ answer }) => answer.kind === 'missing').map(({ id }) => id);
  };

  /** Asks until every ID is known, or is missing for `schemaWaitMs`. */
  const fetchUnknown = async (unknown: readonly number[]): Promise<void> => {
    let ids = unknown;
    for (;;) {
      const missing = await learn(ids);
      if (missing.length === 0) return;
      await confirm(client, registered);
      const now = performance.now();
      ids = missing.filter((id) => now - remember(missingSince, id, now) < schemaWaitMs);
      if (ids.length === 0) return;
      await delay(Math.min(ASK_AGAIN_MS, schemaWaitMs));
    }
  };

  /** An answer may have been a lie; only the registry's next one tells. */
  const askAgain = async (topic: Topic<unknown>, values: readonly Uint8Array[]): Promise<void> => {
    const now = performance.now();
    const ids = codec.doubtfulIds(topic, values).filter((id) => now - remember(doubtedAt, id, now) >= DOUBT_MS);
    if (ids.length === 0) return;
    for (const id of ids) doubtedAt.delete(id);
    await learn(ids);
  };

  return {
    prepare: async (topic, values) => {
      const unknown = codec.unknownIds(values);
      if (unknown.length > 0) await fetchUnknown(unknown);
      await askAgain(topic, values);
    },
    serialize: (topic, record, value) => codec.serialize(topic, record, value),
    headers: eventHeaders,
    deserialize: (topic, bytes) => codec.deserialize(topic, bytes),
  };
};

/**
 * "No such schema" counts only from a registry that still knows ours: from a proxy's 404 page, or a registry that lost its
 * data, it would set every record aside. @throws RegistryUnreachableError
 */
const confirm = async (client: RegistryClient, [own]: readonly Registered[]): Promise<void> => {
  if (own === undefined || (await client.idOf(own.subject, own.schema)) === own.id) return;
  throw new RegistryUnreachableError(
    client.url,
    `it does not have schema ${own.id} of ${own.subject} any more; was it emptied? Restore its data: records name schemas by these IDs`,
  );
};

/** When something about an ID was remembered first: now, where it was not. */
const remember = (times: Map<number, number>, id: number, now: number): number => {
  const since = times.get(id);
  if (since !== undefined) return since;
  const [oldest] = times.keys();
  if (oldest !== undefined && times.size >= MISSING_KEPT) times.delete(oldest);
  times.set(id, now);
  return now;
};
