import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ClientFactory } from '@a2a-js/sdk/client';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import { DemoProcess } from '../../services/demo/child.js';
import type { JsonLine } from '../../services/demo/json-lines.js';
import { stateWord } from '../../services/demo/state-words.js';
import { WorkerProcess } from '../../services/demo/worker-process.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import {
  accepts,
  agentThatKnowsLater,
  contents,
  getTask,
  hear,
  metadataOf,
  say,
  taskOf,
  words,
} from './demo-agents-fixture.js';

// Each test starts processes, on a machine that may be busy.
jest.setTimeout(60_000);

const STEP_MS = 20;
const REQUEST = 'An offer for twenty chairs';
const WITHOUT_QUESTION = ['submitted', 'working', 'completed'];

let directory: string;
const workers: WorkerProcess[] = [];
const processes: DemoProcess[] = [];
const servers: Server[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-demo-agents-'));
});

afterEach(async () => {
  await Promise.all([...workers.splice(0), ...processes.splice(0)].map((child) => child.kill('SIGKILL')));
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  rmSync(directory, { recursive: true, force: true });
});

async function worker(options: Parameters<typeof WorkerProcess.start>[0] = {}): Promise<WorkerProcess> {
  const started = await WorkerProcess.start({ stepMs: STEP_MS, ...options });
  workers.push(started);
  return started;
}

async function orchestrator(
  phase: 'start' | 'resume',
  cardUrl: string,
  flags: Parameters<typeof DemoProcess.start>[1] = {},
): Promise<DemoProcess> {
  const started = await DemoProcess.start('orchestrator', {
    phase,
    cardUrl,
    stateFile: stateFile(),
    correlationId: 'order-1',
    pollMs: 20,
    giveUpAfterMs: 20_000,
    ...flags,
  });
  processes.push(started);
  return started;
}

/** To its end: exit code and last line. */
async function concluded(child: DemoProcess): Promise<{ readonly code: number | null; readonly outcome?: JsonLine }> {
  const { code } = await child.ended;
  const outcome = child.lines.at(-1);
  return outcome === undefined ? { code } : { code, outcome };
}

const stateFile = (): string => join(directory, 'state.json');
const stored = (): JsonLine => JSON.parse(readFileSync(stateFile(), 'utf8')) as JsonLine;

describe('a worker', () => {
  test('should publish a card with its states and modes, and renew it with 304', async () => {
    const { url, cardUrl } = await worker({ name: 'W7', provider: 'Globex' });

    const response = await fetch(cardUrl);
    const again = await fetch(cardUrl, {
      // Without a cache-control of its own, fetch adds `no-cache` to a conditional request, and express answers in full.
      headers: { 'if-none-match': response.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });

    expect(response.headers.get('cache-control')).toBe('public, max-age=5');
    expect(again.status).toBe(304);
    expect(await response.json()).toMatchObject({
      name: 'W7',
      provider: { organization: 'Globex' },
      supportedInterfaces: [{ url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: {
        streaming: true,
        extensions: [
          {
            uri: 'urn:holdfast:a2a-lifecycle:v1',
            params: { states: ['submitted', 'working', 'input-required', 'completed'], durable: false },
          },
        ],
      },
      defaultOutputModes: ['application/json'],
      skills: [{ id: 'offer' }],
    });
  });

  test('should draft, ask, and finish the artifact it drafted when it is answered', async () => {
    const { cardUrl } = await worker();

    const first = await say(cardUrl, { text: REQUEST, lifecycle: { correlationId: ' order 1 ' } });
    const second = await say(cardUrl, { text: 'blue', task: taskOf(first) });

    expect(words(first)).toStrictEqual(['submitted', 'working', 'offer application/json', 'input-required']);
    // A stream that answers begins with the task as it was: no transition.
    expect(words(second)).toStrictEqual(['input-required', 'working', 'offer application/json.', 'completed']);
    const echoes = [...first, ...second].map(metadataOf).filter((metadata) => metadata !== undefined);
    expect(echoes).toStrictEqual(Array(6).fill({ [LIFECYCLE_EXTENSION]: { correlationId: ' order 1 ' } }));
    const task = await getTask(cardUrl, taskOf(first).id);
    expect(task.metadata).toStrictEqual({ [LIFECYCLE_EXTENSION]: { correlationId: ' order 1 ' } });
    expect(contents(task)).toStrictEqual([
      [{ status: 'final', request: REQUEST, colour: 'blue', price: '1180.00 EUR' }],
    ]);
  });

  test('should draft the same bytes for the same request when it begins anew', async () => {
    const { cardUrl } = await worker();

    const [one, other] = await Promise.all([say(cardUrl, { text: REQUEST }), say(cardUrl, { text: REQUEST })]);

    expect(taskOf(one).id).not.toBe(taskOf(other).id);
    const drafts = [await getTask(cardUrl, taskOf(one).id), await getTask(cardUrl, taskOf(other).id)].map(contents);
    expect(drafts[0]).toStrictEqual(drafts[1]);
  });

  test('should guess instead of asking when it does not promise input-required', async () => {
    const { cardUrl } = await worker({
      name: 'W2',
      states: WITHOUT_QUESTION,
      modes: ['text/plain'],
      emit: 'text/plain',
    });

    const events = await say(cardUrl, { text: REQUEST });

    expect(words(events)).toStrictEqual(['submitted', 'working', 'offer text/plain', 'offer text/plain.', 'completed']);
  });

  test('should answer a canary at once, in the state or the mode it names', async () => {
    const { cardUrl } = await worker({ stepMs: 60_000 });

    const asked = await say(cardUrl, { text: 'canary: input-required' });
    const answered = await say(cardUrl, { text: 'blue', task: taskOf(asked) });
    const marked = await say(cardUrl, { text: REQUEST, lifecycle: { probe: true } });
    const mode = await say(cardUrl, { text: 'canary: mode application/json' });
    const otherMode = await say(cardUrl, { text: 'canary: mode text/plain' });

    expect(words(asked)).toStrictEqual(['submitted', 'working', 'offer application/json', 'input-required']);
    expect(words(answered).at(-1)).toBe('completed');
    expect(words(marked).at(-1)).toBe('input-required');
    expect(words(mode)).toStrictEqual(['submitted', 'working', 'offer application/json.', 'completed']);
    expect(words(otherMode)).toStrictEqual(['submitted', 'working', 'completed']);
  });

  test('should write text under a card that says json when it was reconfigured, running or restarted', async () => {
    const changed = await worker();
    const asked = await say(changed.cardUrl, { text: REQUEST });

    await changed.emit('text/plain');
    const answered = await say(changed.cardUrl, { text: 'blue', task: taskOf(asked) });
    await changed.restart({ emit: 'text/plain' });
    const restarted = await say(changed.cardUrl, { text: REQUEST });

    expect(words(asked)).toContain('offer application/json');
    expect(words(answered)).toContain('offer text/plain.');
    expect(words(restarted)).toContain('offer text/plain');
    expect(await (await fetch(changed.cardUrl)).json()).toMatchObject({ defaultOutputModes: ['application/json'] });
  });

  test('should forget every task when it is killed, and come back under the same address', async () => {
    const forgetful = await worker();
    const { id } = taskOf(await say(forgetful.cardUrl, { text: REQUEST }));

    await forgetful.restart();

    await expect(getTask(forgetful.cardUrl, id)).rejects.toBeInstanceOf(TaskNotFoundError);
  });

  test('should cancel only when it promises canceled', async () => {
    const able = await worker({ states: ['submitted', 'working', 'input-required', 'completed', 'canceled'] });
    const unable = await worker();

    const cancel = async ({ cardUrl }: WorkerProcess): Promise<string> => {
      const { id } = taskOf(await say(cardUrl, { text: REQUEST }));
      const client = await new ClientFactory().createFromUrl(cardUrl, '');
      await client.cancelTask({ tenant: '', id, metadata: undefined }).catch(() => undefined);
      return stateWord((await getTask(cardUrl, id)).status?.state);
    };

    expect(await cancel(able)).toBe('canceled');
    expect(await cancel(unable)).toBe('input-required');
  });

  test('should end with code 0 on SIGTERM while a client listens to it', async () => {
    const busy = await worker({ stepMs: 60_000 });
    const stream = hear(busy.cardUrl, { text: REQUEST });
    await stream.next();

    const ended = busy.kill('SIGTERM');

    await expect(stream.next()).rejects.toThrow('terminated');
    expect(await ended).toStrictEqual({ code: 0, signal: null });
  });

  test('should not start when another process has its port, and say so', async () => {
    const first = await worker();

    const second = WorkerProcess.start({ port: Number(new URL(first.url).port) });

    await expect(second).rejects.toThrow('EADDRINUSE');
    await expect(second).rejects.toMatchObject({ code: 'HOLDFAST_DEMO_PROCESS_ENDED' });
  });

  test('should die with the process that started it', async () => {
    const module = new URL('../../services/demo/worker-process.js', import.meta.url).href;
    const script = `
      const { WorkerProcess } = await import('${module}');
      console.log((await WorkerProcess.start({})).url);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = (await once(parent.stdout, 'data')) as [Buffer];
    const port = Number(new URL(url.toString().trim()).port);
    expect(await accepts(port)).toBe(true);

    parent.kill('SIGKILL');
    await once(parent, 'exit');

    for (let look = 0; look < 100 && (await accepts(port)); look += 1) await delay(50);
    expect(await accepts(port)).toBe(false);
  });
});

describe('an orchestrator without Holdfast', () => {
  test('should blame the client when it is killed before it stores input-required and its worker forgets', async () => {
    const w1 = await worker({ name: 'W1' });
    const first = await orchestrator('start', w1.cardUrl, { holdBeforeStore: true });
    await first.line((line) => line['about-to-store'] === 'input-required');
    expect(await first.kill('SIGKILL')).toStrictEqual({ code: null, signal: 'SIGKILL' });
    await w1.restart();
    const { taskId } = stored();
    expect(stored()).toMatchObject({ correlationId: 'order-1', state: 'working' });

    const outcome = await concluded(await orchestrator('resume', w1.cardUrl));

    expect(outcome).toStrictEqual({
      code: 1,
      outcome: {
        outcome: 'failed',
        taskId,
        blames: 'client',
        text: `task ${String(taskId)} failed: the client did not provide the requested input`,
      },
    });
  });

  test('should come back to its task and answer it when only it was killed', async () => {
    const { cardUrl } = await worker();
    const first = await orchestrator('start', cardUrl, { holdBeforeStore: true });
    await first.line((line) => line['about-to-store'] === 'input-required');
    await first.kill('SIGKILL');
    const { taskId } = stored();

    const second = await orchestrator('resume', cardUrl, { answer: 'green' });

    expect(await concluded(second)).toStrictEqual({
      code: 0,
      outcome: {
        outcome: 'completed',
        taskId,
        artifacts: [{ artifactId: 'offer', mediaTypes: ['application/json'] }],
      },
    });
    expect(contents(await getTask(cardUrl, String(taskId)))).toMatchObject([[{ colour: 'green' }]]);
    expect(stored()).toMatchObject({ taskId, state: 'completed' });
    expect(readdirSync(directory)).toStrictEqual(['state.json']);
  });

  test('should store each state as it comes when nobody kills it', async () => {
    const { cardUrl } = await worker();
    const { cardUrl: guessing } = await worker({ states: WITHOUT_QUESTION });

    const asking = await orchestrator('start', cardUrl);
    const { code, outcome } = await concluded(asking);

    expect(code).toBe(0);
    expect(outcome).toStrictEqual({ outcome: 'input-required', taskId: stored().taskId });
    expect(asking.lines.flatMap((line) => line.stored ?? [])).toStrictEqual(['submitted', 'working', 'input-required']);
    expect((await concluded(await orchestrator('start', guessing))).outcome).toMatchObject({ outcome: 'completed' });
  });

  test('should wait for a worker that is down, and give up when it stays so', async () => {
    const w1 = await worker();
    await concluded(await orchestrator('start', w1.cardUrl));
    await w1.kill();

    const second = await orchestrator('resume', w1.cardUrl, { giveUpAfterMs: 300 });

    expect(await concluded(second)).toMatchObject({ code: 3, outcome: { outcome: 'undecided' } });
    expect(second.lines[0]).toMatchObject({ waiting: 'unreachable' });
  });

  test('should ask again when the task is indeterminate or the answer is refused for now', async () => {
    const { cardUrl, calls, server } = await agentThatKnowsLater();
    servers.push(server);
    await concluded(await orchestrator('start', cardUrl));

    const second = await orchestrator('resume', cardUrl);

    expect(await concluded(second)).toStrictEqual({
      code: 0,
      outcome: { outcome: 'completed', taskId: 't-1', artifacts: [] },
    });
    expect(second.lines.flatMap((line) => line.waiting ?? [])).toStrictEqual([
      'try-again',
      'indeterminate',
      'try-again',
    ]);
    const answers = calls.filter(({ text, taskId }) => text === 'blue' && taskId === 't-1');
    expect(answers).toHaveLength(2);
    // The same answer again, not another one.
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
    expect(calls.every(({ correlationId }) => correlationId === 'order-1')).toBe(true);
  });
});
