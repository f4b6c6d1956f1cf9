import { setImmediate as turn } from 'node:timers/promises';
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
  const times = new Map<number, number>();
  const client: RegistryClient = {
    url: URL,
    schemaById: (id) => {
      const earlier = times.get(id) ?? 0;
      times.set(id, earlier + 1);
      const answer = answers[Math.min(earlier, answers.length - 1)];
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

/** As a registry on a network: an answer comes in a later turn. */
const slowly = (client: RegistryClient): RegistryClient => ({
  ...client,
  schemaById: async (id) => {
    await turn();
    return client.schemaById(id);
  },
});

const eventuallyPast = async (moment: number): Promise<void> => {
  while (performance.now() < moment) await turn();
};

describe('a schema ID that is not known yet', () => {
  test('should be asked for once, however many records carry it, and never again', async () => {
    const { client, asked } = registryWith([KNOWN]);
    const serdes = serdesOver(client, registered, { schemaWaitMs: 50 });

    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN), frame(FOREIGN)]);
    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

    expect(asked).toStrictEqual([FOREIGN]);
    expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN))).toStrictEqual({ kind: 'value', value: VALUE });
  });

  test('should not be asked for when it is one of ours, or the value is no frame', async () => {
    const { client, asked } = registryWith([KNOWN]);

    await serdesOver(client, registered, { schemaWaitMs: 50 }).prepare(TASK_EVENTS, [
      frame(1),
      Uint8Array.from([1, 2]),
    ]);

    expect(asked).toStrictEqual([]);
  });
});

describe('a schema ID that the registry does not have', () => {
  test('should be given up after schemaWait, however many others are waited for', async () => {
    const { client, asked } = registryWith([{ kind: 'missing' }]);
    const serdes = serdesOver(slowly(client), registered, { schemaWaitMs: 30 });
    const idsOf = (partition: number) => Array.from({ length: 1_000 }, (_, n) => FOREIGN + partition * 1_000 + n);
    const partitions = [0, 1, 2].map((partition) => idsOf(partition).map(frame));

    await Promise.all(partitions.map((values) => serdes.prepare(TASK_EVENTS, values)));
    const first = new Set(asked);

    expect([...first].sort((a, b) => a - b)).toStrictEqual([0, 1, 2].flatMap(idsOf));
    expect(partitions.flat().map((value) => serdes.deserialize(TASK_EVENTS, value))).toStrictEqual(
      [0, 1, 2].flatMap(idsOf).map((id) => ({
        kind: 'failed',
        reason: 'unknown-schema',
        detail: `the registry has no schema ${id}`,
      })),
    );
  });

  test('should not be waited for anew after the registry was away', async () => {
    const missing = { kind: 'missing' } as const;
    const away = new RegistryUnreachableError(URL, 'refused');
    const { client, asked } = registryWith([missing, away, missing]);
    const serdes = serdesOver(client, registered, { schemaWaitMs: 30 });

    await expect(serdes.prepare(TASK_EVENTS, [frame(FOREIGN)])).rejects.toBe(away);
    await eventuallyPast(performance.now() + 30);
    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

    expect(asked).toStrictEqual([FOREIGN, FOREIGN, FOREIGN]);
  });

  test('should be asked for once at a time, with few others', async () => {
    const { client } = registryWith([KNOWN]);
    const underWay: number[] = [];
    const most: number[] = [];
    const counted: RegistryClient = {
      ...client,
      schemaById: async (id) => {
        underWay.push(id);
        expect(underWay).toStrictEqual([...new Set(underWay)]);
        most.push(underWay.length);
        await turn();
        underWay.splice(underWay.indexOf(id), 1);
        return client.schemaById(id);
      },
    };
    const values = Array.from({ length: 100 }, (_, n) => frame(FOREIGN + n));
    const serdes = serdesOver(counted, registered, { schemaWaitMs: 30 });

    await Promise.all([serdes.prepare(TASK_EVENTS, values), serdes.prepare(TASK_EVENTS, values.slice(0, 50))]);

    expect(Math.max(...most)).toBe(16);
  });

  test('should not be waited for any longer when nobody waits', async () => {
    const { client, asked } = registryWith([{ kind: 'missing' }]);
    const stopping = new AbortController();
    const serdes = serdesOver(client, registered, { schemaWaitMs: 3_600_000, signal: stopping.signal });

    const prepared = serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);
    stopping.abort();

    await expect(prepared).rejects.toMatchObject({ code: 'HOLDFAST_REGISTRY_UNREACHABLE', retryable: true });
    expect(asked).toStrictEqual([FOREIGN]);
  });

  test('should be asked for until it is there', async () => {
    const { client, asked } = registryWith([{ kind: 'missing' }, { kind: 'missing' }, KNOWN]);
    const serdes = serdesOver(client, registered, { schemaWaitMs: 10_000 });

    await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

    expect(asked).toStrictEqual([FOREIGN, FOREIGN, FOREIGN]);
    expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN)).kind).toBe('value');
  });

  test('should be given up after schemaWait, and then asked for once a batch without waiting', async () => {
    const { client, asked } = registryWith([{ kind: 'missing' }]);
    const serdes = serdesOver(client, registered, { schemaWaitMs: 30 });

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
    const serdes = serdesOver(client, registered, { schemaWaitMs: 30 });

    await expect(serdes.prepare(TASK_EVENTS, [frame(FOREIGN)])).rejects.toMatchObject({
      code: 'HOLDFAST_REGISTRY_UNREACHABLE',
      retryable: true,
    });
  });
});

test('should reject, retryable, while the registry cannot be asked', async () => {
  const { client } = registryWith([new RegistryUnreachableError(URL, 'refused'), KNOWN]);
  const serdes = serdesOver(client, registered, { schemaWaitMs: 30 });

  await expect(serdes.prepare(TASK_EVENTS, [frame(FOREIGN)])).rejects.toMatchObject({
    code: 'HOLDFAST_REGISTRY_UNREACHABLE',
    retryable: true,
  });
  await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

  expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN))).toStrictEqual({ kind: 'value', value: VALUE });
});

test('should set records aside whose schema can never be read with, without waiting', async () => {
  const { client, asked } = registryWith([{ kind: 'unreadable', detail: 'it is no Avro schema' }]);
  const serdes = serdesOver(client, registered, { schemaWaitMs: 10_000 });

  await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);
  await serdes.prepare(TASK_EVENTS, [frame(FOREIGN)]);

  expect(asked).toStrictEqual([FOREIGN]);
  expect(serdes.deserialize(TASK_EVENTS, frame(FOREIGN))).toStrictEqual({
    kind: 'failed',
    reason: 'undecodable',
    detail: `schema ${FOREIGN}: it is no Avro schema`,
  });
});
