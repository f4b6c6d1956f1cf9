import { isOutcomeUnknown } from '../a2a/not-found.js';
import type { Decision } from '../decision.js';
import type { ExchangeObserved, MessageObserved, StreamClosed } from '../observation.js';
import { leaveLoss } from '../reconciliation/reconciliation.js';
import type { Draft } from './draft.js';
import {
  decideNotFound,
  decideSendLost,
  hasServiceIdentity,
  isBeginner,
  notFoundIn,
  sendInDoubt,
} from './not-found.decider.js';
import { bindAttempt } from './speaker.js';
import { isInterrupted, isTerminal } from './task-state.js';
import { attemptNumbered, currentAttempt, liveTasksOf, serverTasksOf, type Attempt, type UnitRecord } from './unit.js';

/** An answer without a task, or none: the protocol's not-found, a send in doubt, an empty search, or nothing (R25, R52). */
export const decideExchange = (draft: Draft, seen: ExchangeObserved): Decision => {
  const lost = notFoundIn(seen);
  if (lost !== undefined) return decideNotFound(draft, lost);
  if (isOutcomeUnknown(seen)) return decideSendInDoubt(draft, seen.agentId, answerOf(seen));
  const empty = emptySearch(draft, seen);
  return (
    empty ??
    draft.conclude({
      word: 'ignored',
      rule: 'R25',
      reason: `${answerOf(seen)} to ${seen.method} is not the protocol's not-found`,
      agentId: seen.agentId,
    })
  );
};

const answerOf = ({ httpStatus, rpcErrorCode, error }: ExchangeObserved): string =>
  httpStatus === 0
    ? `no answer (${error ?? 'unknown'})`
    : `HTTP ${httpStatus}${rpcErrorCode ? ` ${rpcErrorCode}` : ''}`;

/** The outcome of the send is unknown and no task ID came back: one search by the attempt's context (R52). */
const decideSendInDoubt = (draft: Draft, agentId: string, answer: string): Decision => {
  const attempt = unspokenAttempt(draft.record, agentId);
  if (attempt?.sendUnknownAt === undefined && attempt !== undefined && !isTerminal(draft.record.state)) {
    if (attempt.status === 'issued') bindAttempt(draft, attempt);
    if (draft.record.loss === undefined) {
      draft.apply({ type: 'SendOutcomeLost', number: attempt.number, at: draft.observedAt });
      draft.query(attempt, undefined, 'send-outcome-unknown');
    }
  }
  const reason = `${answer} to a send: whether ${agentId} has the task is unknown`;
  return draft.conclude({ word: 'ignored', rule: 'R52', reason, agentId });
};

const unspokenAttempt = (record: UnitRecord, agentId: string): Attempt | undefined => {
  const open = record.loss?.redispatch;
  const attempt = open?.agentId === agentId ? attemptNumbered(record, open.attempt) : currentAttempt(record);
  if (attempt?.agentId !== agentId || attempt.answered) return undefined;
  return serverTasksOf(record, attempt).length === 0 ? attempt : undefined;
};

/** The search came back empty: lost before any state was seen (R52). */
const emptySearch = (draft: Draft, seen: ExchangeObserved): Decision | undefined => {
  const attempt = sendInDoubt(draft.record);
  const empty = seen.method === 'ListTasks' && seen.found === 0 && seen.httpStatus >= 200 && seen.httpStatus < 300;
  if (!empty || attempt?.agentId !== seen.agentId || !maySee(draft, seen, attempt)) return undefined;
  decideSendLost(draft, attempt);
  return draft.conclude({
    word: 'indeterminate',
    rule: 'R52',
    reason: `${seen.agentId} has no task of the attempt's context`,
    agentId: seen.agentId,
    attempt: attempt.number,
  });
};

/** An empty list proves nothing to somebody who may not see the tasks of the attempt's principal (as in R25). */
const maySee = (draft: Draft, { by, principal, agentId }: ExchangeObserved, attempt: Attempt): boolean => {
  if (attempt.principal === undefined) return true;
  return by === 'holdfast' ? hasServiceIdentity(draft, agentId) : isBeginner(draft, principal, attempt);
};

/** A stream that closes without a terminal or interrupted state is not a state: the task is asked for, once (R32). */
export const decideStreamClosed = (draft: Draft, seen: StreamClosed): Decision => {
  const { agentId, serverTaskId } = seen;
  const { record } = draft;
  const task = record.serverTasks.find((known) => known.agentId === agentId && known.id === serverTaskId);
  const current = currentAttempt(record);
  if (serverTaskId === undefined && unspokenAttempt(record, agentId) !== undefined)
    return decideSendInDoubt(draft, agentId, 'a closed stream');
  const working =
    current?.agentId === agentId &&
    record.loss === undefined &&
    !isTerminal(record.state) &&
    !current.closedByViolation &&
    !current.answered &&
    !isInterrupted(current.state);
  // Once: until there is news of it, the answer to the question may itself be a stream that closes.
  const mark = `q:${record.newsAt}`;
  const due = working && !current.seen.includes(mark);
  const asked = due ? (task?.attempt === current.number ? task : liveTasksOf(record, current)[0]) : undefined;
  if (current !== undefined && asked !== undefined) {
    draft.apply({ type: 'MarkRemembered', number: current.number, mark });
    draft.query(current, asked, 'stream-closed');
  }
  const reason = asked === undefined ? 'the stream ended; nothing is missing' : 'the stream ended before the task did';
  return draft.conclude({
    word: 'ignored',
    rule: 'R32',
    reason,
    agentId,
    ...(serverTaskId === undefined ? {} : { serverTaskId }),
  });
};

/** The agent answered with a Message: no task, nothing to watch (R51). */
export const decideMessage = (draft: Draft, seen: MessageObserved): Decision => {
  const { agentId } = seen;
  const { record } = draft;
  const open = record.loss?.redispatch;
  const attempt =
    open?.agentId === agentId
      ? attemptNumbered(record, open.attempt)
      : record.attempts.findLast((own) => own.agentId === agentId);
  const conflict =
    attempt === undefined
      ? `the unit was never dispatched to ${agentId}`
      : contextDiffers(attempt, seen)
        ? `${agentId} answered for context ${seen.contextId ?? ''}`
        : undefined;
  if (attempt === undefined || conflict !== undefined) {
    draft.violate('task-identity-conflict');
    const reason = conflict ?? '';
    return draft.conclude({ word: 'violation', code: 'task-identity-conflict', rule: 'R54', reason, agentId });
  }
  const about = { agentId, attempt: attempt.number };
  if (serverTasksOf(record, attempt).length > 0)
    return draft.conclude({ word: 'accepted', rule: 'R51', reason: 'a message beside its task', ...about });
  if (attempt.status === 'issued' || attempt.status === 'failed') bindAttempt(draft, attempt);
  draft.apply({ type: 'AttemptAnswered', number: attempt.number });
  if (isTerminal(record.state) || currentAttempt(draft.record)?.number !== attempt.number)
    return draft.conclude({ word: 'stale', rule: 'R38', reason: 'the attempt was superseded', ...about });
  leaveLoss(draft);
  return draft.conclude({ word: 'accepted', rule: 'R51', reason: `${agentId} answered with a message`, ...about });
};

const contextDiffers = (attempt: Attempt, { contextId }: MessageObserved): boolean =>
  attempt.contextId !== undefined && contextId !== undefined && attempt.contextId !== contextId;
