import { describe, expect, test } from '@jest/globals';
import type { KnownSchema } from '../../../infra/registry/avro-codec.js';
import { parseSchema } from '../../../infra/registry/avro-schema.js';
import { RegistryUnreachableError } from '../../../infra/registry/errors.js';
import type { RegistryClient } from '../../../infra/registry/registry-client.js';
import { serdesOver } from '../../../infra/registry/registry-serdes.js';
import { subjects } from '../../../schemas/catalogue.js';
import { SCHEMAS } from '../../../schemas/generated.js';
import { TASK_EVENTS } from '../../../topology/topics.js';

const URL = 'http://registry.example';
const registered = subjects().map((subject, index) => ({ ...subject, id: index + 1 }));
const FOREIGN = 900;
/** StreamClosed: tenant null, correlationId "a", agentId "b", serverTaskId null, clean. */
const BODY = [0, 2, 0x61, 2, 0x62, 0, 1];
const frame = (id: number): Uint8Array => Uint8Array.from([0, 0, 0, id >> 8, id & 0xff, ...BODY]);
const VALUE = { type: 'StreamClosed', correlationId: 'a', agentId: 'b', clean: true };
const KNOWN: KnownSchema = { kind: 'schema', schema: parseSchema(SCHEMAS.StreamClosed) };

/** A registry that answers the n-th question for an ID with the n-th answer, and the last one ever after. */
const registryWith = (
  answers: readonly (KnownSchema | { readonly kind: 'missing' } | RegistryUnreachableError)[],
  own: number | undefined = registered[0]?.id,
): { readonly client: RegistryClient; readonly asked: number[] } => {
  const asked: number[] = [];
  const client: RegistryClient = {
    url: URL,
    schemaById: (id) => {
      const answer = answers[Math.min(asked.filter((earlier) => earlier === id).length, answers.length - 1)];
      asked.push(id);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? { kind: 'missing' });
    },
    idOf: () => Promise.resolve(own),
    exists: () => Promise.resolve(true),
    compatibility: () => Promise.resolve('FULL_TRANSITIVE'),
    register: () => Promise.reject(new Error('a service registered a schema')),
  };
  return { client, asked };
};

describe('a schema ID that is not known yet', () => {
  test('should be asked for once, however many records carry it, and never again', async () => {
    const { client, asked } = registryWith([KNOWN]);
    const serdes = serdesOver(client, registered, 50);

    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN), frame(FOREIGN)]);
    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

    expect(asked).toStrictEqual([FOREIGN]);
    expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN))).toStrictEqual({ kind: 'value', value: VALUE });
  });

  test('should not be asked for when it is one of ours, or the value is no frame', async () => {
    const { client, asked } = registryWith([KNOWN]);

    await serdesOver(client, registered, 50).prepare(TASK_EVENTS, [frame(1), Uint8Array.from([1, 2])]);

    expect(asked).toStrictEqual([]);
  });
});

describe('a schema ID that the registry does not have', () => {
  test('should be asked for until it is there', async () => {
    const { client, asked } = registryWith([{ kind: 'missing' }, { kind: 'missing' }, KNOWN]);
    const serdes = serdesOver(client, registered, 10_000);

    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

    expect(asked).toStrictEqual([FOREIGN, FOREIGN, FOREIGN]);
    expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN)).kind).toBe('value');
  });

  test('should be given up after schemaWait, and then asked for once a batch without waiting', async () => {
    const { client, asked } = registryWith([{ kind: 'missing' }]);
    const serdes = serdesOver(client, registered, 30);

    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);
    const first = asked.length;
    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

    expect(first).toBeGreaterThan(1);
    expect(asked.length).toBe(first + 1);
    expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN))).toStrictEqual({
      kind: 'failed',
      reason: 'unknown-schema',
      detail: `the registry has no schema ${FOREIGN}`,
    });
  });

  test('should not count as missing when the registry does not know our own schemas either', async () => {
    const { client } = registryWith([{ kind: 'missing' }], FOREIGN);
    const serdes = serdesOver(client, registered, 30);

    await expect(serdes.prepare(TASK_EVENTS, [frame(FOREIGN)])).rejects.toMatchObject({
      code: 'HOLDFAST_REGISTRY_UNREACHABLE',
      retryable: true,
    });
  });
});

test('should reject, retryable, while the registry cannot be asked', async () => {
  const { client } = registryWith([new RegistryUnreachableError(URL, 'refused'), KNOWN]);
  const serdes = serdesOver(client, registered, 30);

  await expect(serdes.prepare(TASK_EVENTS, [frame(FOREIGN)])).rejects.toMatchObject({
    code: 'HOLDFAST_REGISTRY_UNREACHABLE',
    retryable: true,
  });
  await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

  expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN))).toStrictEqual({ kind: 'value', value: VALUE });
});

test('should set records aside whose schema can never be read with, without waiting', async () => {
  const { client, asked } = registryWith([{ kind: 'unreadable', detail: 'it is no Avro schema' }]);
  const serdes = serdesOver(client, registered, 10_000);

  await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);
  await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

  expect(asked).toStrictEqual([FOREIGN]);
  expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN))).toStrictEqual({
    kind: 'failed',
    reason: 'undecodable',
    detail: `schema ${FOREIGN}: it is no Avro schema`,
  });
});
