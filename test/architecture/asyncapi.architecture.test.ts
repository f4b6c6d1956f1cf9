import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Ajv, type AnySchemaObject } from 'ajv';
import { readCloudEvent } from '../../infra/registry/cloud-event-headers.js';
import { RECORDS_BY_TOPIC } from '../../schemas/catalogue.js';
import { EXAMPLES } from '../../services/asyncapi/examples.js';
import { TOPICS } from '../../topology/topics.js';

const root = new URL('../../../', import.meta.url);
const file = new URL('schemas/asyncapi.json', root);
const require = createRequire(import.meta.url);

type Json = { readonly [key: string]: Json } & { readonly $ref?: string };
type Message = {
  readonly headers: { readonly allOf: readonly AnySchemaObject[] };
  readonly examples?: readonly { readonly headers: Readonly<Record<string, string>> }[];
};

const read = (from: URL): Json => JSON.parse(readFileSync(from, 'utf8')) as Json;
const DOCUMENT = read(file);

/** The official JSON Schema of AsyncAPI 3, which knows Avro and the bindings of Kafka. */
const official = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
  require('@asyncapi/specs/schemas/3.0.0-without-$id.json') as AnySchemaObject,
);
const faults = (document: unknown): readonly string[] => {
  if (official(document) === true) return [];
  return [...new Set((official.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message ?? ''}`))];
};

const refsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
};

const resolve = (to: string): unknown => {
  const [path = '', pointer = ''] = to.split('#');
  const document = path === '' ? DOCUMENT : read(new URL(path, file));
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document);
};

/** The document with the files it points to in it, so that they are checked where they stand. */
const whole = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(whole);
  const { $ref } = value as Json;
  if ($ref?.startsWith('.')) return resolve($ref);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, whole(inner)]));
};

describe('the AsyncAPI document', () => {
  test('should be what the generator makes of topics and records', () => {
    const generator = fileURLToPath(new URL('services/asyncapi/generate.mjs', root));
    const { status, stdout, stderr } = spawnSync(process.execPath, [generator, '--check'], { encoding: 'utf8' });

    expect({ status, stdout, stderr }).toStrictEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('should be valid AsyncAPI 3, with the Avro schemas in it and without', () => {
    expect(faults(DOCUMENT)).toStrictEqual([]);
    expect(faults(whole(DOCUMENT))).toStrictEqual([]);
  });

  test('should be refused where it is not valid', () => {
    const planted = whole(DOCUMENT) as {
      readonly channels: Readonly<Record<string, object>>;
      readonly components: {
        readonly messages: Readonly<Record<string, { readonly payload: { readonly schema: object } }>>;
      };
    };
    Object.assign(planted.channels['a2a-verdicts-v1'] ?? {}, { address: 1, bindings: { kafka: { partitions: 0 } } });
    Object.assign(planted.components.messages.Verdict?.payload.schema ?? {}, { type: 'recrd' });

    const found = faults(planted);
    expect(found).toContain('/channels/a2a-verdicts-v1/address: must be string,null');
    expect(found).toContain('/channels/a2a-verdicts-v1/bindings/kafka/partitions: must be >= 1');
    expect(found.filter((fault) => fault.startsWith('/components/messages/Verdict/payload/schema'))).not.toStrictEqual(
      [],
    );
  });

  test('should point to nothing that is not there', () => {
    expect(refsIn(DOCUMENT).filter((to) => resolve(to) === undefined)).toStrictEqual([]);
  });

  test('should have a channel for each topic, with an operation for each of its records', () => {
    const operations = Object.values(DOCUMENT.operations ?? {}) as unknown as readonly {
      messages: { $ref: string }[];
    }[];
    const named = operations.map(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1)));

    const addresses = Object.values(DOCUMENT.channels ?? {}).map((channel) => (channel as Json).address);

    expect(addresses).toStrictEqual(TOPICS.map(({ name }) => `{topicPrefix}${name}`));
    expect(named).toStrictEqual(TOPICS.map(({ records }) => [...records]));
  });

  test('should have an example of each record that a producer may write, under headers that are an event', () => {
    const messages = (DOCUMENT.components?.messages ?? {}) as unknown as Readonly<Record<string, Message>>;
    const shown = Object.entries(messages).flatMap(([record, { examples = [] }]) =>
      examples.map(({ headers }) => ({ record, headers })),
    );

    expect(shown.map(({ record }) => record).sort()).toStrictEqual([...RECORDS_BY_TOPIC['a2a.task-events.v1']].sort());
    expect(shown.map(({ record }) => record).sort()).toStrictEqual(EXAMPLES.map(({ type }) => type).sort());
    for (const { record, headers } of shown) {
      const bytes = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]));
      const { ce_id: id, ce_source: source } = headers;
      expect(readCloudEvent(bytes)).toStrictEqual({ kind: 'event', event: { id, source, record } });
    }
  });

  test('should describe headers by which events without an ID are refused', () => {
    const schema = resolve('#/components/schemas/cloudEvent') as AnySchemaObject;
    const isEvent = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    const headers = { ce_specversion: '1.0', ce_id: '1', ce_source: '/a', ce_type: 'holdfast.v1.StreamClosed' };

    expect(isEvent(headers)).toBe(true);
    expect(isEvent({ ...headers, ce_id: undefined })).toBe(false);
    expect(isEvent({ ...headers, ce_specversion: '0.3' })).toBe(false);
  });
});
