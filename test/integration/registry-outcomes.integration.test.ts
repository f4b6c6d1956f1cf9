import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { SCHEMAS } from '../../schemas/generated.js';
import { describeOutcomes } from '../outcomes/describe-outcomes.js';
import { REGISTRY_OUTCOMES } from '../outcomes/registry-outcomes.js';
import { eventually } from './kafka-fixture.js';
import { RegistryWorld } from './registry-fixture.js';
import type { Lie } from './registry-proxy.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));
const ACCEPTED = 'accepted: sent to w1';
let world: RegistryWorld;
let units = 0;

beforeAll(async () => {
  world = await RegistryWorld.open(process.env.HOLDFAST_REGISTRY_URL ?? '');
}, 120_000);
afterEach(async () => {
  world.registry.lie = undefined;
  await world.registry.reopen();
});
afterAll(() => world.close(), 60_000);

const unit = (): string => `order-${(units += 1)}`;
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  HOLDFAST_REGISTRY_URL: world.registry.url,
  HOLDFAST_KAFKA_TOPIC_PREFIX: world.prefix,
  HOLDFAST_STATE_DIR: `${world.stateDir}/other`,
});

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };
const holdfast = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env: environment() }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

/** A record whose schema the ledger has to ask for waits with everything behind it, and is judged once it may be. */
const waits = async (lie: Lie, warning: string, end = () => Promise.resolve()): Promise<void> => {
  const id = await world.registerVersion();
  const since = world.warnings.length;
  world.registry.lie = lie;
  const [first, second] = [await world.send(unit(), id), await world.send(unit())];
  await world.warned(warning, since);
  const meanwhile = await world.verdicts();
  expect([meanwhile.get(first), meanwhile.get(second)]).toStrictEqual([undefined, undefined]);
  expect(world.warnings[since]).toMatch(/^a partition waits: the schema registry http:\/\/127\.0\.0\.1:\d+\//);
  world.registry.lie = undefined;
  await end();
  expect([await world.verdictAt(first), await world.verdictAt(second)]).toStrictEqual([ACCEPTED, ACCEPTED]);
};

/** A record whose schema is of no use is set aside, and the next one is judged. */
const setsAside = async (schema: string, reason: RegExp): Promise<void> => {
  const id = await world.registerVersion();
  world.registry.lie = answering(200, JSON.stringify({ schema }), `/schemas/ids/${id}`);
  const [first, second] = [await world.send(unit(), id), await world.send(unit())];
  expect(await world.verdictAt(first)).toMatch(reason);
  expect(await world.verdictAt(second)).toBe(ACCEPTED);
};

const answering =
  (status: number, body: string, path = ''): Lie =>
  async (asked, response, honest) => {
    if (asked.path.startsWith(path)) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    else await honest();
  };

const breaksOff = (_: unknown, response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"schema":"', () => response.destroy());
};

describeOutcomes(
  REGISTRY_OUTCOMES,
  {
    awayAtStart: async () => {
      await world.registry.shut();
      const part = spawn(process.execPath, [MAIN, 'serve', 'verifier'], { env: environment() });
      let said = '';
      part.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => part.once('exit', resolve));
      await eventually(() => (said.includes('the schema registry gives no answer yet') ? true : undefined), 'it waits');
      part.kill('SIGTERM');
      await world.registry.reopen();

      expect(await ended).toBe(0);
      expect(
        said
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { readonly msg: string }).msg.replace(/:.*/, '')),
      ).toStrictEqual([
        'starting verifier as holdfast-1',
        'the schema registry gives no answer yet',
        'stopped while the schema registry gave no answer',
      ]);
    },
    awayForCommand: async () => {
      await world.registry.shut();
      const port = new URL(world.registry.url).port;
      const commands = [
        ['schemas', 'check'],
        ['schemas', 'register'],
        ['tasks', 'list'],
        ['dead-letters', 'list'],
      ];
      const ended = await Promise.all(commands.map((command) => holdfast(...command)));
      await world.registry.reopen();

      expect(ended).toStrictEqual(
        commands.map(() => ({
          code: 2,
          stdout: '',
          stderr: `holdfast: the schema registry ${world.registry.url} gives no answer: connect ECONNREFUSED 127.0.0.1:${port} [HOLDFAST_REGISTRY_UNREACHABLE]\n`,
        })),
      );
    },
    notARegistry: async () => {
      const said = async (lie: Lie): Promise<string> => {
        world.registry.lie = lie;
        const { code, stderr } = await holdfast('schemas', 'check');
        return `${code} ${stderr}`;
      };
      const start = `2 holdfast: the schema registry ${world.registry.url} gives no answer: `;
      const end = ' [HOLDFAST_REGISTRY_UNREACHABLE]\n';

      expect(await said(answering(404, '<html>nothing here</html>'))).toBe(
        `${start}it answers 404 with what is no JSON object: is registry.url a schema registry?${end}`,
      );
      expect(await said(answering(404, '{"error":"no route"}'))).toBe(
        `${start}it answers 404, and not as a schema registry does: is registry.url right?${end}`,
      );
      expect(await said(answering(200, '{"welcome":true}'))).toBe(
        `${start}its answer has no id: is registry.url a schema registry?${end}`,
      );
    },
    contradictsItself: async () => {
      const { subject } = world.subjectOf('StreamClosed');
      world.registry.lie = async ({ method, path }, response, honest) => {
        if (method === 'POST' && path === `/subjects/${encodeURIComponent(subject)}`)
          response.end(JSON.stringify({ id: await world.registerVersion() }));
        else await honest();
      };
      const { code, stderr } = await holdfast('serve', 'ledger');

      expect(code).toBe(2);
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
        new RegExp(
          `^holdfast: the schema registry .* says that the schema of ${subject} has the ID \\d+, but under that ID it has another one: .* Nothing is written \\[HOLDFAST_REGISTRY_CONTRADICTS_ITSELF\\]$`,
        ),
      );
    },
    awayKnown: async () => {
      await world.registry.shut();
      const first = await world.send(unit());
      expect(await world.verdictAt(first)).toBe(ACCEPTED);
      await world.registry.reopen();
    },
    awayUnknown: async () => {
      const id = await world.registerVersion();
      await world.registry.shut();
      const since = world.warnings.length;
      const [first, second] = [await world.send(unit(), id), await world.send(unit())];
      await world.warned('ECONNREFUSED', since);
      const meanwhile = await world.verdicts();
      await world.registry.reopen();

      expect([meanwhile.get(first), meanwhile.get(second)]).toStrictEqual([undefined, undefined]);
      expect([await world.verdictAt(first), await world.verdictAt(second)]).toStrictEqual([ACCEPTED, ACCEPTED]);
    },
    slow: async () => {
      const id = await world.registerVersion();
      world.registry.lie = async (_, __, honest) => {
        await delay(2_000);
        await honest();
      };
      const [first, second] = [await world.send(unit(), id), await world.send(unit())];

      expect([await world.verdictAt(first), await world.verdictAt(second)]).toStrictEqual([ACCEPTED, ACCEPTED]);
    },
    silent: () => waits(() => undefined, 'no answer within 5000 ms'),
    breaksOff: () => waits(breaksOff, 'gives no answer: aborted'),
    fails: async () => {
      for (const status of [500, 502, 503]) await waits(answering(status, 'oops'), `it answers ${status}`);
    },
    page: () => waits(answering(200, '<html>log in</html>'), 'it answers 200 with what is no JSON object'),
    otherShape: () => waits(answering(200, '{"schemas":[1]}'), 'its answer has no schema'),
    nothing: async () => {
      await waits(answering(200, 'null'), 'it answers 200 with what is no JSON object');
      await waits(answering(500, 'null'), 'it answers 500');
    },
    redirects: () =>
      waits(
        (_, response) => void response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
        'it answers 302, it has moved to https://elsewhere.example/: set registry.url to where it is',
      ),
    proxyFindsNothing: () => waits(answering(404, '<html>no</html>'), 'it answers 404 with what is no JSON object'),
    emptied: () =>
      waits(answering(404, '{"error_code":40403,"message":"Schema not found"}'), 'any more; was it emptied?'),
    unknownId: async () => {
      const [first, second] = [await world.send(unit(), 0x7ffffff0), await world.send(unit())];

      expect(await world.verdictAt(first)).toBe('quarantined: the registry has no schema 2147483632');
      expect(await world.verdictAt(second)).toBe(ACCEPTED);
    },
    claimedLater: async () => {
      const id = await world.registerVersion();
      const question = `GET /schemas/ids/${id}`;
      world.registry.lie = async ({ path }, response, honest) => {
        if (path === `/schemas/ids/${id}` && world.registry.times(question) === 1)
          response.writeHead(404).end('{"error_code":40403,"message":"Schema not found"}');
        else await honest();
      };
      const first = await world.send(unit(), id);

      expect(await world.verdictAt(first)).toBe(ACCEPTED);
      expect(world.registry.times(question)).toBe(2);
    },
    otherRecord: () => setsAside(SCHEMAS.Verdict, /^quarantined: a Verdict does not belong on a2a\.task-events\.v1$/),
    noAvro: () => setsAside('{"type":"recrod"}', /^quarantined: schema \d+: unknown type: "recrod"$/),
    huge: () =>
      setsAside(
        JSON.stringify({ type: 'record', name: 'Big', doc: 'x'.repeat(10_000_000), fields: [] }),
        /^quarantined: schema \d+: the answer is longer than 1048576 bytes$/,
      ),
    deep: () =>
      setsAside(
        `${'{"type":"array","items":'.repeat(20_000)}"long"${'}'.repeat(20_000)}`,
        /^quarantined: schema \d+: /,
      ),
  },
  180_000,
);
