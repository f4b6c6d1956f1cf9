import { COMPATIBILITY as LEVELS, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import avsc from 'avsc';
import { COMPATIBILITY } from '../../schemas/catalogue.js';
import type { AvroSchema } from './avro-schema.js';
import type { KnownSchema } from './avro-codec.js';
import { HoldfastError } from '../errors.js';
import { RegistryRefusedError, RegistryUnreachableError, SchemaRefusedError } from './errors.js';
import type { RegistryConnection } from './registry-connection.js';
import { NoAnswer, RegistryRefusal, registryApi } from './registry-transport.js';

/** What Holdfast asks a registry for. Subjects are always named; nothing is registered but by `register`. */
export type RegistryClient = {
  readonly url: string;
  /** The schema with this ID; `missing`: the registry says that there is none. @throws RegistryUnreachableError, RegistryRefusedError */
  readonly schemaById: (id: number) => Promise<KnownSchema | { readonly kind: 'missing' }>;
  /** The ID of this very schema among the subject's versions; `undefined`: it is none. @throws RegistryUnreachableError, RegistryRefusedError */
  readonly idOf: (subject: string, schema: string) => Promise<number | undefined>;
  /** Whether the subject has any version. @throws RegistryUnreachableError, RegistryRefusedError */
  readonly exists: (subject: string) => Promise<boolean>;
  /** The subject's own compatibility; `undefined`: it has none set. @throws RegistryUnreachableError, RegistryRefusedError */
  readonly compatibility: (subject: string) => Promise<string | undefined>;
  /**
   * Sets the subject's compatibility and adds the schema to its versions; the schema's ID.
   * @throws SchemaRefusedError it is not compatible with the versions before it; RegistryUnreachableError
   */
  readonly register: (subject: string, schema: string) => Promise<number>;
};

const CLIENT_ID = 'holdfast';
const NOT_FOUND = 404;
const UNAUTHORIZED: readonly (number | undefined)[] = [401, 403];
/** Incompatible; and what registries answer to a schema they find invalid. */
const REFUSALS: readonly (number | undefined)[] = [409, 422];

/** Asks for nothing yet. */
export const openRegistryClient = (connection: RegistryConnection): RegistryClient => {
  const { url } = connection;
  const registry = new SchemaRegistry({ host: url, clientId: CLIENT_ID });
  const api = registryApi(connection);
  Object.assign(registry, { api });
  const confluent = (schema: string): { readonly type: SchemaType.AVRO; readonly schema: string } => ({
    type: SchemaType.AVRO,
    schema,
  });
  const failed = (error: unknown): HoldfastError => {
    if (error instanceof HoldfastError) return error;
    const status = statusOf(error);
    return UNAUTHORIZED.includes(status)
      ? new RegistryRefusedError(url, Number(status))
      : new RegistryUnreachableError(url, reasonOf(error), error);
  };
  /** The answer, or `undefined` where the registry says that it has no such thing. */
  const found = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (statusOf(error) === NOT_FOUND || isNotFound(error)) return undefined;
      throw failed(error);
    }
  };
  return {
    url,
    schemaById: async (id) => {
      try {
        // What is known is remembered elsewhere; an answer that was wrong must not be, for ever.
        registry.cache.clear();
        return known(await registry.getSchema(id));
      } catch (error) {
        if (statusOf(error) === NOT_FOUND) return { kind: 'missing' };
        if (error instanceof HoldfastError || error instanceof NoAnswer || statusOf(error) !== undefined)
          throw failed(error);
        // The registry answered; what it holds is no schema that can be read with.
        return { kind: 'unreadable', detail: reasonOf(error) };
      }
    },
    idOf: (subject, schema) => found(() => registry.getRegistryIdBySchema(subject, confluent(schema))),
    exists: async (subject) => (await found(() => registry.getLatestSchemaId(subject))) !== undefined,
    compatibility: (subject) => found(async () => levelIn((await api.Subject.config({ subject })).data())),
    register: async (subject, schema) => {
      try {
        // First: the library would set it only after the first version, and refuses a subject that has another.
        await api.Subject.updateConfig({ subject, body: { compatibility: COMPATIBILITY } });
        const { id } = await registry.register(confluent(schema), { subject, compatibility: LEVELS[COMPATIBILITY] });
        return id;
      } catch (error) {
        if (REFUSALS.includes(statusOf(error))) throw new SchemaRefusedError(subject, reasonOf(error), error);
        throw failed(error);
      }
    },
  };
};

const known = (schema: unknown): KnownSchema => {
  if (!avsc.Type.isType(schema)) return { kind: 'unreadable', detail: 'it is no Avro schema' };
  // Complete in itself, also where it was put together of references.
  return { kind: 'schema', schema: (schema as avsc.Type).schema({ exportAttrs: true }) as AvroSchema };
};

/** Registries differ in the name. */
const levelIn = ({ compatibilityLevel, compatibility = compatibilityLevel }: Readonly<Record<string, unknown>>) => {
  if (typeof compatibility !== 'string') throw new NoAnswer('its answer has no compatibility: is registry.url right?');
  return compatibility;
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const statusOf = (error: unknown): number | undefined => (error instanceof RegistryRefusal ? error.status : undefined);

/** `getRegistryIdBySchema` translates a 404, and nothing else, into this class. */
const isNotFound = (error: unknown): boolean =>
  error instanceof Error && error.constructor.name === 'ConfluentSchemaRegistryError';
