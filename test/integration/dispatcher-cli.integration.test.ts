import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkerProcess } from '../../services/demo/worker-process.js';
import { agent, policyChanged, policyOf } from '../kit/decider-kit/agents.js';
import { DispatcherWorld } from './dispatcher-fixture.js';

const MAIN = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));
const STATES = ['submitted', 'working', 'input-required', 'completed'] as const;

let world: DispatcherWorld;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  for (const name of ['W1', 'W2', 'W3']) workers.push(await WorkerProcess.start({ name, stepMs: 20 }));
  const [w1, w2, w3] = workers.map(({ cardUrl }) => cardUrl);
  world = new DispatcherWorld([
    { id: 'w1', cardUrl: w1 ?? '' },
    { id: 'w2', cardUrl: w2 ?? '' },
    { id: 'w3', cardUrl: w3 ?? '' },
  ]);
  await world.start();
  await world.tell(
    policyChanged(policyOf({ recovery: 'manual' })),
    ...agent('w1', { states: STATES, durable: false }),
    ...agent('w2', { states: ['submitted', 'working', 'completed'], defaultOutputModes: ['text/plain'] }),
    ...agent('w3', { states: STATES, reobservable: true }),
  );
  await world.dispatcher('one');
  await world.dispatched('offer-1', 'w1');
  await world.lost('offer-1', 'w1');
  await world.dispatched('offer-2', 'w2', 'working');
}, 120_000);

afterAll(async () => {
  await world.stop();
  for (const worker of workers) await worker.kill();
}, 60_000);

type Printed = { readonly code: number; readonly stdout: string; readonly stderr: string };

const holdfast = (...args: readonly string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const env = { ...process.env, HOLDFAST_KAFKA_TOPIC_PREFIX: world.prefix };
    execFile(process.execPath, [MAIN, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

/** Without times, which are never the same. */
const timeless = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'));

const json = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await holdfast(...args, '--json')).stdout);

describe('a unit that was lost, on the command line', () => {
  it('should be listed with what it waits for', async () => {
    const lost = await holdfast('reconcile', 'list');

    expect(timeless(lost.stdout)).toStrictEqual([
      'ID       LOST BY  SINCE                     NEEDS           WAITS FOR                       MARKS',
      'offer-1  w1       T  input-required  approval of a redispatch to w3',
    ]);
    expect(await json('tasks', 'list', '--indeterminate')).toMatchObject([
      { id: 'offer-1', phase: 'indeterminate', state: 'input-required', agentId: 'w1' },
    ]);
    expect(await json('tasks', 'list', '--agent', 'w2')).toMatchObject([{ id: 'offer-2', phase: 'working' }]);
  }, 60_000);

  it('should be found by correlation ID and by server task ID, and not by anything else', async () => {
    const [byId, byTask, nobody] = await Promise.all(
      ['offer-1', 't-offer-1', 'offer'].map((id) => holdfast('tasks', 'show', id)),
    );

    expect(timeless(byId?.stdout ?? '')).toStrictEqual([
      'offer-1: indeterminate, last valid state input-required',
      '  lost by w1 (attempt 1) at T; a worker must have verified input-required',
      '  redispatch to w3 as attempt 2, waits for approval',
      '  attempt 1: w1, by client, bound, input-required, task t-offer-1 (lost)',
      '  attempt 2: w3, by holdfast, issued, no state',
    ]);
    expect(byTask?.stdout).toBe(byId?.stdout);
    expect(nobody).toStrictEqual({
      code: 2,
      stdout: '',
      stderr: 'holdfast: no unit of work or server task is called "offer" [HOLDFAST_UNIT_UNKNOWN]\n',
    });
  }, 60_000);

  it('should go on by an operator’s word, at a real worker, and tell why', async () => {
    const approved = await holdfast('reconcile', 'approve', 'offer-1', '--actor', 'kim', '--reason', 'looked at it');
    await world.unit('offer-1', ({ attempts }) => attempts[1]?.state === 'input-required', 'taken over by w3');
    const again = await holdfast('reconcile', 'approve', 'offer-1');
    const why = await holdfast('tasks', 'why', 'offer-1');

    expect(approved.stdout).toMatch(
      /^accepted: kim \(looked at it\) approved the redispatch \(R41\) {2}\[a2a\.verdicts/,
    );
    expect(approved.code).toBe(0);
    expect(again.stdout).toMatch(/^ignored: no redispatch waits for approval/);
    expect(again.code).toBe(1);
    expect(timeless(why.stdout).map((line) => line.replace(/ {2}\[.*\]$/, ''))).toStrictEqual([
      'offer-1: input-required',
      'T  sent to w1. (R49)',
      'T  w1 is at input-required. (R15)',
      'T  Lost, not failed: w1 lost task t-offer-1, last seen input-required. (R29)',
      'T  To be sent to w3 as attempt 2, which needs input-required verified; it waits for an operator to approve it.',
      '    w3 can take it over',
      '    w2 cannot: input-required not verified, input-required not advertised by the card in force, no accepted output mode verified',
      '    w1 cannot: lost this unit and was not verified again since',
      'T  kim (looked at it) approved the redispatch. (R41)',
      'T  To be sent to w3 as attempt 2, released by the operator, which needs input-required verified.',
      '    w3 can take it over',
      '    w2 cannot: input-required not verified, input-required not advertised by the card in force, no accepted output mode verified',
      '    w1 cannot: lost this unit and was not verified again since',
      'T  No evidence: Holdfast has no service identity at w1. (R25)',
      'T  No evidence: Holdfast has no service identity at w1. (R25)',
      'T  about to be sent to w3. (R40)',
      'T  redispatched to w3 as attempt 2. (R34)',
      'T  w3 is at submitted. (R15)',
      'T  w3 is at working. (R15)',
      'T  artifact offer is inside the contract. (R18)',
      'T  w3 is at input-required. (R15)',
      'T  No evidence: no redispatch waits for approval. (R61)',
    ]);
  }, 90_000);

  it('should be resolved by an operator', async () => {
    const wrong = await holdfast('reconcile', 'resolve', 'offer-2', '--as', 'working');
    const resolved = await json('reconcile', 'resolve', 'offer-2', '--as', 'canceled', '--actor', 'kim');

    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('Allowed are completed, failed, canceled, rejected.');
    expect(resolved).toMatchObject({
      verdict: 'accepted',
      rule: 'R61',
      state: 'canceled',
      reason: 'kim resolved it as canceled',
    });
  }, 60_000);
});

describe('agents on the command line', () => {
  it('should be listed with what they advertise and what was verified', async () => {
    const { stdout } = await holdfast('agents', 'list');

    expect(stdout.trimEnd().split('\n')).toStrictEqual([
      'AGENT  CARD      ADVERTISED                                  VERIFIED                                    KEEPS',
      'w1     in force  submitted,working,input-required,completed  submitted,working,input-required,completed  unknown',
      'w2     in force  submitted,working,completed                 submitted,working,completed                 unknown',
      'w3     in force  submitted,working,input-required,completed  submitted,working,input-required,completed  re-observable',
    ]);
    expect(await json('agents', 'show', 'w3')).toMatchObject({
      agentId: 'w3',
      card: { hash: 'w3-card', expired: false },
      verified: { modes: ['application/json'], stale: false },
      reobservable: true,
      durable: false,
    });
    expect((await holdfast('agents', 'show', 'nobody')).code).toBe(2);
  }, 60_000);
});
