import { isTaskNotFound } from '../a2a/not-found.js';
import type { AgentContract, Contracts } from '../agent/contracts.js';
import type { Decision } from '../decision.js';
import type { Asker, Observation } from '../observation.js';
import { beginLoss, decideUnit, seekReplacement } from '../reconciliation/reconciliation.js';
import type { Judgement } from '../verdict.js';
import type { Draft } from './draft.js';
import { isTerminal } from './task-state.js';
import {
  attemptNumbered,
  currentAttempt,
  liveTasksOf,
  type Attempt,
  type ServerTask,
  type UnitRecord,
} from './unit.js';

/** A TaskNotFound, however it was observed (R25). Its own class: never a failed task (R26). */
export type NotFound = {
  readonly agentId: string;
  readonly serverTaskId: string;
  readonly principal?: string;
  readonly by: Asker;
};

/** The TaskNotFound that an observation is, by itself or in the form of an exchange. */
export const notFoundIn = (observation: Observation): NotFound | undefined => {
  if (observation.type === 'TaskNotFoundObserved') return observation;
  if (observation.type !== 'ExchangeObserved' || !isTaskNotFound(observation)) return undefined;
  const { serverTaskId } = observation;
  return serverTaskId === undefined ? undefined : { ...observation, serverTaskId };
};

/**
 * Judges a TaskNotFound (RULES.md section 12, order 5): from whom and to whom, terminal, stale, live sibling, already
 * indeterminate, trust, indeterminate; then the replacement is looked for.
 */
export const decideNotFound = (draft: Draft, seen: NotFound): Decision => {
  const about = { agentId: seen.agentId, serverTaskId: seen.serverTaskId };
  const conclude = (judgement: Omit<Judgement, 'contractError'>): Decision =>
    draft.conclude({ ...about, ...judgement });
  const { record } = draft;
  const task = record.serverTasks.find(({ agentId, id }) => agentId === seen.agentId && id === seen.serverTaskId);
  const attempt =
    task === undefined
      ? record.attempts.findLast(({ agentId }) => agentId === seen.agentId)
      : attemptNumbered(record, task.attempt);
  const ignored = doesNotCount(draft, seen, attempt);
  if (ignored !== undefined || attempt === undefined)
    return conclude({ word: 'ignored', rule: 'R25', reason: ignored ?? `${seen.agentId} has no attempt of this unit` });
  const current = currentAttempt(record);
  if (isTerminal(record.state) || current?.closedByViolation === true) {
    const rule = isTerminal(record.state) ? 'R27' : 'R48';
    return conclude({ word: 'terminal-ok', rule, reason: 'the work had ended; the agent only forgot it' });
  }
  if (task === undefined)
    return conclude({ word: 'stale', rule: 'R28', reason: `no task ${seen.serverTaskId} was ever bound to this unit` });
  if (current?.number !== attempt.number) {
    draft.apply({ type: 'ServerTaskLost', agentId: task.agentId, id: task.id });
    return conclude({ word: 'stale', rule: 'R28', reason: `attempt ${attempt.number} was superseded` });
  }
  return (
    liveSibling(draft, attempt, task, conclude) ??
    (record.loss === undefined
      ? lost(draft, seen, attempt, conclude)
      : conclude({ word: 'idempotent', rule: 'R29', reason: 'the unit is indeterminate already: one loss, one pass' }))
  );
};

/** Whose not-found says nothing about the task: otherwise anybody could cause a redispatch by guessing IDs (R25). */
const doesNotCount = (draft: Draft, seen: NotFound, attempt: Attempt | undefined): string | undefined => {
  if (attempt === undefined) return `${seen.agentId} has no attempt of this unit`;
  if (seen.by === 'holdfast')
    return hasServiceIdentity(draft, seen.agentId) ? undefined : `Holdfast has no service identity at ${seen.agentId}`;
  return isBeginner(draft, seen.principal, attempt)
    ? undefined
    : 'the asker is not the principal that began the attempt';
};

export const hasServiceIdentity = (draft: Draft, agentId: string): boolean =>
  draft.agent(agentId).config?.serviceIdentity === true;

/**
 * Whether the attempt was begun under this principal of a client. A redispatch runs under the service identity, and so
 * do the client's questions about it (the gateway reports them as Holdfast's): to its agent the client is a stranger.
 */
export const isBeginner = (draft: Draft, principal: string | undefined, attempt: Attempt): boolean => {
  if (attempt.principal === undefined) return true;
  const ours = attempt.by === 'holdfast' && hasServiceIdentity(draft, attempt.agentId);
  return !ours && attempt.principal === principal;
};

/** As long as another task of the attempt may live, the work is not lost: it is asked (R29). */
const liveSibling = (
  draft: Draft,
  attempt: Attempt,
  task: ServerTask,
  conclude: (judgement: Omit<Judgement, 'contractError'>) => Decision,
): Decision | undefined => {
  const siblings = liveTasksOf(draft.record, attempt).filter(({ id }) => id !== task.id);
  if (siblings.length === 0) return undefined;
  draft.apply({ type: 'ServerTaskLost', agentId: task.agentId, id: task.id });
  for (const sibling of siblings) draft.query(attempt, sibling, 'live-sibling');
  const names = siblings.map(({ id }) => id).join(', ');
  return conclude({ word: 'stale', rule: 'R29', reason: `task ${names} of the same attempt may live` });
};

const lost = (
  draft: Draft,
  seen: NotFound,
  attempt: Attempt,
  conclude: (judgement: Omit<Judgement, 'contractError'>) => Decision,
): Decision => {
  const { state } = draft.record;
  const { agentId, serverTaskId } = seen;
  draft.witness({ kind: 'task-lost', ...draft.unit, agentId, serverTaskId, state });
  if (isTrusted(draft.context.contracts)) {
    draft.apply({ type: 'ServerTaskLost', agentId, id: serverTaskId });
    decideUnit(draft, 'failed', 'task-not-found-trusted');
    const reason = 'all agents are of one provider and durable, so a task that is not found has ended';
    return conclude({ word: 'trusted-terminal', rule: 'R42', attempt: attempt.number, reason });
  }
  beginLoss(draft, attempt);
  seekReplacement(draft);
  return conclude({
    word: 'indeterminate',
    rule: 'R29',
    attempt: attempt.number,
    reason: `${agentId} lost task ${serverTaskId}, last seen ${state ?? 'before any state'}`,
  });
};

const providerOf = ({ config, card }: AgentContract): string | undefined => config?.provider ?? card?.terms.provider;

/** Only where the operator chose it, all agents are of one provider and every one is durable (R42). */
export const isTrusted = ({ policy, agents }: Contracts): boolean => {
  if (policy.trust !== 'homogeneous-durable') return false;
  const mesh = [...agents.values()].filter(({ removed }) => !removed);
  const provider = mesh[0] === undefined ? undefined : providerOf(mesh[0]);
  return provider !== undefined && mesh.every((agent) => agent.durable && providerOf(agent) === provider);
};

/** Before any state was seen there is no task to be found: the search was empty, or nobody answered in time (R52). */
export const decideSendLost = (draft: Draft, attempt: Attempt): void => {
  beginLoss(draft, attempt);
  seekReplacement(draft);
};

/** The attempt whose send has an unknown outcome and left no task ID (R52). */
export const sendInDoubt = (record: UnitRecord): Attempt | undefined => {
  const attempt = currentAttempt(record);
  if (attempt?.sendUnknownAt === undefined || record.loss !== undefined || isTerminal(record.state)) return undefined;
  const spoke = record.serverTasks.some((task) => task.attempt === attempt.number);
  return spoke || attempt.answered ? undefined : attempt;
};
