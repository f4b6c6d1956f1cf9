import { HoldfastError } from '../errors.js';
import { httpRequest } from '../http/http-request.js';
import { fullNameOf, subjectOf } from '../../schemas/catalogue.js';
import { SCHEMAS } from '../../schemas/generated.js';
import { avroType, parseSchema } from './avro-schema.js';
import { AvroCodec, type KnownSchema } from './avro-codec.js';
import { RegistryRefusedError, RegistryUnreachableError } from './errors.js';
import type { RegistryConnection } from './registry-connection.js';

/** What a schema ID in a frame stands for, seen from one topic: what its producer registered, and how far that is ours. */
export type SchemaStanding =
  | { readonly kind: 'missing' }
  /** No value written with it can be read. */
  | { readonly kind: 'unreadable'; readonly detail: string }
  | {
      readonly kind: 'readable';
      /** Short name of the record. */
      readonly record: string;
      /** The very schema of this version; else another one that this version reads. */
      readonly isOurs: boolean;
      /** It is a version of the record's subject on this topic. */
      readonly isRegisteredHere: boolean;
    };

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1024 * 1024;
const NOT_FOUND = 404;

/**
 * The standing of what the registry holds under an ID, on a topic as it is called in the cluster.
 * @throws RegistryUnreachableError, RegistryRefusedError
 */
export const schemaStanding = async (
  connection: RegistryConnection,
  topic: string,
  id: number,
  known: KnownSchema | { readonly kind: 'missing' },
): Promise<SchemaStanding> => {
  if (known.kind !== 'schema') return known;
  const unreadable = reasonAgainst(id, known);
  if (unreadable !== undefined) return { kind: 'unreadable', detail: unreadable };
  const type = avroType(known.schema);
  const record = (type.name ?? '').slice(fullNameOf('').length);
  const own = SCHEMAS[record as keyof typeof SCHEMAS];
  const subjects = await subjectsOf(connection, id);
  return {
    kind: 'readable',
    record,
    isOurs: avroType(parseSchema(own)).fingerprint('sha256').equals(type.fingerprint('sha256')),
    isRegisteredHere: subjects.includes(subjectOf(topic, record)),
  };
};

/** Why this version reads nothing that was written with a schema; `undefined`: it does. */
const reasonAgainst = (id: number, known: KnownSchema): string | undefined => {
  const codec = new AvroCodec([]);
  codec.learn(id, known);
  return codec.unreadable(id);
};

/** The subjects that have this schema as a version. */
const subjectsOf = async (connection: RegistryConnection, id: number): Promise<readonly unknown[]> => {
  const { url, authorization, agent } = connection;
  try {
    const { status, text } = await httpRequest(`${url}/schemas/ids/${id}/versions`, {
      headers: authorization === undefined ? {} : { authorization: authorization() },
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_BYTES,
      ...(agent === undefined ? {} : { agent }),
    });
    if (status === NOT_FOUND) return [];
    if (status === 401 || status === 403) throw new RegistryRefusedError(url, status);
    const body: unknown = JSON.parse(text);
    if (Array.isArray(body)) return body.map((version: { readonly subject?: unknown } | null) => version?.subject);
    throw new RegistryUnreachableError(url, `it answers ${status} to the versions of schema ${id}`);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new RegistryUnreachableError(url, error instanceof Error ? error.message : String(error), error);
  }
};
