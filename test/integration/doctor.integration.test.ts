import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { kafkaConnection } from '../../infra/config/connection.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { subjects } from '../../schemas/catalogue.js';
import type { CheckResult } from '../../services/doctor/check.js';
import { examine } from '../../services/doctor/doctor.js';
import { javaFound } from '../../services/doctor/process-checks.js';
import { topicSpecs } from '../../services/topic-specs.js';
import { utf8 } from '../../topology/kit/record-key.js';
import { DEAD_LETTERS, TASK_EVENTS } from '../../topology/topics.js';
import { shapeFaults } from '../kit/cli/json-shapes.js';
import { runHoldfast } from '../kit/cli/run-holdfast.js';
import { agent } from '../kit/decider-kit/agents.js';
import { DispatcherWorld } from './dispatcher-fixture.js';
import { eventually, silent } from './kafka-fixture.js';

const CARD = { name: 'w1', defaultOutputModes: ['text/plain'], skills: [] };

let world: DispatcherWorld;
let card: Server;
let scratch: string;

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'));
  card = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(CARD)),
  );
  const cardUrl = `http://127.0.0.1:${await listening(card)}/card.json`;
  world = new DispatcherWorld([{ id: 'w1', cardUrl }]);
  await world.start();
  await world.tell(...agent('w1', {}));
  await world.dispatcher(world.config.instanceId);
}, 120_000);

afterAll(async () => {
  await world.stop();
  card.close();
  rmSync(scratch, { recursive: true, force: true });
}, 60_000);

const examined = async (config: HoldfastConfig): Promise<ReadonlyMap<string, CheckResult>> =>
  new Map((await examine(() => Promise.resolve({ config, located: true }), undefined)).map((one) => [one.check, one]));

/** One check with everything that it says, once it is as `until` wants it: groups take their time to divide the work. */
const settled = (config: HoldfastConfig, until: (checks: ReadonlyMap<string, CheckResult>) => boolean) =>
  eventually(async () => {
    const checks = await examined(config);
    return until(checks) ? checks : undefined;
  }, 'the checks as expected');

const statuses = (checks: ReadonlyMap<string, CheckResult>): Readonly<Record<string, string>> =>
  Object.fromEntries([...checks].map(([name, { status }]) => [name, status]));

const CHECKS =
  'node,configuration,java,store,broker,registry,clock,prefix,rights,topics,partitions,schemas,compatibility,ledger,dispatcher,dead letters,cards,agents';
const ALL_OK = Object.fromEntries(CHECKS.split(',').map((name) => [name, 'ok']));

describe('the doctor of a mesh that is well', () => {
  it('should find everything in order, who runs and who holds the stores', async () => {
    const checks = await settled(world.config, (found) => [...found.values()].every(({ status }) => status === 'ok'));

    expect(statuses(checks)).toStrictEqual(ALL_OK);
    expect(checks.get('store')?.said).toBe(`${world.stateDir}, in use by process ${process.pid}`);
    expect(checks.get('broker')?.said).toMatch(
      /^[\d.:]+: a broker, Kafka 4\.0 or later, cluster [\w-]{22}, neither TLS nor SASL$/,
    );
    expect(checks.get('ledger')?.said).toMatch(/^one instance, at most \d+ records behind$/);
    expect(checks.get('ledger')?.details).toStrictEqual(['holdfast-1-ledger (127.0.0.1)']);
    expect(checks.get('partitions')?.said).toBe('3 each, shared by 3 task groups');
  }, 90_000);

  it('should say so on the command line, in text and as JSON', async () => {
    const env = { HOLDFAST_KAFKA_TOPIC_PREFIX: world.prefix, HOLDFAST_STATE_DIR: join(scratch, 'none') };
    const file = join(scratch, 'good.yaml');
    writeFileSync(file, JSON.stringify({ kafka: { partitions: 3, groups: 3 }, agents: world.config.agents }));
    const text = await runHoldfast(['doctor', '--config', file], env);
    const json = await runHoldfast(['doctor', '--config', file, '--json'], env);
    const document: unknown = JSON.parse(json.stdout);

    expect({ code: text.code, stderr: text.stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(text.stdout.trimEnd().split('\n').at(-1)).toBe('ok: 18, warnings: 0, failures: 0, not checked: 0');
    expect(text.stdout).not.toContain('\u001b');
    expect(shapeFaults('holdfast doctor', document)).toStrictEqual([]);
    expect(document).toMatchObject({ summary: { ok: 18, warnings: 0, failures: 0, notChecked: 0 } });
    expect(json.code).toBe(0);
  }, 90_000);
});

describe('what is wrong on this machine', () => {
  it('should be a configuration that cannot be used: then nothing else is looked at', async () => {
    const file = join(scratch, 'bad.yaml');
    writeFileSync(file, 'kafka:\n  partition: 3\n');
    const ran = await runHoldfast(['doctor', '--config', file, '--json']);
    const { checks } = JSON.parse(ran.stdout) as { checks: readonly CheckResult[] };

    expect(ran.code).toBe(2);
    expect(checks.find(({ check }) => check === 'configuration')).toStrictEqual({
      check: 'configuration',
      status: 'failure',
      said: `${file}:2: unknown setting kafka.partition; did you mean partitions?`,
      details: [],
      ways: ['correct it, then "holdfast config check"'],
    });
    expect(new Set(checks.slice(2).map(({ status, said }) => `${status}: ${said}`))).toStrictEqual(
      new Set(
        ['configuration', 'broker', 'registry', 'topics', 'topics and schemas'].map(
          (what) => `not-checked: not checked: because of ${what}`,
        ),
      ),
    );
  }, 60_000);

  it('should be a Java that is not there, where a local backend is wanted', async () => {
    const { PATH, JAVA_HOME } = process.env;
    process.env.PATH = scratch;
    delete process.env.JAVA_HOME;
    try {
      const [wanted, unwanted] = [await javaFound(true), await javaFound(false)];

      expect(wanted.status).toBe('failure');
      expect(wanted.details?.[0]).toContain('found no Java (java) in JAVA_HOME or on the PATH and no Maven (mvn)');
      expect(unwanted.status).toBe('ok');
    } finally {
      process.env.PATH = PATH;
      if (JAVA_HOME !== undefined) process.env.JAVA_HOME = JAVA_HOME;
    }
  });

  it('should be a state directory that cannot be written to', async () => {
    const file = join(scratch, 'a-file');
    writeFileSync(file, '');
    const store = (await examined({ ...world.config, stateDir: join(file, 'state') })).get('store');

    expect(store?.status).toBe('failure');
    expect(store?.said).toBe(`${join(file, 'state')} cannot be written to`);
    expect(store?.ways).toStrictEqual([
      'give this user the right to write there, or name another: HOLDFAST_STATE_DIR, stateDir',
    ]);
  }, 60_000);

  it('should be stores that a process left when it died', async () => {
    const stateDir = join(scratch, 'left');
    // What lies on the disk of a process at any moment is what it leaves when it dies at that moment.
    // By another process: one that closes a file gives up its own locks on it.
    execFileSync('cp', ['-R', world.stateDir, stateDir]);
    const store = (await examined({ ...world.config, stateDir })).get('store');

    expect(store?.status).toBe('warning');
    expect(store?.said).toMatch(/: \d+ of \d+ stores of holdfast-1 were not closed in order; not in use$/);
    expect(store?.details).toContain('holdfast-1/instance-lock: left by a process that died, to be used as it is');
    expect(store?.ways).toStrictEqual(['start the instance again, under the same name: it sees to them']);
  }, 60_000);
});

describe('what is wrong with the broker', () => {
  it('should be that it does not answer: then nothing that lies there is looked at', async () => {
    const checks = await examined({ ...world.config, kafka: { ...world.config.kafka, brokers: ['127.0.0.1:1'] } });

    expect(statuses(checks)).toStrictEqual({
      ...ALL_OK,
      broker: 'failure',
      ...Object.fromEntries(
        ['prefix', 'rights', 'topics', 'partitions', 'ledger', 'dispatcher', 'dead letters', 'agents'].map((name) => [
          name,
          'not-checked',
        ]),
      ),
    });
    expect(checks.get('broker')).toMatchObject({
      said: '127.0.0.1:1 gives no answer',
      ways: [
        'start the broker, or name another: --brokers, HOLDFAST_KAFKA_BROKERS, kafka.brokers',
        '"holdfast backend up" starts a local broker and registry',
      ],
    });
    expect(checks.get('dead letters')?.said).toBe('not checked: because of topics');
  }, 60_000);

  it('should be topics under another prefix', async () => {
    const prefix = `${world.prefix}other.`;
    const found = (await examined({ ...world.config, kafka: { ...world.config.kafka, topicPrefix: prefix } })).get(
      'prefix',
    );

    expect(found?.status).toBe('warning');
    expect(found?.said).toBe(`there are no topics with "${prefix}", but some with other prefixes`);
    expect(found?.details).toContain(`"${world.prefix}"`);
  }, 60_000);

  it('should be topics that are missing, or otherwise than they have to be, each with its way out', async () => {
    const topicPrefix = `${world.prefix}b.`;
    const config = { ...world.config, kafka: { ...world.config.kafka, topicPrefix } };
    const admin = new KafkaAdmin(kafkaConnection(config, 'test'), silent);
    const [missing, altered, wide] = [DEAD_LETTERS, TASK_EVENTS, { name: 'a2a.evidence.v1' }].map(
      ({ name }) => `${topicPrefix}${name}`,
    );
    await admin.createTopics(
      topicSpecs(config)
        .filter(({ name }) => name !== missing)
        .map((spec) => ({
          ...spec,
          partitions: spec.name === wide ? 5 : spec.partitions,
          config: spec.name === altered ? { ...spec.config, 'message.timestamp.type': 'CreateTime' } : spec.config,
        })),
    );
    await admin.close();
    const checks = await examined(config);
    const [broker = ''] = config.kafka.brokers;

    expect(checks.get('topics')).toStrictEqual({
      check: 'topics',
      status: 'failure',
      said: 'not as they should be',
      details: [
        `topic ${altered ?? ''} has message.timestamp.type=CreateTime, not LogAppendTime`,
        `topic ${wide ?? ''} has 5 partitions, not 3`,
        `topic ${missing ?? ''} does not exist`,
      ],
      ways: [
        'holdfast topics create',
        `kafka-configs.sh --bootstrap-server ${broker} --alter --entity-type topics --entity-name ${altered ?? ''} --add-config message.timestamp.type=LogAppendTime`,
        'if the number of partitions is right as it is, set kafka.partitions to it; else delete these topics and create them anew: keys would not stay where they are',
      ],
    });
    expect(checks.get('partitions')).toMatchObject({
      status: 'failure',
      said: 'topics that have to have equally many have not',
    });
    expect(checks.get('partitions')?.details).toContain(`${wide ?? ''}: 5`);
  }, 60_000);

  it('should be that nobody runs, and how much waits', async () => {
    const topicPrefix = `${world.prefix}c.`;
    const config = { ...world.config, kafka: { ...world.config.kafka, topicPrefix } };
    const admin = new KafkaAdmin(kafkaConnection(config, 'test'), silent);
    await admin.createTopics(topicSpecs(config));
    await admin.close();
    const producer = createPlainProducer(kafkaConnection(config, 'test'), silent);
    await producer.send([
      { topic: `${topicPrefix}${TASK_EVENTS.name}`, key: utf8('0:x'), value: utf8('x'), headers: {} },
    ]);
    await producer.close();
    const checks = await examined(config);

    expect(checks.get('ledger')).toMatchObject({
      status: 'warning',
      said: 'no instance runs; at most 1 records behind',
      ways: ['start one: "holdfast serve ledger"'],
    });
    expect(checks.get('dispatcher')).toMatchObject({
      status: 'warning',
      said: 'no instance runs; at most 0 records behind',
    });
  }, 60_000);

  it('should be records that were set aside', async () => {
    const producer = createPlainProducer(kafkaConnection(world.config, 'test'), silent);
    await producer.send([
      { topic: `${world.prefix}${TASK_EVENTS.name}`, key: utf8('0:garbage'), value: utf8('no Avro'), headers: {} },
    ]);
    await producer.close();
    const checks = await settled(world.config, (found) => found.get('dead letters')?.status === 'warning');

    expect(checks.get('dead letters')).toStrictEqual({
      check: 'dead letters',
      status: 'warning',
      said: 'records set aside: 1',
      details: ['undecodable: 1'],
      ways: ['"holdfast dead-letters list" shows them'],
    });
  }, 60_000);
});

describe('what is wrong with the registry', () => {
  it('should be that it does not answer: then nothing is said of its schemas', async () => {
    const checks = await examined({ ...world.config, registry: { url: 'http://127.0.0.1:1/apis/ccompat/v7' } });

    expect(checks.get('registry')).toMatchObject({
      status: 'failure',
      said: 'http://127.0.0.1:1/apis/ccompat/v7 gives no answer',
    });
    expect([...checks].filter(([, { status }]) => status === 'not-checked').map(([name]) => name)).toStrictEqual([
      'clock',
      'schemas',
      'compatibility',
      'dead letters',
      'agents',
    ]);
  }, 60_000);

  it('should be schemas that are not there, and a compatibility that lets in any', async () => {
    const topicPrefix = `${world.prefix}d.`;
    const config = { ...world.config, kafka: { ...world.config.kafka, topicPrefix } };
    const { url } = config.registry;
    const wanted = subjects(topicPrefix);
    const none = (await examined(config)).get('schemas');
    await registerAll(openRegistryClient({ url }), wanted);
    const [dropped, loose] = wanted.map(({ subject }) => subject);
    await fetch(`${url}/subjects/${dropped ?? ''}`, { method: 'DELETE' });
    await fetch(`${url}/config/${loose ?? ''}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ compatibility: 'NONE' }),
    });
    const checks = await examined(config);

    expect(none).toStrictEqual({
      check: 'schemas',
      status: 'failure',
      said: `${wanted.length} of ${wanted.length} are not registered`,
      details: [],
      ways: ['holdfast schemas register', `or correct the prefix "${topicPrefix}"`],
    });
    expect(checks.get('schemas')).toStrictEqual({
      check: 'schemas',
      status: 'failure',
      said: `1 of ${wanted.length} are not registered`,
      details: [`${dropped ?? ''}: missing`],
      ways: ['holdfast schemas register'],
    });
    expect(checks.get('compatibility')).toStrictEqual({
      check: 'compatibility',
      status: 'failure',
      said: `1 of ${wanted.length} subjects are not FULL_TRANSITIVE`,
      details: [`${loose ?? ''}: NONE`],
      ways: ['"holdfast schemas register" sets it'],
    });
  }, 90_000);

  it.each([
    [600, 'failure', /^the registry's is (599|600) s ahead$/],
    [-600, 'failure', /^the registry's is (599|600|601) s behind$/],
    [20, 'warning', /^the registry's is (19|20) s ahead$/],
  ])(
    'should be a clock that is %d s off',
    async (seconds, status, said) => {
      const behind = createServer((asked, answer) => {
        const { hostname, port } = new URL(world.config.registry.url);
        const forwarded = httpRequest(
          { hostname, port, path: asked.url, method: asked.method, headers: asked.headers },
          (response) => {
            const date = new Date(Date.parse(response.headers.date ?? '') + seconds * 1_000).toUTCString();
            answer.writeHead(response.statusCode ?? 500, { ...response.headers, date });
            response.pipe(answer);
          },
        );
        asked.pipe(forwarded);
      });
      const url = `http://127.0.0.1:${await listening(behind)}/apis/ccompat/v7`;
      const clock = (await examined({ ...world.config, registry: { url } })).get('clock');
      behind.closeAllConnections();
      behind.close();

      expect(clock?.status).toBe(status);
      expect(clock?.said).toMatch(said);
    },
    60_000,
  );
});

describe('what is wrong with the agents', () => {
  it('should be cards that cannot be had, and agents that were never verified', async () => {
    const lost = { id: 'w9', cardUrl: 'http://127.0.0.1:1/card.json' };
    const checks = await examined({ ...world.config, agents: [...world.config.agents, lost] });

    expect(checks.get('cards')).toMatchObject({ status: 'failure', said: '1 of 2 cannot be had' });
    expect(checks.get('cards')?.details[0]).toMatch(/^w9: http:\/\/127\.0\.0\.1:1\/card\.json: .*ECONNREFUSED/);
    expect(checks.get('agents')).toMatchObject({
      status: 'warning',
      details: ['w9: no card was accepted yet', 'w9: was never verified'],
    });
  }, 60_000);
});
