import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPlainProducer, type PlainProducer, type PlainRecord } from '../../infra/kafka/plain-producer.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { subjects } from '../../schemas/catalogue.js';
import { readTopic } from '../../services/console/read-topic.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import { DEAD_LETTERS, TASK_EVENTS } from '../../topology/topics.js';
import { dispatched } from '../kit/decider-kit/builders.js';
import { DispatcherWorld, PARTITIONS } from './dispatcher-fixture.js';
import { eventually, silent } from './kafka-fixture.js';
import { RegistryProxy } from './registry-proxy.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));
const world = new DispatcherWorld([]);
/** As bytes of a JSON producer. */
const RUBBISH = Buffer.from('{"state":"working"}');
let registry: RegistryProxy;
let producer: PlainProducer;
/** Of a schema that the registry denies until it is told not to. */
let hiddenId: number;
let hidden = true;

beforeAll(async () => {
  registry = await RegistryProxy.open(process.env.HOLDFAST_REGISTRY_URL ?? '');
  world.config = { ...world.config, registry: { url: registry.url }, schemaWaitMs: 0 };
  await world.start();
  hiddenId = await registerLater();
  registry.lie = async ({ path }, response, honest) => {
    if (hidden && path === `/schemas/ids/${hiddenId}`)
      response.writeHead(404).end('{"error_code":40403,"message":"Schema not found"}');
    else await honest();
  };
  producer = createPlainProducer({ brokers: world.config.kafka.brokers, clientId: 'careless' }, silent);
  await world.dispatcher('one');
  for (const [count, record] of [unreadable(), unknown(), misrouted(), tooLarge()].entries()) {
    await producer.send([record]);
    await eventually(async () => ((await letters()) === count + 1 ? true : undefined), 'set aside');
    // What is re-published lies before what is written next.
    if (count === 2) await world.unit('order-c', () => true, 're-published');
  }
}, 120_000);

afterAll(async () => {
  await producer.close();
  await world.stop();
  await registry.shut();
}, 60_000);

const letters = async (): Promise<number> => {
  let count = 0;
  const source = { reader: world.mesh.clients.reader, serdes: world.serdes };
  await readTopic(source, DEAD_LETTERS, [0, 1, 2], () => (count += 1));
  return count;
};

/** A version of the dispatch that a later producer has registered. */
const registerLater = (): Promise<number> => {
  const own = subjects(world.prefix).find(({ record }) => record === 'DispatchObserved');
  const schema = JSON.parse(own?.schema ?? '') as { readonly fields: readonly unknown[] };
  const note = { name: 'note', type: ['null', 'string'], default: null };
  const later = JSON.stringify({ ...schema, fields: [...schema.fields, note] });
  return openRegistryClient(registry).register(own?.subject ?? '', later);
};

const recordOf = (correlationId: string, value: Uint8Array): PlainRecord => ({
  topic: `${world.prefix}${TASK_EVENTS.name}`,
  key: utf8(recordKey(undefined, correlationId)),
  value,
  headers: {},
});
const dispatchOf = (correlationId: string, more: object = {}): Buffer =>
  Buffer.from(
    world.serdes.serialize(TASK_EVENTS, 'DispatchObserved', { ...dispatched('w1', { correlationId }), ...more }),
  );

const unreadable = (): PlainRecord => ({
  ...recordOf('order-a', RUBBISH),
  headers: { ce_id: utf8('e-1'), ce_source: utf8('/careless'), 'x-\u001b[2J': Buffer.of(0xff, 0) },
});
const unknown = (): PlainRecord => {
  const value = Buffer.concat([dispatchOf('order-b'), Buffer.of(0)]);
  value.writeUInt32BE(hiddenId, 1);
  return { ...recordOf('order-b', value), headers: { ce_id: utf8('e-2'), ce_source: utf8('/careless') } };
};
/** Without an event ID. */
const misrouted = (): PlainRecord => ({
  ...recordOf('order-c', dispatchOf('order-c')),
  partition: (world.partition('order-c') + 1) % PARTITIONS,
});
const tooLarge = (letter = 'm'): PlainRecord =>
  recordOf('order-d', dispatchOf('order-d', { messageId: letter.repeat(20_000) }));

type Printed = { readonly code: number; readonly stdout: readonly string[]; readonly stderr: string };

const holdfast = (...args: readonly string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const env = { ...process.env, HOLDFAST_KAFKA_TOPIC_PREFIX: world.prefix, HOLDFAST_REGISTRY_URL: registry.url };
    execFile(process.execPath, [MAIN, 'dead-letters', ...args], { env }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, stdout: stdout === '' ? [] : stdout.trimEnd().split('\n').map(timeless), stderr });
    });
  });
/** Without times, digests, and offsets of verdicts, which depend on how the ledger divided its transactions. */
const timeless = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
    .replaceAll(/[0-9a-f]{64}/g, 'SHA')
    .replaceAll(/(a2a\.verdicts\.v1\/\d)\/\d+/g, '$1/N');
const json = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await holdfast(...args, '--json')).stdout.join('\n'));
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const TOO_LARGE = 'messageId is longer than 16384 characters: no ID is';
const NO_FRAME = 'the first byte is 123, in Confluent wire format it is 0';
const REFUSED = 'refused, it would be set aside again';

describe('dead letters on the command line', () => {
  it('should be listed, the latest first, with what became of them since', async () => {
    const [all, open, asJson] = await Promise.all([
      holdfast('list'),
      holdfast('list', '--open', '--from', '1h', '--topic', 'a2a.task-events.v1', '--limit', '1'),
      json('list', '--reason', 'misrouted'),
    ]);

    expect(all.stdout.map((line) => line.replaceAll(/ {2,}/g, '  '))).toStrictEqual([
      'DEAD LETTER  SET ASIDE  REASON  RECORD  KEY  BYTES  AGAIN  DETAIL',
      `a2a.dead-letters.v1/0/0  T  too-large  a2a.task-events.v1/0/1  0:order-d  20034  -  ${TOO_LARGE}`,
      'a2a.dead-letters.v1/1/0  T  misrouted  a2a.task-events.v1/1/0  0:order-c  35  re-published  murmur2 of the key is partition 0 of 3',
      `a2a.dead-letters.v1/2/2  T  unknown-schema  a2a.task-events.v1/2/1  0:order-b  36  -  the registry has no schema ${hiddenId}`,
      `a2a.dead-letters.v1/2/0  T  undecodable  a2a.task-events.v1/2/0  0:order-a  19  -  ${NO_FRAME}`,
    ]);
    expect([open.stdout.length, open.stdout[1]?.slice(0, 23), open.stderr]).toStrictEqual([
      2,
      'a2a.dead-letters.v1/0/0',
      '2 more; see --limit\n',
    ]);
    expect(asJson).toStrictEqual([
      {
        at: 'a2a.dead-letters.v1/1/0',
        setAsideAt: 'T',
        reason: 'misrouted',
        source: 'a2a.task-events.v1/1/0',
        key: '0:order-c',
        size: 35,
        detail: 'murmur2 of the key is partition 0 of 3',
        again: [{ how: 're-published', as: 'a2a.task-events.v1/0/0' }],
      },
    ]);
  }, 60_000);

  it('should be shown whole, safe for a terminal, with the way out', async () => {
    const raw = join(world.stateDir, 'raw');
    const [shown, asJson, back] = await Promise.all([
      holdfast('show', 'a2a.dead-letters.v1/2/0', '--raw', raw),
      json('show', 'a2a.task-events.v1/2/1'),
      holdfast('show', 'a2a.dead-letters.v1/1/0'),
    ]);

    expect(shown.stdout).toStrictEqual([
      'a2a.dead-letters.v1/2/0: undecodable',
      `  why       ${NO_FRAME}`,
      '  record    a2a.task-events.v1/2/0, written T, set aside T',
      '  sha256    SHA',
      '  key       0:order-a (9 bytes)',
      '  headers   ce_id: e-1',
      '            ce_source: /careless',
      '            x-\\u001b[2J: 0xff00',
      '  value     19 bytes, no Confluent wire format',
      '            00000000  7b 22 73 74 61 74 65 22 3a 22 77 6f 72 6b 69 6e  |{"state":"workin|',
      '            00000010  67 22 7d                                         |g"}|',
      `  now       undecodable: ${NO_FRAME}`,
      '  way out   none for these bytes: let its producer send the event again as schemas/README.md describes it',
    ]);
    expect(shown.stderr).toBe(`19 bytes written to ${raw}\n`);
    expect(readFileSync(raw)).toStrictEqual(RUBBISH);
    expect(asJson).toStrictEqual({
      at: 'a2a.dead-letters.v1/2/2',
      type: 'DeadLetter',
      reason: 'unknown-schema',
      detail: `the registry has no schema ${hiddenId}`,
      source: 'a2a.task-events.v1/2/1',
      sourceTime: 'T',
      sourceSha256: 'SHA',
      key: base64(utf8('0:order-b')),
      value: base64(unknown().value ?? RUBBISH),
      headers: [
        { name: 'ce_id', value: base64(utf8('e-2')) },
        { name: 'ce_source', value: base64(utf8('/careless')) },
      ],
      quarantinedAt: 'T',
      again: [],
      home: 2,
      now: { kind: 'aside', reason: 'unknown-schema', detail: `the registry has no schema ${hiddenId}` },
      wayOut:
        'register the schema it was written with in the registry, under the same ID; then "holdfast dead-letters replay a2a.dead-letters.v1/2/2"',
    });
    expect(back.stdout.slice(-3)).toStrictEqual([
      '  now       readable, in partition 0: {"type":"DispatchObserved","correlationId":"order-c","agentId":"w1","by":"client","messageId":"m-1","principal":"p-1","inputKept":true,"continues":false}',
      '  again     re-published as a2a.task-events.v1/0/0',
      '  way out   nothing to do: it goes on as a2a.task-events.v1/0/0',
    ]);
  }, 60_000);

  it('should not be replayed while they would be set aside again, nor many of them without a second word', async () => {
    const refused = [
      `a2a.dead-letters.v1/0/0  ${REFUSED}: too-large: ${TOO_LARGE}`,
      `a2a.dead-letters.v1/2/0  ${REFUSED}: undecodable: ${NO_FRAME}`,
      `a2a.dead-letters.v1/2/2  ${REFUSED}: unknown-schema: the registry has no schema ${hiddenId}`,
    ];
    const [dry, unconfirmed, unchosen, nowhere] = await Promise.all([
      holdfast('replay', '--all', '--dry-run'),
      holdfast('replay', '--all'),
      holdfast('replay'),
      holdfast('replay', 'a2a.dead-letters.v1/2/1'),
    ]);
    const done = await holdfast('replay', '--all', '--yes');

    expect(dry).toStrictEqual({ code: 1, stdout: refused, stderr: 'nothing was written: this was a dry run\n' });
    expect(unconfirmed).toStrictEqual({
      code: 2,
      stdout: [],
      stderr:
        'holdfast: 3 records are chosen: look at what would be done with --dry-run, then say --yes\nSee "holdfast dead-letters replay --help".\n',
    });
    expect(unchosen).toStrictEqual({
      code: 2,
      stdout: [],
      stderr:
        'holdfast: name the places of dead letters, or choose with --all, --reason, --topic, --from, --to: one of both\nSee "holdfast dead-letters replay --help".\n',
    });
    expect(nowhere).toStrictEqual({
      code: 2,
      stdout: [],
      stderr:
        'holdfast: no dead letter lies at a2a.dead-letters.v1/2/1, and none is of a record there; "holdfast dead-letters list" names those that are kept [HOLDFAST_DEAD_LETTER_UNKNOWN]\n',
    });
    expect(done).toStrictEqual({ code: 1, stdout: refused, stderr: '' });
    expect(await letters()).toBe(4);
  }, 60_000);

  it('should come back once they can be read, each once, as the events they were', async () => {
    hidden = false;
    const chosen = ['replay', '--reason', 'unknown-schema'];
    const dry = await holdfast(...chosen, '--dry-run');
    const first = await json(...chosen, '--yes', '--actor', 'kim', '--because', 'it is registered now');
    const second = await holdfast('replay', 'a2a.dead-letters.v1/2/2');
    const forced = await holdfast('replay', 'a2a.dead-letters.v1/2/2', '--force');

    expect(dry.stdout).toStrictEqual(['a2a.dead-letters.v1/2/2  would be replayed into partition 2']);
    expect(first).toMatchObject([
      {
        letter: 'a2a.dead-letters.v1/2/2',
        outcome: 'replayed',
        as: 'a2a.task-events.v1/2/2',
        verdict: { verdict: 'accepted', rule: 'R49', reason: 'sent to w1', correlationId: 'order-b' },
      },
    ]);
    expect((await headersAt(2, 2n)).slice(0, 5)).toStrictEqual([
      'ce_id: e-2',
      'ce_source: /careless',
      'holdfast-replayed: a2a.dead-letters.v1/2/2',
      'holdfast-replayed-by: kim',
      'holdfast-replayed-because: it is registered now',
    ]);
    expect(second).toStrictEqual({
      code: 0,
      stdout: ['a2a.dead-letters.v1/2/2  was replayed already, as a2a.task-events.v1/2/2'],
      stderr: '',
    });
    expect(forced).toStrictEqual({
      code: 0,
      stdout: [
        'a2a.dead-letters.v1/2/2  replayed as a2a.task-events.v1/2/3; idempotent: the same event of the same source again (R17)  [a2a.verdicts.v1/2/N]',
      ],
      stderr: '',
    });
  }, 60_000);

  it('should be the same event whether the dispatcher or an operator wrote it again, even without an ID of its own', async () => {
    const forced = await holdfast('replay', 'a2a.dead-letters.v1/1/0', '--force');

    expect(forced.stdout).toStrictEqual([
      'a2a.dead-letters.v1/1/0  replayed as a2a.task-events.v1/0/2; idempotent: the same event of the same source again (R17)  [a2a.verdicts.v1/0/N]',
    ]);
    expect(await headersAt(0, 0n)).toStrictEqual([
      'ce_id: a2a.task-events.v1/1/0',
      'ce_source: /holdfast/dead-letters',
      'holdfast-republished: a2a.dead-letters.v1/1/0',
    ]);
  }, 60_000);

  it('should be set aside again where the operator insists, and say so', async () => {
    const forced = await holdfast('replay', 'a2a.dead-letters.v1/2/0', '--force');
    const shown = await holdfast('show', 'a2a.dead-letters.v1/2/0');

    expect(forced).toStrictEqual({
      code: 1,
      stdout: [
        `a2a.dead-letters.v1/2/0  replayed as a2a.task-events.v1/2/4; quarantined: ${NO_FRAME} (R59)  [a2a.verdicts.v1/2/N]`,
      ],
      stderr: '',
    });
    expect(shown.stdout.slice(-2)).toStrictEqual([
      '  again     replayed as a2a.task-events.v1/2/4, set aside as a2a.dead-letters.v1/2/4',
      '  way out   it came back: see a2a.dead-letters.v1/2/4',
    ]);
  }, 60_000);

  it('should not pass for written again by a mark that anybody can write, on other bytes', async () => {
    const before = await letters();
    const mark = { 'holdfast-replayed': utf8('a2a.dead-letters.v1/0/0') };
    await producer.send([{ ...tooLarge('n'), headers: mark }]);
    await eventually(async () => ((await letters()) > before ? true : undefined), 'the forged one set aside');

    expect(await json('show', 'a2a.dead-letters.v1/0/0')).toMatchObject({ reason: 'too-large', again: [] });
  }, 60_000);
});

/** The headers of a task event, in order. */
const headersAt = async (partition: number, offset: bigint): Promise<readonly string[]> => {
  const found: string[] = [];
  const place = { topic: TASK_EVENTS.name, partition };
  await world.mesh.clients.reader.read(place, { from: offset, to: offset + 1n }, ({ records }) => {
    for (const record of records)
      if (record.offset === offset)
        found.push(
          ...Object.entries(record.headers).map(([name, value]) => `${name}: ${Buffer.from(value).toString()}`),
        );
    return Promise.resolve();
  });
  return found;
};
