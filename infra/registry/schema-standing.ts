import { fullNameOf, subjectOf } from '../../schemas/catalogue.js';
import { SCHEMAS } from '../../schemas/generated.js';
import { avroType, parseSchema } from './avro-schema.js';
import { AvroCodec, type KnownSchema } from './avro-codec.js';
import { RegistryUnreachableError } from './errors.js';
import type { RegistryClient } from './registry-client.js';

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
const NOT_FOUND = 404;

/** @throws RegistryUnreachableError */
export const schemaStanding = async (client: RegistryClient, topic: string, id: number): Promise<SchemaStanding> => {
  const known = await client.schemaById(id);
  if (known.kind !== 'schema') return known;
  const unreadable = reasonAgainst(id, known);
  if (unreadable !== undefined) return { kind: 'unreadable', detail: unreadable };
  const type = avroType(known.schema);
  const record = (type.name ?? '').slice(fullNameOf('').length);
  const own = SCHEMAS[record as keyof typeof SCHEMAS];
  const subjects = await subjectsOf(client.url, id);
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
const subjectsOf = async (url: string, id: number): Promise<readonly unknown[]> => {
  try {
    const answer = await fetch(`${url}/schemas/ids/${id}/subjects`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === NOT_FOUND) return [];
    const body: unknown = await answer.json();
    if (answer.ok && Array.isArray(body)) return body as readonly unknown[];
    throw new RegistryUnreachableError(url, `it answers ${answer.status} to the subjects of schema ${id}`);
  } catch (error) {
    if (error instanceof RegistryUnreachableError) throw error;
    throw new RegistryUnreachableError(url, error instanceof Error ? error.message : String(error), error);
  }
};
