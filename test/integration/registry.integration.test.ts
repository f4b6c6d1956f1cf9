import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { openRegistryClient, type RegistryClient } from '../../infra/registry/registry-client.js';
import { checkAll, registerAll } from '../../infra/registry/registration.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { RecordCodec } from '../../infra/registry/record-codec.js';
import { subjects, type Subject } from '../../schemas/catalogue.js';
import { SCHEMAS } from '../../schemas/generated.js';
import { schemasCommand } from '../../services/cli/schemas.command.js';
import { TASK_EVENTS } from '../../topology/topics.js';

const STATE = {
  type: 'TaskStateObserved',
  correlationId: 'order-1',
  agentId: 'w1',
  serverTaskId: 't-1',
  via: 'poll',
} as const;

/** Subjects of a test's own: registries do not forget. */
const freshPrefix = (): string => `t${randomUUID()}.`;

type Json = { fields: unknown[] };

const changed = (schema: string, change: (schema: Json) => void): string => {
  const parsed = JSON.parse(schema) as Json;
  change(parsed);
  return JSON.stringify(parsed);
};

let url: string;
let client: RegistryClient;

beforeAll(() => {
  url = process.env.HOLDFAST_REGISTRY_URL ?? '';
  if (url === '') throw new Error('HOLDFAST_REGISTRY_URL names no registry: run these tests by "npm test integration"');
  client = openRegistryClient({ url });
});

const subjectOf = (wanted: readonly Subject[], record: string): Subject => {
  const found = wanted.find((subject) => subject.record === record);
  if (found === undefined) throw new Error(`no subject of ${record}`);
  return found;
};

describe('registering', () => {
  test('should register every schema once, fully compatible, and find it unchanged after that', async () => {
    const wanted = subjects(freshPrefix());

    const first = await registerAll(client, wanted);
    const second = await registerAll(client, wanted);

    expect(first.map(({ outcome }) => outcome)).toStrictEqual(wanted.map(() => 'new'));
    expect(second).toStrictEqual(first.map((registration) => ({ ...registration, outcome: 'unchanged' })));
    expect((await checkAll(client, wanted)).map(({ state }) => state)).toStrictEqual(wanted.map(() => 'registered'));
  });

  test('should add a compatible version and refuse an incompatible one', async () => {
    const wanted = subjectOf(subjects(freshPrefix()), 'StreamClosed');
    const optional = changed(wanted.schema, ({ fields }) =>
      fields.push({ name: 'code', type: ['null', 'int'], default: null }),
    );
    const required = changed(wanted.schema, ({ fields }) => fields.push({ name: 'code', type: 'int' }));
    await registerAll(client, [wanted]);

    const [added] = await registerAll(client, [{ ...wanted, schema: optional }]);
    const [refused] = await registerAll(client, [{ ...wanted, schema: required }]);

    expect(added?.outcome).toBe('new-version');
    expect(refused?.outcome).toBe('refused');
    expect((await checkAll(client, [{ ...wanted, schema: required }]))[0]?.state).toBe('different');
  });

  test.each([
    ['an enum', '"REJECTED","UNRECOGNISED"]', '"REJECTED","UNRECOGNISED","PAUSED"]'],
    [
      'the types of observation',
      '"choice":true,"fields":[',
      '"choice":true,"fields":[{"name":"p","type":["null",{"type":"record","name":"P","fields":[]}],"default":null},',
    ],
  ])('should let %s grow in a later version of the ledger entry', async (_, before, after) => {
    const wanted = subjectOf(subjects(freshPrefix()), 'LedgerEntry');
    const grown = wanted.schema.replace(before, () => after);
    await registerAll(client, [wanted]);

    const [registration] = await registerAll(client, [{ ...wanted, schema: grown }]);

    expect(grown).not.toBe(wanted.schema);
    expect(registration?.outcome).toBe('new-version');
  });
});

describe('checking', () => {
  test('should name a subject that is missing, and one whose compatibility is another', async () => {
    const wanted = subjectOf(subjects(freshPrefix()), 'StreamClosed');
    const [missing] = await checkAll(client, [wanted]);
    await registerAll(client, [wanted]);
    await fetch(`${url}/config/${wanted.subject}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ compatibility: 'BACKWARD' }),
    });

    const [weakened] = await checkAll(client, [wanted]);

    expect(missing?.state).toBe('missing');
    expect(weakened).toMatchObject({ state: 'wrong-compatibility', compatibility: 'BACKWARD' });
  });

  test('should exit with 0 when all is registered and 1 when it is not', async () => {
    const prefix = freshPrefix();
    const run = async (...args: string[]): Promise<unknown> => {
      process.exitCode = 0;
      await new Command().addCommand(schemasCommand()).parseAsync(['node', 'holdfast', 'schemas', ...args]);
      const code = process.exitCode;
      process.exitCode = 0;
      return code;
    };
    const options = ['--registry', `${url}/`, '--topic-prefix', prefix, '--json'];

    expect(await run('check', ...options)).toBe(1);
    expect(await run('register', ...options)).toBe(0);
    expect(await run('check', ...options)).toBe(0);
  });
});

describe('serdes over the registry', () => {
  test('should not open while a schema is not registered, and name the subject', async () => {
    const topicPrefix = freshPrefix();
    const [first, ...others] = subjects(topicPrefix);
    await registerAll(client, others);

    await expect(openRegistrySerdes({ url, topicPrefix, schemaWaitMs: 0 })).rejects.toMatchObject({
      code: 'HOLDFAST_REGISTRY_NOT_REGISTERED',
      retryable: false,
      subjects: [first?.subject],
    });
  });

  test('should read what a newer writer wrote, once its schema was fetched', async () => {
    const topicPrefix = freshPrefix();
    const wanted = subjects(topicPrefix);
    await registerAll(client, wanted);
    const newer = changed(SCHEMAS.TaskStateObserved, ({ fields }) =>
      fields.push({ name: 'region', type: ['null', 'string'], default: null }),
    );
    const serdes = await openRegistrySerdes({ url, topicPrefix, schemaWaitMs: 0 });
    const id = await client.register(subjectOf(wanted, 'TaskStateObserved').subject, newer);
    const bytes = new RecordCodec(newer).encode(id, { ...STATE, region: 'eu' });

    expect(serdes.deserialize(TASK_EVENTS, bytes)).toMatchObject({ kind: 'failed', reason: 'unknown-schema' });
    await serdes.prepare(TASK_EVENTS, [bytes]);

    expect(serdes.deserialize(TASK_EVENTS, bytes)).toStrictEqual({ kind: 'value', value: STATE });
  });

  test('should set aside what carries an ID that the registry does not have', async () => {
    const topicPrefix = freshPrefix();
    await registerAll(client, subjects(topicPrefix));
    const serdes = await openRegistrySerdes({ url, topicPrefix, schemaWaitMs: 0 });
    const bytes = Buffer.from(serdes.serialize(TASK_EVENTS, 'TaskStateObserved', STATE));
    bytes.writeUInt32BE(0x7ffffff0, 1);

    await serdes.prepare(TASK_EVENTS, [bytes]);

    expect(serdes.deserialize(TASK_EVENTS, bytes)).toMatchObject({ kind: 'failed', reason: 'unknown-schema' });
  });
});

describe('a registry that gives no proper answer', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  const served = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test.each<[string, RequestListener, code?: string]>([
    ['a page with status 200', (_, response) => response.end('<html>log in</html>')],
    ['a JSON text with status 200', (_, response) => response.end('"hello"')],
    ['an error', (_, response) => response.writeHead(500).end()],
    ['a refusal', (_, response) => response.writeHead(401).end('{"message":"no"}'), 'HOLDFAST_REGISTRY_REFUSED'],
    ['an error whose body is null', (_, response) => response.writeHead(500).end('null')],
    ['the page of a proxy that finds nothing', (_, response) => response.writeHead(404).end('<html>not found</html>')],
    ['a list', (_, response) => response.end('[]')],
    ['an answer that breaks off', (_, response) => response.write('{"sch', () => response.destroy())],
    ['silence', () => undefined],
    ['nothing', (request) => request.socket.destroy()],
  ])(
    'should be an error to try again on, and nothing be concluded about the schema: %s',
    async (_, listener, code = 'HOLDFAST_REGISTRY_UNREACHABLE') => {
      const broken = openRegistryClient({ url: await served(listener), timeoutMs: 500 });

      const questions = [
        () => broken.schemaById(1),
        () => broken.idOf('s', SCHEMAS.StreamClosed),
        () => broken.compatibility('s'),
        () => broken.register('s', SCHEMAS.StreamClosed),
      ];

      for (const ask of questions) await expect(ask()).rejects.toMatchObject({ code, retryable: true });
    },
  );
});
