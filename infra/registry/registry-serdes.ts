import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { subjects, type Subject } from '../../schemas/catalogue.js';
import type { Serdes } from '../streams/serdes.js';
import type { Topic } from '../../topology/kit/topology.js';
import { AvroCodec, isSameSchema, type Registered } from './avro-codec.js';
import { parseSchema } from './avro-schema.js';
import { cloudEventHeaders } from './cloud-event-headers.js';
import { RegistryContradictsItselfError, RegistryUnreachableError, SchemasNotRegisteredError } from './errors.js';
import { MissingSchemas } from './missing-schemas.js';
import { openRegistryClient, type RegistryClient } from './registry-client.js';
import type { RegistryConnection } from './registry-connection.js';
import { SchemaQuestions } from './schema-questions.js';

export type RegistrySerdesOptions = RegistryConnection & {
  /** Put before topic names, and so before subjects. */
  readonly topicPrefix?: string;
  /** How long a schema ID that the registry does not know is asked for before its records are set aside (R59). */
  readonly schemaWaitMs: number;
};

/** What is written by the stream applications of Holdfast names itself so; each record is an event of its own. */
const SOURCE = '/holdfast';
const eventHeaders = (record: string) => cloudEventHeaders({ id: randomUUID(), source: SOURCE, record });

/** Missing schemas are asked for again after so long: the first of these, or so much for each where they are many, ms. */
const ASK_AGAIN_MS = 500;
const ASK_AGAIN_EACH_MS = 5;
/** IDs remembered whose schemas are doubted; one that is forgotten is asked for later. */
const DOUBTED_KEPT = 1_000;
/** A schema that nothing can be read with is asked for again after so long, if records still come with it. */
const DOUBT_MS = 60_000;

/**
 * Serdes over a schema registry. Looks up its own schemas' IDs once, here, and never registers any.
 * @throws SchemasNotRegisteredError, RegistryContradictsItselfError, RegistryUnreachableError
 */
export const openRegistrySerdes = async (options: RegistrySerdesOptions): Promise<Serdes> => {
  // Each question and each wait listens; Node takes more than ten for a leak.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const client = openRegistryClient(options);
  const registered = await registeredSchemas(client, subjects(options.topicPrefix));
  return serdesOver(client, registered, options);
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
export const serdesOver = (
  client: RegistryClient,
  registered: readonly Registered[],
  { schemaWaitMs, signal }: Pick<RegistrySerdesOptions, 'schemaWaitMs' | 'signal'>,
): Serdes => {
  const codec = new AvroCodec(registered);
  const questions = new SchemaQuestions(client);
  const missingSchemas = new MissingSchemas();
  /** When an ID that is of no use was asked for last; ms on a monotonic clock. */
  const doubtedAt = new Map<number, number>();

  /** The IDs that the registry does not have. */
  const learn = async (ids: readonly number[]): Promise<readonly number[]> => {
    const missing: number[] = [];
    await questions.ask(ids, (id, answer) => {
      if (answer.kind === 'missing') {
        missing.push(id);
        return;
      }
      codec.learn(id, answer);
      missingSchemas.found(id);
    });
    return missing;
  };

  /** @throws RegistryUnreachableError nobody waits any more */
  const pause = async (ms: number): Promise<void> => {
    await delay(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      throw new RegistryUnreachableError(client.url, 'nobody waits for it any more', error);
    });
  };

  /** Asks until every ID is known, or is missing for `schemaWaitMs`. */
  const fetchUnknown = async (unknown: readonly number[]): Promise<void> => {
    missingSchemas.join(unknown);
    try {
      let ids = unknown;
      for (;;) {
        const missing = await learn(ids);
        if (missing.length === 0) return;
        await confirm(client, registered);
        const now = performance.now();
        ids = missing.filter((id) => now - missingSchemas.missing(id, now) < schemaWaitMs);
        if (ids.length === 0) return;
        await pause(Math.min(Math.max(ASK_AGAIN_MS, ids.length * ASK_AGAIN_EACH_MS), schemaWaitMs));
      }
    } finally {
      missingSchemas.leave(unknown);
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

/** When an ID was doubted first: now, where it was not. */
const remember = (times: Map<number, number>, id: number, now: number): number => {
  const since = times.get(id);
  if (since !== undefined) return since;
  const [oldest] = times.keys();
  if (oldest !== undefined && times.size >= DOUBTED_KEPT) times.delete(oldest);
  times.set(id, now);
  return now;
};
