/** What a client is told about a task that an agent lost: never that it failed, never that the client did wrong (R2, R45). */
import type { JsonObject } from '../../topology/a2a/json.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import type { TaskState } from '../../topology/task/task-state.js';
import type { Loss } from '../../topology/task/unit.js';
import type { KnownUnit } from './identity-map.js';
import type { Reply } from './operation.js';
import { TASK_INDETERMINATE, tryAgain } from './refusal.js';
import { unspokenRedispatch } from './standing.js';

/** A loss as far as it is known: on record, or met a moment ago and not decided yet. */
export type LostTask = {
  readonly unit: KnownUnit;
  /** The ID under which the client asked. */
  readonly asked: string;
  /** The agent whose TaskNotFound it was. */
  readonly agentId: string;
  /** When the client met it, ms since the epoch. */
  readonly metAt: number;
};

const wireState = (state: TaskState): string => `TASK_STATE_${state.toUpperCase().replace('-', '_')}`;

const whatNext = (entry: LedgerEntry, { contractErrors, held, redispatch }: Loss): string => {
  if (redispatch?.awaitsApproval === true)
    return `a redispatch to ${redispatch.agentId} waits for an operator's approval`;
  if (redispatch !== undefined) return `a redispatch to ${redispatch.agentId} is under way`;
  if (held || contractErrors.includes('input-not-retained') || contractErrors.includes('attempts-exhausted'))
    return 'an operator has to decide what follows';
  if (contractErrors.includes('no-capable-worker')) return 'no agent that could take it over is verified yet';
  return entry.losses > 1 ? 'it is being reconciled again' : 'it is being reconciled';
};

const at = (ms: number): string => new Date(ms).toISOString();

/** Which agent lost the task, in which state, when, and what follows (R45). */
export const lossText = ({ agentId, metAt, unit: { entry } }: LostTask): string => {
  const loss = entry?.loss;
  const redispatched = entry && unspokenRedispatch(entry);
  if (redispatched !== undefined && loss === undefined)
    return `the task was lost and redispatched to ${redispatched.agentId}, which has not answered yet`;
  if (entry === undefined || loss === undefined)
    return `agent ${agentId} answered TaskNotFound at ${at(metAt)}; what that means is being decided`;
  const state = entry.state === null ? 'before any state of it was seen' : `last seen ${entry.state}`;
  return `agent ${loss.agentId} lost the task, ${state}, noticed at ${at(loss.at)}; ${whatNext(entry, loss)}`;
};

const idsOf = ({ asked, unit: { names } }: LostTask) => ({
  id: names.taskId ?? asked,
  ...(names.contextId === undefined ? {} : { contextId: names.contextId }),
});

/** How indeterminate is written on the wire (R2). */
export const INDETERMINATE_STATE = 'TASK_STATE_UNSPECIFIED';

/** The task as a client sees it: the state written out, and phase and reason in the lifecycle metadata (R2). */
export const indeterminateTask = (lost: LostTask): JsonObject => ({
  ...idsOf(lost),
  status: { state: INDETERMINATE_STATE, timestamp: at(lost.unit.entry?.loss?.at ?? lost.metAt) },
  metadata: {
    [LIFECYCLE_EXTENSION]: {
      correlationId: lost.unit.unit.correlationId,
      phase: 'indeterminate',
      reason: lossText(lost),
    },
  },
});

/** A task that something other than an agent's word ended (R53, R61). */
export const decidedTask = (unit: KnownUnit, asked: string, state: TaskState, decidedAt: number): JsonObject => ({
  ...idsOf({ unit, asked, agentId: '', metAt: 0 }),
  status: { state: wireState(state), timestamp: at(decidedAt) },
  metadata: { [LIFECYCLE_EXTENSION]: { correlationId: unit.unit.correlationId } },
});

/** A message, or whatever else needs the task, while it is indeterminate (R39). */
export const taskIndeterminate = (lost: LostTask): Reply & { readonly kind: 'error' } => {
  const { entry } = lost.unit;
  const text = lossText(lost);
  return tryAgain(TASK_INDETERMINATE, 'TASK_INDETERMINATE', `The task is indeterminate: ${text}`, {
    metadata: {
      taskId: idsOf(lost).id,
      correlationId: lost.unit.unit.correlationId,
      agentId: entry?.loss?.agentId ?? lost.agentId,
      lastState: entry?.state ?? 'none',
      since: at(entry?.loss?.at ?? lost.metAt),
      why: text,
    },
  });
};
