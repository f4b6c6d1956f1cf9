import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartialConfig } from '../../infra/config/config-source.js';
import { callAgent } from '../../infra/http/agent-client.js';
import { freePorts } from '../../infra/local/free-ports.js';
import { field, own } from '../../topology/a2a/json.js';
import type { TaskState } from '../../topology/task/task-state.js';
import { DemoProcess, type Ended } from './child.js';
import { startMesh } from './demo-mesh.js';
import type { StoryTape, TapedRecord } from './story-tape.js';
import { WorkerProcess } from './worker-process.js';

export type VariantId = 'a' | 'b' | 'c';

/** What a variant needs around it. */
export type Stage = {
  readonly directory: string;
  readonly config: PartialConfig;
  readonly tape: StoryTape;
  readonly say: (line: string) => void;
};

export type Played = {
  /** How the orchestrator's second life ended, and the last line it printed. */
  readonly ended: Ended;
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly oldTaskId: string;
  /** What the gateway answers when it is asked for the old task ID once more. */
  readonly oldTaskState: string | undefined;
};

const WORKER_STATES = ['submitted', 'working', 'input-required', 'completed'];
const SHORT_STATES = ['submitted', 'working', 'completed'];

export const CORRELATION_ID = 'order-4711';

const startW1 = (): Promise<WorkerProcess> =>
  WorkerProcess.start({ name: 'W1', provider: 'Acme', states: WORKER_STATES });

/** Straight to the agent: what happens where nothing holds the promise (RULES.md section 14). */
export const playWithoutHoldfast = async (
  directory: string,
  say: (line: string) => void,
): Promise<Pick<Played, 'ended' | 'outcome'>> => {
  await mkdir(directory, { recursive: true });
  const w1 = await startW1();
  try {
    await dispatchAndDie(w1.cardUrl, directory, w1, () => w1.restart(), say);
    const resumed = await resume(w1.cardUrl, directory, say);
    const ended = await resumed.ended;
    return { ended, outcome: resumed.lines.at(-1) ?? {} };
  } finally {
    await w1.kill();
  }
};

/** Through Holdfast: (a) another verified worker, (b) the same one again, (c) nobody until one is verified. */
export const playVariant = async (variant: VariantId, stage: Stage): Promise<Played> => {
  const { directory, say, tape } = stage;
  await mkdir(directory, { recursive: true });
  const [gatewayPort = 0, w3Port = 0] = await freePorts(2);
  const w2Options = { name: 'W2', provider: 'Borealis', states: SHORT_STATES, modes: ['text/plain'] } as const;
  const w3Options = { name: 'W3', provider: 'Cumulus', states: WORKER_STATES, port: w3Port } as const;
  const w1 = await startW1();
  const workers = [w1, await WorkerProcess.start({ ...w2Options, emit: 'text/plain' })];
  if (variant === 'a') workers.push(await WorkerProcess.start(w3Options));
  const w3Card = `http://127.0.0.1:${w3Port}/.well-known/agent-card.json`;
  const cards = { W1: w1.cardUrl, W2: workers[1]?.cardUrl ?? '', ...(variant === 'b' ? {} : { W3: w3Card }) };
  const mesh = await startMesh(join(directory, 'holdfast'), meshConfig(stage.config, cards, gatewayPort));
  try {
    await verified(tape, 'W1', 'input-required');
    await verified(tape, 'W2', 'completed');
    if (variant === 'a') await verified(tape, 'W3', 'input-required');
    const cardUrl = `${mesh.gatewayUrl}/agents/W1/.well-known/agent-card.json`;
    const oldTaskId = await dispatchAndDie(cardUrl, directory, w1, () => restartW1(variant, w1), say);
    const resumed = await resume(cardUrl, directory, say);
    if (variant === 'c') {
      await Promise.race([parked(tape), resumed.ended]);
      say('          nobody can take it over; now W3 comes up and is verified');
      workers.push(await WorkerProcess.start(w3Options));
    }
    const ended = await resumed.ended;
    const oldTaskState = await stateOf(`${mesh.gatewayUrl}/agents/W1`, oldTaskId);
    return { ended, outcome: resumed.lines.at(-1) ?? {}, oldTaskId, oldTaskState };
  } finally {
    await mesh.stop();
    for (const worker of workers) await worker.kill();
  }
};

/** What the killed worker comes back as. */
const restartW1 = (variant: VariantId, w1: WorkerProcess): Promise<void> => {
  // (b) its card still promises JSON, but what it finishes is text; (c) it asks no questions any more.
  if (variant === 'b') return w1.restart({ final: 'text/plain' });
  return variant === 'c' ? w1.restart({ states: SHORT_STATES }) : w1.restart();
};

const meshConfig = (
  config: PartialConfig,
  cards: Readonly<Record<string, string>>,
  gatewayPort: number,
): PartialConfig => ({
  ...config,
  gateway: { host: '127.0.0.1', port: gatewayPort },
  policy: { ...config.policy, substitutionGroups: [Object.keys(cards)] },
  agents: Object.entries(cards).map(([id, cardUrl]) => ({
    id,
    cardUrl,
    // The demo's agents know everybody; Holdfast's own questions to them count (R25).
    serviceIdentity: { headers: {} },
    canaries: [
      ...(id === 'W2' ? [] : [{ state: 'input-required' as const, message: 'canary: input-required', answer: 'blue' }]),
      ...(id === 'W2'
        ? [{ mode: 'text/plain', message: 'canary: mode text/plain' }]
        : [{ mode: 'application/json', message: 'canary: mode application/json' }]),
    ],
  })),
});

const verified = (tape: StoryTape, agentId: string, state: TaskState): Promise<TapedRecord> =>
  tape.record(
    ({ topic, value }) =>
      topic === 'agents' &&
      value.type === 'AgentVerified' &&
      value.agentId === agentId &&
      value.states.some((one) => one.state === state),
    `${agentId} was verified for ${state}`,
  );

const parked = (tape: StoryTape): Promise<TapedRecord> =>
  tape.record(
    ({ topic, value }) => topic === 'verdicts' && value.contractError === 'no-capable-worker',
    'no worker is capable',
  );

/**
 * The orchestrator sends the work, is asked for input, and is killed before it stores that; so is the worker, which
 * forgets everything and is started again. Returns the task ID that the orchestrator had stored.
 */
const dispatchAndDie = async (
  cardUrl: string,
  directory: string,
  w1: WorkerProcess,
  restart: () => Promise<void>,
  say: (line: string) => void,
): Promise<string> => {
  const orchestrator = await DemoProcess.start('orchestrator', {
    cardUrl,
    stateFile: join(directory, 'orchestrator.json'),
    phase: 'start',
    correlationId: CORRELATION_ID,
    holdBeforeStore: true,
  });
  await orchestrator.line((line) => line['about-to-store'] === 'input-required');
  const stored = orchestrator.lines.findLast((line) => line.stored !== undefined);
  say('          O is killed before it stores input-required');
  await orchestrator.kill('SIGKILL');
  say('          W1 is killed too, and forgets everything');
  await w1.kill('SIGKILL');
  await restart();
  say('          both are started again; O asks for its task');
  return typeof stored?.taskId === 'string' ? stored.taskId : '';
};

const resume = async (cardUrl: string, directory: string, say: (line: string) => void): Promise<DemoProcess> => {
  const orchestrator = await DemoProcess.start('orchestrator', {
    cardUrl,
    stateFile: join(directory, 'orchestrator.json'),
    phase: 'resume',
    correlationId: CORRELATION_ID,
    answer: 'blue',
  });
  void orchestrator.ended.then(() => {
    say(`          O: ${JSON.stringify(orchestrator.lines.at(-1) ?? {})}`);
  });
  return orchestrator;
};

/** Asks the gateway for a task, as any client would. */
const stateOf = async (url: string, taskId: string): Promise<string | undefined> => {
  const body = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: taskId } };
  const { answer } = await callAgent({ url, body, timeoutMs: 10_000 });
  const task = 'body' in answer ? own(answer.body, 'result') : undefined;
  const state = field(own(task, 'status'), 'state');
  return typeof state === 'string' ? state : undefined;
};
