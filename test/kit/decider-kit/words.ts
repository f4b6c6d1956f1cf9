/** Random observations about one unit: mostly what a mesh would say, now and then what it must not. */
import type {
  ArtifactObserved,
  ExchangeObserved,
  Observation,
  TaskStateObserved,
  Via,
} from '../../../topology/observation.js';
import { PART_KINDS, VIAS } from '../../../topology/observation.js';
import { TASK_STATES } from '../../../topology/task/task-state.js';
import { attemptNumbered, currentAttempt, type UnitRecord } from '../../../topology/task/unit.js';
import {
  dispatched,
  exchanged,
  lostTask,
  operator,
  PRINCIPAL,
  redispatched,
  said,
  without,
  wrote,
} from './builders.js';
import { AGENT_IDS, MODES, SKILL } from './mesh.js';
import type { Choices } from './random.js';

export const WORDS = [
  'dispatch',
  'redispatched',
  'dispatch-started',
  'dispatch-failed',
  'state',
  'artifact',
  'message',
  'not-found',
  'exchange',
  'stream-closed',
  'cancel',
  'operator',
] as const;
export type WordKind = (typeof WORDS)[number];

type Speaker = { readonly agentId: string; readonly serverTaskId: string };

/** Mostly a task that the unit knows, or a first one of an attempt; sometimes any. */
const speaker = (choices: Choices, record: UnitRecord | null): Speaker => {
  const known = choices.chance(65) ? choices.any(record?.serverTasks ?? []) : undefined;
  if (known !== undefined) return { agentId: known.agentId, serverTaskId: known.id };
  const attempt = choices.chance(90) ? choices.any(record?.attempts ?? []) : undefined;
  const agentId = attempt?.agentId ?? choices.pick(AGENT_IDS);
  return { agentId, serverTaskId: `${agentId}-t${choices.below(4)}` };
};

const identity = (choices: Choices) => ({
  ...choices.maybe(15, () => ({ contextId: choices.pick(['x-1', 'x-1', 'x-2']) })),
  ...choices.maybe(4, () => ({ metadataCorrelationId: choices.pick(['c-1', 'c-2']) })),
  ...choices.maybe(4, () => ({ boundTo: choices.pick(['0:c-1', '0:c-9']) })),
});

const via = (choices: Choices): Via => VIAS[choices.below(VIAS.length)] ?? 'poll';

/** Who asks: the client, a stranger, nobody known, Holdfast itself. */
const asker = (choices: Choices) =>
  choices.pick([
    { by: 'client', principal: PRINCIPAL },
    ...[1, 2, 3, 4, 5].map(() => ({ by: 'client', principal: PRINCIPAL }) as const),
    { by: 'client', principal: 'p-2' },
    { by: 'client' },
    { by: 'holdfast' },
    { by: 'holdfast' },
  ] as const);

const state = (choices: Choices, record: UnitRecord | null): TaskStateObserved => {
  const { agentId, serverTaskId } = speaker(choices, record);
  const word =
    choices.below(1_000) < 965
      ? choices.pick(['submitted', 'working', 'working', 'input-required', 'auth-required'])
      : choices.pick([...TASK_STATES]);
  const wire = choices.chance(94)
    ? word
    : choices.pick([undefined, 'TASK_STATE_UNSPECIFIED', 'unknown', 'done', 'TASK_STATE_WORKING']);
  return said(agentId, serverTaskId, wire, {
    via: via(choices),
    ...identity(choices),
    ...choices.maybe(40, () => ({ statusTimestamp: choices.below(6) })),
    ...choices.maybe(20, () => ({ messageId: `a-${choices.below(4)}` })),
    ...choices.maybe(10, () => ({ lifecycleReason: 'indeterminate' })),
  });
};

const artifact = (choices: Choices, record: UnitRecord | null): ArtifactObserved => {
  const { agentId, serverTaskId } = speaker(choices, record);
  const part = () => ({
    kind: choices.pick([...PART_KINDS]),
    ...choices.maybe(85, () => ({
      mediaType: choices.pick([MODES[0], MODES[0], MODES[0], MODES[1], MODES[2], 'png', 'text/*']),
    })),
    bytes: choices.below(3),
  });
  return wrote(agentId, serverTaskId, {
    via: via(choices),
    ...identity(choices),
    artifactId: `a-${choices.below(2)}`,
    append: choices.chance(45),
    lastChunk: choices.chance(30),
    parts: choices.chance(80) ? [part()] : [part(), part()],
    chunks: 1 + choices.below(3),
    ...choices.maybe(70, () => ({ digest: `d${choices.below(3)}` })),
    ...choices.maybe(30, () => ({ assembled: `d${choices.below(3)}` })),
  });
};

const dispatch = (choices: Choices): Observation => {
  const agentId = choices.pick(AGENT_IDS);
  const sent = dispatched(agentId, {
    messageId: `m-${choices.below(4)}`,
    ...choices.maybe(10, () => ({ principal: 'p-2' })),
    ...choices.maybe(50, () => ({ serverTaskId: `${agentId}-d${choices.below(10 ** 6)}` })),
    ...choices.maybe(30, () => ({ contextId: 'x-1' })),
    ...choices.maybe(40, () => ({ skillId: choices.pick([SKILL, 'other']) })),
    ...choices.maybe(30, () => ({ acceptedOutputModes: choices.subset([...MODES, 'text/*'], 50) })),
    inputKept: choices.chance(88),
    continues: choices.chance(7),
  });
  if (choices.chance(93)) return sent;
  // Without a message ID a repeat cannot be told from a second send: it names no task.
  const bare = choices.chance(50) ? without(sent, 'principal') : without(sent, 'messageId', 'serverTaskId');
  return { ...bare, type: 'DispatchObserved' };
};

/** About the open redispatch, mostly. */
const redispatch = (
  choices: Choices,
  record: UnitRecord | null,
): { readonly agentId: string; readonly commandId?: string } => {
  const open = record?.loss?.redispatch;
  if (open === undefined || choices.chance(15)) {
    const earlier = choices.any(record?.attempts.filter(({ by }) => by === 'holdfast') ?? []);
    const agentId = earlier?.agentId ?? choices.pick(AGENT_IDS);
    const commandId = `redispatch:${earlier?.number ?? 7}@${record?.born ?? ''}:0:c-1`;
    return { agentId, ...choices.maybe(60, () => ({ commandId })) };
  }
  return { agentId: open.agentId, ...choices.maybe(80, () => ({ commandId: open.commandId })) };
};

const exchange = (choices: Choices, record: UnitRecord | null): ExchangeObserved => {
  const { agentId, serverTaskId } = speaker(choices, record);
  const whom = record === null ? undefined : currentAttempt(record)?.agentId;
  return choices.pick([
    exchanged(agentId, { ...asker(choices), serverTaskId, httpStatus: 200, rpcErrorCode: -32001 }),
    exchanged(agentId, { ...asker(choices), serverTaskId, httpStatus: 404, binding: 'HTTP+JSON' }),
    exchanged(agentId, { ...asker(choices), serverTaskId, httpStatus: 200, rpcErrorCode: -32603 }),
    exchanged(whom ?? agentId, { method: 'SendMessage', httpStatus: 0, error: 'timeout' }),
    exchanged(whom ?? agentId, { method: 'SendMessage', httpStatus: 503 }),
    exchanged(whom ?? agentId, { ...asker(choices), method: 'ListTasks', httpStatus: 200, found: choices.below(2) }),
  ]);
};

const operatorWord = (choices: Choices): Observation => {
  const action = choices.pick([
    'approve',
    'approve',
    'approve',
    'void',
    'redispatch',
    'redispatch',
    'resolve',
  ] as const);
  return operator(action, {
    ...choices.maybe(50, () => ({ actor: 'ops', reason: 'because' })),
    ...choices.maybe(90, () => ({ agentId: choices.pick(AGENT_IDS) })),
    ...choices.maybe(90, () => ({
      state: choices.pick(['failed', 'working', 'submitted', 'paused', 'TASK_STATE_CANCELED']),
    })),
  });
};

const optionalTask = (choices: Choices, { agentId, serverTaskId }: Speaker) => ({
  agentId,
  ...choices.maybe(60, () => ({ serverTaskId })),
});

/** What is said about a redispatch is mostly said while one is open. */
const AFTER_REDISPATCH: readonly WordKind[] = ['redispatched', 'dispatch-started', 'dispatch-failed'];

export const randomWord = (wanted: WordKind, choices: Choices, record: UnitRecord | null): Observation => {
  const idle = record?.loss?.redispatch === undefined && AFTER_REDISPATCH.includes(wanted) && choices.chance(70);
  const kind = idle ? 'state' : wanted;
  const unit = { correlationId: 'c-1' };
  switch (kind) {
    case 'dispatch':
      return dispatch(choices);
    case 'redispatched': {
      const { agentId, commandId } = redispatch(choices, record);
      return redispatched(agentId, {
        ...(commandId === undefined ? {} : { commandId }),
        ...choices.maybe(60, () => ({ serverTaskId: `${agentId}-t${choices.below(4)}` })),
        ...choices.maybe(20, () => ({ contextId: 'x-2' })),
      });
    }
    case 'dispatch-started': {
      const { agentId, commandId } = redispatch(choices, record);
      return { type: 'DispatchStarted', ...unit, agentId, commandId: commandId ?? 'redispatch:none' };
    }
    case 'dispatch-failed':
      return {
        type: 'DispatchFailed',
        ...unit,
        ...redispatch(choices, record),
        ...choices.maybe(50, () => ({ reason: 'refused' })),
      };
    case 'state':
      return state(choices, record);
    case 'artifact':
      return artifact(choices, record);
    case 'message': {
      const { agentId } = speaker(choices, record);
      return { type: 'MessageObserved', ...unit, agentId, ...choices.maybe(20, () => ({ contextId: 'x-1' })) };
    }
    case 'not-found':
      return lost(choices, record);
    case 'exchange':
      return exchange(choices, record);
    case 'stream-closed':
      return {
        type: 'StreamClosed',
        ...unit,
        ...optionalTask(choices, speaker(choices, record)),
        clean: choices.chance(50),
      };
    case 'cancel':
      return {
        type: 'CancelRequested',
        ...unit,
        ...choices.maybe(85, () => ({ principal: choices.pick([PRINCIPAL, PRINCIPAL, 'p-2']) })),
      };
    case 'operator':
      return operatorWord(choices);
  }
};

/** Mostly about a task of the current attempt, or of the one that is lost already. */
const lost = (choices: Choices, record: UnitRecord | null): Observation => {
  const number = record === null ? undefined : (record.loss?.attempt ?? currentAttempt(record)?.number);
  const tasks = record?.serverTasks.filter((task) => task.attempt === number) ?? [];
  const task = choices.chance(75) ? choices.any(tasks) : undefined;
  const owner = record === null || number === undefined ? undefined : attemptNumbered(record, number);
  const whom =
    task === undefined ? speaker(choices, record) : { agentId: owner?.agentId ?? task.agentId, serverTaskId: task.id };
  const { principal: _, ...question } = lostTask(whom.agentId, whom.serverTaskId);
  return { ...question, ...asker(choices) };
};
