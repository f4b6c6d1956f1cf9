import type { AgentContract } from '../agent/contracts.js';
import type { Decision } from '../decision.js';
import type { DispatchFailed, DispatchObserved, DispatchStarted } from '../observation.js';
import {
  beginLoss,
  cancelSuperseded,
  failRedispatch,
  leaveLoss,
  seekReplacement,
} from '../reconciliation/reconciliation.js';
import type { Draft } from './draft.js';
import { bindAttempt, learnTask } from './speaker.js';
import { isTerminal } from './task-state.js';
import {
  attemptNumbered,
  currentAttempt,
  nextAttemptNumber,
  serverTasksOf,
  type Attempt,
  type UnitRecord,
} from './unit.js';

/** Judges a dispatch (RULES.md section 12, order 2): claimed, retry, reused, else a new attempt (R49). */
export const decideDispatch = (draft: Draft, sent: DispatchObserved): Decision =>
  sent.by === 'holdfast' ? decideRedispatched(draft, sent) : decideClientDispatch(draft, sent);

const decideClientDispatch = (draft: Draft, sent: DispatchObserved): Decision => {
  const { record } = draft;
  const { agentId } = sent;
  if (record.principal !== undefined && record.principal !== sent.principal) {
    draft.violate('correlation-claimed');
    const reason = 'the correlation ID belongs to another principal of the tenant';
    return draft.conclude({ word: 'violation', code: 'correlation-claimed', rule: 'R49', reason, agentId });
  }
  const earlier = record.attempts.find(
    (attempt) =>
      sent.messageId !== undefined && attempt.agentId === agentId && attempt.messageIds.includes(sent.messageId),
  );
  if (earlier !== undefined) {
    if (earlier.status === 'failed' && !isTerminal(record.state)) bindAttempt(draft, earlier);
    bindDispatched(draft, earlier, sent);
    const reason = `message ${sent.messageId ?? ''} was sent to ${agentId} before: a retry`;
    return draft.conclude({ word: 'idempotent', rule: 'R49', reason, agentId, attempt: earlier.number });
  }
  if (isTerminal(record.state)) {
    draft.violate('correlation-reused');
    const reason = `the unit is ${record.state ?? 'open'}; new work needs a correlation ID of its own`;
    return draft.conclude({ word: 'violation', code: 'correlation-reused', rule: 'R49', reason, agentId });
  }
  if (record.attempts.length > 0) {
    leaveLoss(draft);
    // First seen in flight, a unit is nobody's until somebody dispatches it.
    const unowned = record.attempts.every(({ by }) => by === 'seen');
    const owner = unowned && sent.principal !== undefined ? { principal: sent.principal } : {};
    draft.apply({ type: 'RequestReplaced', ...requestOf(draft.agent(sent.agentId), sent), ...owner });
  }
  const number = beginAttempt(draft, sent);
  const reason = number === 1 ? `sent to ${agentId}` : `the client sent it again, to ${agentId}`;
  return draft.conclude({ word: 'accepted', rule: 'R49', reason, agentId, attempt: number });
};

/** What of the request decides later: the skill, the modes the client takes, and whether it can be sent again. */
export const requestOf = (agent: AgentContract, sent: DispatchObserved) => {
  const skillId = sent.skillId ?? agent.config?.defaultSkill;
  return {
    ...(skillId === undefined ? {} : { skillId }),
    acceptedOutputModes: sent.acceptedOutputModes ?? [],
    inputKept: sent.inputKept,
    continues: sent.continues,
  };
};

const beginAttempt = (draft: Draft, sent: DispatchObserved): number => {
  const number = nextAttemptNumber(draft.record);
  draft.apply({
    type: 'AttemptBegun',
    attempt: {
      number,
      agentId: sent.agentId,
      by: sent.by,
      status: 'bound',
      ...(sent.principal === undefined ? {} : { principal: sent.principal }),
      ...(sent.contextId === undefined ? {} : { contextId: sent.contextId }),
      messageIds: sent.messageId === undefined ? [] : [sent.messageId],
      dispatchedAt: draft.observedAt,
      state: null,
      ended: null,
      answered: false,
      closedByViolation: false,
      seen: [],
      cancelAsked: false,
    },
  });
  draft.apply({ type: 'NewsSeen', at: draft.observedAt });
  if (sent.serverTaskId !== undefined)
    learnTask(draft, number, { agentId: sent.agentId, id: sent.serverTaskId, contextId: sent.contextId });
  return number;
};

/** The dispatcher's word that a redispatch went out. Void or not, it is bound; a void one supersedes nothing (R60). */
const decideRedispatched = (draft: Draft, sent: DispatchObserved): Decision => {
  const { agentId } = sent;
  const attempt = redispatchMeant(draft.record, sent);
  if (attempt === undefined && draft.record.attempts.length === 0) {
    const number = beginAttempt(draft, sent);
    return draft.conclude({ word: 'accepted', rule: 'R34', reason: `sent to ${agentId}`, agentId, attempt: number });
  }
  if (attempt === undefined)
    return draft.conclude({ word: 'stale', rule: 'R60', reason: `no redispatch to ${agentId} was open`, agentId });
  const { number, status } = attempt;
  if (status === 'issued' || status === 'failed') bindAttempt(draft, attempt);
  bindDispatched(draft, attempt, sent);
  if (status === 'bound')
    return draft.conclude({ word: 'idempotent', rule: 'R40', reason: 'was sent before', agentId, attempt: number });
  if (status === 'void') {
    cancelSuperseded(draft, attemptNumbered(draft.record, number) ?? attempt);
    const reason = `the redispatch to ${agentId} was void, yet it went out: it supersedes nothing`;
    return draft.conclude({ word: 'accepted', rule: 'R60', reason, agentId, attempt: number });
  }
  const reason = `redispatched to ${agentId} as attempt ${number}`;
  return draft.conclude({ word: 'accepted', rule: 'R34', reason, agentId, attempt: number });
};

/** By its command ID; without one the open redispatch to that agent, else the latest redispatch to it. */
const redispatchMeant = (
  record: UnitRecord,
  { commandId, agentId }: { readonly commandId?: string; readonly agentId: string },
): Attempt | undefined => {
  const open = record.loss?.redispatch;
  if (open?.agentId === agentId && (commandId ?? open.commandId) === open.commandId)
    return attemptNumbered(record, open.attempt);
  const redispatches = record.attempts.filter((attempt) => attempt.by === 'holdfast' && attempt.agentId === agentId);
  return commandId === undefined
    ? redispatches.at(-1)
    : redispatches.find(({ number }) => commandId.startsWith(`redispatch:${number}@`));
};

const bindDispatched = (draft: Draft, { number, agentId }: Attempt, sent: DispatchObserved): void => {
  if (sent.serverTaskId !== undefined)
    learnTask(draft, number, { agentId, id: sent.serverTaskId, contextId: sent.contextId });
  const contextId = attemptNumbered(draft.record, number)?.contextId;
  // With a task it is what the task answers for; without one it is what was sent, and what a search may go by (R52).
  const given = sent.by === 'client' || sent.serverTaskId === undefined;
  if (contextId === undefined && sent.contextId !== undefined && given)
    draft.apply({ type: 'ContextGiven', number, contextId: sent.contextId });
};

/** Written ahead of the effect (R40): it proves that the command was taken up, nothing about the agent. */
export const decideDispatchStarted = (draft: Draft, { agentId, commandId }: DispatchStarted): Decision => {
  const open = draft.record.loss?.redispatch;
  return open?.commandId === commandId
    ? draft.conclude({ word: 'accepted', rule: 'R40', reason: `about to be sent to ${agentId}`, agentId })
    : draft.conclude({ word: 'stale', rule: 'R60', reason: 'the redispatch is void', agentId });
};

/** A dispatch failed: the next candidate is tried, never back (R37). */
export const decideDispatchFailed = (draft: Draft, failed: DispatchFailed): Decision => {
  const { agentId } = failed;
  const { record } = draft;
  const open = record.loss?.redispatch;
  const why = failed.reason === undefined ? '' : `: ${failed.reason}`;
  const reason = `the dispatch to ${agentId} failed${why}`;
  if (open?.agentId === agentId && (failed.commandId ?? open.commandId) === open.commandId) {
    const attempt = attemptNumbered(record, open.attempt);
    if (attempt !== undefined) failRedispatch(draft, attempt);
    return draft.conclude({ word: 'accepted', rule: 'R37', reason, agentId, attempt: open.attempt });
  }
  const current = currentAttempt(record);
  const unspoken =
    current?.agentId === agentId && current.state === null && serverTasksOf(record, current).length === 0;
  if (!unspoken || isTerminal(record.state))
    return draft.conclude({ word: 'stale', rule: 'R37', reason: `no dispatch to ${agentId} is open`, agentId });
  draft.apply({ type: 'AttemptFailed', number: current.number });
  const before = currentAttempt(draft.record);
  // A redispatch that had been reported as sent: the loss it answered stands again, unless a later pass is under way.
  if (current.by === 'holdfast' && before !== undefined && draft.record.loss === undefined) {
    beginLoss(draft, before);
    draft.apply({ type: 'AttemptFailed', number: current.number, answersLoss: draft.record.losses });
    seekReplacement(draft);
  }
  return draft.conclude({ word: 'accepted', rule: 'R37', reason, agentId, attempt: current.number });
};
