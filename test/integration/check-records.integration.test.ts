import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPlainProducer, type PlainRecord } from '../../infra/kafka/plain-producer.js';
import { cloudEventHeaders } from '../../infra/registry/cloud-event-headers.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { subjectOf } from '../../schemas/catalogue.js';
import { SCHEMAS } from '../../schemas/generated.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import { INPUTS, TASK_EVENTS } from '../../topology/topics.js';
import { ForeignWorld, PARTITIONS } from '../foreign/foreign-world.js';
import { shapeFaults } from '../kit/cli/json-shapes.js';
import { silent } from './kafka-fixture.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));

const world = new ForeignWorld();

const KEY = utf8(recordKey('acme', 'c-1'));
const HOME = partitionOf(KEY, PARTITIONS);

/** An observation as it should be, under an event ID of its own; all of one unit, so that they lie in one partition. */
const observation = (id: string): PlainRecord => ({
  topic: world.topic(TASK_EVENTS.name),
  key: KEY,
  value: world.serdes.serialize(TASK_EVENTS, 'CancelRequested', {
    type: 'CancelRequested',
    tenant: 'acme',
    correlationId: 'c-1',
  }),
  headers: cloudEventHeaders({ id, source: '/other', record: 'CancelRequested' }),
});

/** A frame whose schema is the registry's under another ID. */
const under = (id: number, { value, ...record }: PlainRecord): PlainRecord => {
  const bytes = Buffer.from(value ?? []);
  bytes.writeUInt32BE(id, 1);
  return { ...record, value: bytes };
};

/** As Holdfast's, with one more field: what a later version might be. */
const later = (): string => {
  const { fields, ...schema } = JSON.parse(SCHEMAS.CancelRequested) as { readonly fields: readonly object[] };
  const more = { name: 'later', type: ['null', 'string'], default: null, doc: 'Something new.' };
  return JSON.stringify({ ...schema, fields: [...fields, more] });
};

beforeAll(async () => {
  await world.start();
  const registry = openRegistryClient(world.config.registry);
  const subject = subjectOf(world.topic(TASK_EVENTS.name), 'CancelRequested');
  const newer = await registry.register(subject, later());
  const foreign = await registry.register(
    `${world.prefix}other-value`,
    JSON.stringify({ type: 'record', name: 'Other', fields: [] }),
  );
  const good = observation('e-1');
  const producer = createPlainProducer({ brokers: world.config.kafka.brokers, clientId: 'other' }, silent);
  await producer.send([
    good,
    good,
    { ...observation('e-1'), value: Buffer.concat([good.value ?? Buffer.alloc(0), Buffer.alloc(1)]) },
    { ...observation('e-2'), value: Buffer.from('{"correlationId":"c-1"}') },
    under(0x7fff_0000, observation('e-3')),
    under(foreign, observation('e-4')),
    // One byte more: the field of the later version, absent.
    under(newer, { ...observation('e-5'), value: Buffer.concat([good.value ?? Buffer.alloc(0), Buffer.alloc(1)]) }),
    { ...observation('e-6'), partition: (HOME + 1) % PARTITIONS },
    { ...observation('e-7'), headers: {} },
    { ...observation('e-8'), key: null, partition: HOME },
  ]);
  await producer.close();
}, 120_000);

afterAll(() => world.stop(), 60_000);

type Printed = { readonly code: number; readonly stdout: string; readonly stderr: string };

const check = (...args: readonly string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const env = { ...process.env, HOLDFAST_KAFKA_TOPIC_PREFIX: world.prefix };
    execFile(process.execPath, [MAIN, 'schemas', 'check', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

describe('schemas check --topic', () => {
  it('should say what is wrong with each record, where it lies, and exit with 1', async () => {
    const { code, stdout, stderr } = await check('--topic', TASK_EVENTS.name, '--json');

    const { examples, ...report } = JSON.parse(stdout) as {
      readonly examples: readonly { readonly at: string; readonly code: string }[];
    };
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: '' });
    expect(shapeFaults('holdfast schemas check', JSON.parse(stdout))).toStrictEqual([]);
    expect(report).toStrictEqual({
      topic: world.topic(TASK_EVENTS.name),
      read: 10,
      clean: 3,
      counts: {
        'event-repeated': 1,
        'trailing-bytes': 1,
        'event-reused': 1,
        'not-framed': 1,
        'schema-unknown': 1,
        'schema-unreadable': 1,
        'schema-other': 1,
        'wrong-partition': 1,
        'no-event-id': 1,
        'no-key': 1,
      },
      partitioners: [{ source: '/other', misrouted: 1, seems: expect.any(String) }],
    });
    const at = (offset: number, partition = HOME): string => `${TASK_EVENTS.name}/${partition}/${offset}`;
    const met = examples.map((example) => `${example.at} ${example.code}`).sort();
    expect(met).toStrictEqual(
      [
        `${at(1)} event-repeated`,
        `${at(2)} trailing-bytes`,
        `${at(2)} event-reused`,
        `${at(3)} not-framed`,
        `${at(4)} schema-unknown`,
        `${at(5)} schema-unreadable`,
        `${at(6)} schema-other`,
        `${at(0, (HOME + 1) % PARTITIONS)} wrong-partition`,
        `${at(7)} no-event-id`,
        `${at(8)} no-key`,
      ].sort(),
    );
  }, 60_000);

  it('should stop at the limit, and begin so many records before the end', async () => {
    const limited = await check('--topic', TASK_EVENTS.name, '--limit', '1', '--json');
    const last = await check('--topic', TASK_EVENTS.name, '--from', '1', '--json');

    expect(JSON.parse(limited.stdout)).toMatchObject({ read: 1 });
    expect(JSON.parse(last.stdout)).toMatchObject({ read: 2, counts: { 'no-key': 1, 'wrong-partition': 1 } });
  }, 60_000);

  it('should exit with 0 where all is well, and with 2 where there is no such topic', async () => {
    const empty = await check('--topic', world.topic(INPUTS.name));
    const unknown = await check('--topic', 'a2a.task-event.v1');

    expect(empty).toStrictEqual({
      code: 0,
      stdout: `0 of 0 records on ${world.topic(INPUTS.name)} are as they should be\n`,
      stderr: '',
    });
    expect({ ...unknown, stderr: unknown.stderr.includes('Did you mean a2a.task-events.v1?') }).toStrictEqual({
      code: 2,
      stdout: '',
      stderr: true,
    });
  }, 60_000);
});
