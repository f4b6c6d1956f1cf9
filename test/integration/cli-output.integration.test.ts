import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kafkaConnection } from '../../infra/config/connection.js';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import { utf8 } from '../../topology/kit/record-key.js';
import { TASK_EVENTS } from '../../topology/topics.js';
import { jsonShapes, shapeFaults } from '../kit/cli/json-shapes.js';
import { HOLDFAST, linesOf, runHoldfast } from '../kit/cli/run-holdfast.js';
import { agent, policyChanged, policyOf } from '../kit/decider-kit/agents.js';
import { DispatcherWorld } from './dispatcher-fixture.js';
import { eventually, silent } from './kafka-fixture.js';

const STATES = ['submitted', 'working', 'input-required', 'completed'] as const;
const ESC = '\u001b';

let world: DispatcherWorld;
let scratch: string;
/** Place of the one record that was set aside. */
let letter: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  world = new DispatcherWorld([]);
  await world.start();
  await world.tell(
    policyChanged(policyOf({ recovery: 'manual' })),
    ...agent('w1', { states: STATES, durable: false }),
    ...agent('w3', { states: STATES, reobservable: true }),
  );
  await world.dispatched('offer-1', 'w1');
  await world.lost('offer-1', 'w1');
  await world.dispatched(`bad${ESC}[2Jname`, 'w3', 'working');
  const producer = createPlainProducer(kafkaConnection(world.config, 'test'), silent);
  await producer.send([
    { topic: `${world.prefix}${TASK_EVENTS.name}`, key: utf8('0:garbage'), value: utf8('no Avro'), headers: {} },
  ]);
  await producer.close();
  letter = await eventually(async () => {
    const { stdout } = await holdfast('dead-letters', 'list', '--json');
    const [first] = JSON.parse(stdout) as readonly { readonly at: string }[];
    return first?.at;
  }, 'a dead letter');
}, 180_000);

afterAll(async () => {
  await world.stop();
  rmSync(scratch, { recursive: true, force: true });
}, 60_000);

const env = () => ({
  HOLDFAST_KAFKA_TOPIC_PREFIX: world.prefix,
  HOLDFAST_STATE_DIR: join(scratch, 'state'),
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
});
const holdfast = (...args: readonly string[]) => runHoldfast(args, env());

/** A line of text without times and places, which differ from run to run. */
const bare = (line: string): string => line.replace(/^\S+ {2}\S+\/\d+\/\d+ +/, '');

describe('what --json prints', () => {
  /** Commands that begin, end or change something are last; "redispatch" and "resolve" have the shape of "approve". */
  const CALLS: Readonly<Record<string, readonly string[]>> = {
    'holdfast backend status': [],
    'holdfast topics check': [],
    'holdfast topics create': [],
    'holdfast schemas check': [],
    'holdfast schemas register': [],
    'holdfast simulate': ['test/stories/seed-02-new-task-id-other-media-type.json'],
    'holdfast tasks list': [],
    'holdfast tasks show': ['offer-1'],
    'holdfast tasks why': ['offer-1', '--all'],
    'holdfast agents list': [],
    'holdfast agents show': ['w3'],
    'holdfast rights list': [],
    'holdfast config print': [],
    'holdfast config check': [],
    'holdfast config schema': [],
    'holdfast dead-letters list': [],
    'holdfast dead-letters show': ['LETTER'],
    'holdfast dead-letters replay': ['LETTER'],
    'holdfast reconcile list': [],
    'holdfast tail': ['--no-follow'],
    'holdfast doctor': [],
    'holdfast reconcile approve': ['offer-1'],
    'holdfast reconcile void': ['offer-1'],
    'holdfast reconcile redispatch': ['offer-1', '--to', 'w3'],
    'holdfast reconcile resolve': ['offer-1', '--as', 'canceled'],
  };

  it.each(Object.entries(CALLS))('should be as JSON.md says: %s', async (command, args) => {
    const { code, stdout, stderr } = await holdfast(
      ...command.split(' ').slice(1),
      ...args.map((arg) => (arg === 'LETTER' ? letter : arg)),
      '--json',
    );
    const documents = linesOf(stdout).map((line): unknown => JSON.parse(line));

    expect(stderr).toBe('');
    expect([0, 1]).toContain(code);
    expect(documents.length).toBeGreaterThan(0);
    expect(documents.flatMap((document) => shapeFaults(command, document))).toStrictEqual([]);
  });

  it('should be tried for every command that is documented, but for those that start and stop a backend', () => {
    const untried = [...jsonShapes().keys()].filter((title) => title !== 'Errors' && !(title in CALLS));

    expect(untried).toStrictEqual(['holdfast backend up', 'holdfast backend down']);
  });

  it.each([
    ['what is not there', ['tasks', 'show', 'nobody'], 'HOLDFAST_UNIT_UNKNOWN'],
    ['a wrong command line', ['tasks', 'list', '--sate', 'x'], 'HOLDFAST_CLI_USAGE'],
    ['no registry', ['tasks', 'list', '--registry', 'http://127.0.0.1:1'], 'HOLDFAST_REGISTRY_UNREACHABLE'],
  ])('should be one document on standard error of %s', async (_, args, code) => {
    const ran = await holdfast(...args, '--json');

    expect({ code: ran.code, stdout: ran.stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(linesOf(ran.stderr)).toHaveLength(1);
    expect(shapeFaults('Errors', JSON.parse(ran.stderr))).toStrictEqual([]);
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code } });
  });
});

describe('tail', () => {
  it('should tell what is there in the order in which it was appended, a line each', async () => {
    const { code, stdout, stderr } = await holdfast(
      'tail',
      'events',
      'verdicts',
      '--correlation-id',
      'offer-1',
      '--no-follow',
      '--limit',
      '6',
    );

    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(linesOf(stdout).map(bare)).toStrictEqual([
      'seen         offer-1  the client sent it to w1',
      'verdict      offer-1  accepted · (R49) sent to w1',
      'seen         offer-1  w1 says task t-offer-… is input-required (send-response)',
      'verdict      offer-1  accepted · (R15) w1 is at input-required',
      'seen         offer-1  w1 does not know task t-offer-…',
      'verdict      offer-1  indeterminate · (R29) w1 lost task t-offer-1, last seen input-required',
    ]);
  });

  it('should merge all topics and partitions by append time', async () => {
    const { stdout } = await holdfast('tail', '--no-follow', '--json');
    const times = linesOf(stdout).map((line) => (JSON.parse(line) as { time: string }).time);

    expect(
      new Set(linesOf(stdout).map((line) => (JSON.parse(line) as { partition: number }).partition)).size,
    ).toBeGreaterThan(1);
    expect(times).toStrictEqual(times.toSorted());
  });

  it('should find records by agent, task, verdict and time', async () => {
    const count = async (...args: readonly string[]) =>
      linesOf((await holdfast('tail', '--no-follow', ...args)).stdout).length;

    expect(await count('events', '--task', 't-offer-1')).toBe(2);
    expect(await count('agents', '--agent', 'w3')).toBe(2);
    expect(await count('--verdict', 'quarantined')).toBe(1);
    expect(await count('--from', '2999-01-01T00:00:00Z')).toBe(0);
    expect(await count('verdicts', '--from', '1d')).toBe(await count('verdicts'));
    expect(await count('--from', 'latest')).toBe(0);
  });

  it('should show what cannot be read as such, and let nothing command a terminal', async () => {
    const { stdout } = await holdfast('tail', 'events', 'dead-letters', '--no-follow');
    const lines = linesOf(stdout).map(bare);

    expect(lines).toContainEqual(
      expect.stringMatching(/^seen {9}garbage {2}cannot be read, undecodable: .+ \(7 bytes\)$/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^dead letter {2}garbage {2}a2a\.task-events\.v1\/\d\/\d+ was set aside as undecodable: /),
    );
    expect(lines).toContain('seen         bad\\u001b[2Jname  the client sent it to w3');
    expect(stdout).not.toContain(ESC);
  });

  it('should follow what comes, and end clean on Ctrl-C', async () => {
    const followed = spawn(process.execPath, [HOLDFAST, 'tail', 'verdicts', '--from', 'beginning'], {
      env: { ...process.env, ...env() },
    });
    let [stdout, stderr] = ['', ''];
    followed.stdout.on('data', (some: Buffer) => (stdout += some.toString()));
    followed.stderr.on('data', (some: Buffer) => (stderr += some.toString()));
    const ended = new Promise((resolve) =>
      followed.on('close', (code, signal) => {
        resolve({ code, signal });
      }),
    );
    await eventually(() => (stdout.includes('offer-1') ? true : undefined), 'what was there');
    await world.dispatched('offer-live', 'w3');
    await eventually(
      () => (stdout.includes('offer-live  accepted · (R15) w3 is at input-required') ? true : undefined),
      'what came',
    );
    followed.kill('SIGINT');

    expect(await ended).toStrictEqual({ code: 130, signal: null });
    expect(stderr).toBe('');
    expect(linesOf(stdout).join('\n')).toBe(stdout.trimEnd());
  }, 90_000);

  it('should end without a word when nobody reads on', async () => {
    const head = await runHoldfast(
      ['-c', '{ "$0" "$1" tail --no-follow --json; echo "code $?" >&2; } | head -n 1', process.execPath, HOLDFAST],
      env(),
      ['bash'],
    );

    expect(linesOf(head.stdout)).toHaveLength(1);
    expect(head.stderr).toBe('code 0\n');
  }, 60_000);
});

describe('on a terminal', () => {
  /** What a command writes to a terminal of 60 columns. */
  const onTerminal = async (command: string, more: Readonly<Record<string, string>> = {}) => {
    const line = `stty cols 60; "$NODE" "$MAIN" ${command}; echo "code $?"`;
    const variables = { ...env(), NODE: process.execPath, MAIN: HOLDFAST, TERM: 'xterm', SHELL: '/bin/bash', ...more };
    const { stdout } = await runHoldfast([], variables, ['script', '-qec', line, '/dev/null']);
    return stdout.replaceAll('\r\n', '\n');
  };
  const COLOUR = new RegExp(`${ESC}\\[\\d+m`);

  it('should show colours, unless they are not wanted', async () => {
    const [shown, unwanted, flagged] = [
      await onTerminal('tail verdicts --no-follow'),
      await onTerminal('tail verdicts --no-follow', { NO_COLOR: '1' }),
      await onTerminal('tail verdicts --no-follow --no-color'),
    ];

    expect(shown).toMatch(COLOUR);
    expect(unwanted).not.toMatch(COLOUR);
    expect(flagged).toBe(unwanted);
  }, 60_000);

  it('should fit tables to its width, and cut nothing where it is none', async () => {
    const [narrow, piped] = [await onTerminal('agents list'), await holdfast('agents', 'list')];

    expect(linesOf(narrow).at(-1)).toBe('code 0');
    expect(Math.max(...linesOf(narrow).map(({ length }) => length))).toBe(60);
    expect(narrow).toContain('…');
    expect(piped.stdout).toContain(STATES.join(','));
    expect(piped.stdout).not.toContain('…');
  }, 60_000);

  it('should tell what is wrong in plain words, in the same place', async () => {
    expect(await onTerminal('tasks lst')).toBe(
      'holdfast: unknown command \'lst\'\n(Did you mean list?)\nSee "holdfast tasks --help".\ncode 2\n',
    );
  }, 60_000);
});
