import type { SpokenObservation } from '../observation.js';
import { cancelSuperseded, leaveLoss } from '../reconciliation/reconciliation.js';
import type { Draft } from './draft.js';
import { isTerminal } from './task-state.js';
import {
  attemptNumbered,
  currentAttempt,
  serverTasksOf,
  type Attempt,
  type ServerTask,
  type UnitRecord,
} from './unit.js';

/** Whose word it is: an attempt of this unit, or a reason why it is not about this unit (R54). */
export type Speaker =
  { readonly kind: 'attempt'; readonly attempt: Attempt } | { readonly kind: 'conflict'; readonly reason: string };

const conflict = (reason: string): Speaker => ({ kind: 'conflict', reason });

/** Finds the attempt that a word belongs to. A server task ID of one agent belongs to one unit (R54). */
export const identify = (record: UnitRecord, key: string, word: SpokenObservation): Speaker => {
  const { agentId, serverTaskId, metadataCorrelationId, boundTo, contextId } = word;
  if (metadataCorrelationId !== undefined && metadataCorrelationId !== record.correlationId)
    return conflict(`${agentId} answered for correlation ID ${metadataCorrelationId}`);
  if (boundTo !== undefined && boundTo !== key)
    return conflict(`task ${serverTaskId} of ${agentId} belongs to unit ${boundTo}`);
  // What a client gave binds the whole attempt; what an agent made up, only the task it made it up for.
  const sameContext = (held: { readonly contextId?: string }): boolean =>
    held.contextId === undefined || contextId === undefined || held.contextId === contextId;

  const known = record.serverTasks.find((task) => task.agentId === agentId && task.id === serverTaskId);
  if (known !== undefined) {
    const attempt = attemptNumbered(record, known.attempt);
    return attempt !== undefined && sameContext(attempt) && sameContext(known)
      ? { kind: 'attempt', attempt }
      : conflict(`task ${serverTaskId} of ${agentId} answered for context ${contextId ?? ''}`);
  }
  const own = record.attempts.filter((attempt) => attempt.agentId === agentId);
  if (own.length === 0) return conflict(`the unit was never dispatched to ${agentId}`);
  const attempt = attemptOfNewTask(record, own.filter(sameContext));
  return attempt === undefined
    ? conflict(`task ${serverTaskId} of ${agentId} answered for context ${contextId ?? ''}`)
    : { kind: 'attempt', attempt };
};

/**
 * Which of an agent's attempts a new server task belongs to: the open redispatch, else the latest that has no task yet,
 * else the latest one (a repeated send makes a second task of the same attempt).
 */
const attemptOfNewTask = (record: UnitRecord, own: readonly Attempt[]): Attempt | undefined =>
  own.find(({ number }) => number === record.loss?.redispatch?.attempt) ??
  own.findLast((attempt) => attempt.status === 'bound' && serverTasksOf(record, attempt).length === 0) ??
  own.findLast((attempt) => attempt.status !== 'bound' && serverTasksOf(record, attempt).length === 0) ??
  own.at(-1);

/**
 * Records what a first word tells: the server task, the context, and that the attempt got through. An issued redispatch,
 * or one that was thought to have failed, ends the loss that it answers.
 */
export const bindSpeaker = (draft: Draft, word: SpokenObservation, attempt: Attempt): Attempt => {
  const { number } = attempt;
  learnTask(draft, number, { agentId: word.agentId, id: word.serverTaskId, contextId: word.contextId });
  if (attempt.status === 'issued' || attempt.status === 'failed') bindAttempt(draft, attempt);
  return attemptNumbered(draft.record, number) ?? attempt;
};

/**
 * Binds a server task to its attempt, and keeps the context that it answers for. One that was bound to another attempt is
 * that one's no more: the agent's counter began anew, or it has one task for two sends (R54).
 */
export const learnTask = (
  draft: Draft,
  number: number,
  { agentId, id, contextId }: { readonly agentId: string; readonly id: string; readonly contextId: string | undefined },
): void => {
  const context = contextId === undefined ? {} : { contextId };
  const known = draft.record.serverTasks.some(
    (task) => task.agentId === agentId && task.id === id && task.attempt === number,
  );
  if (!known) draft.apply({ type: 'ServerTaskBound', agentId, id, number, ...context });
  else if (contextId !== undefined && !hasContext(draft.record, agentId, id))
    draft.apply({ type: 'ContextLearned', agentId, id, contextId });
};

const hasContext = ({ serverTasks }: UnitRecord, agentId: string, id: string): boolean =>
  serverTasks.some((task) => task.agentId === agentId && task.id === id && task.contextId !== undefined);

/** The attempt is out at its agent; the loss that it answers is over, and what else was issued for it is void. */
export const bindAttempt = (draft: Draft, attempt: Attempt): void => {
  draft.apply({ type: 'AttemptBound', number: attempt.number, at: draft.observedAt });
  const { loss } = draft.record;
  if (loss !== undefined && loss.number === attempt.answersLoss) {
    if (loss.redispatch?.attempt === attempt.number) draft.apply({ type: 'RedispatchClosed' });
    leaveLoss(draft);
  }
  if (currentAttempt(draft.record)?.number === attempt.number) draft.apply({ type: 'NewsSeen', at: draft.observedAt });
};

/** A lost task of the attempt speaks again: it lives. */
export const revive = (draft: Draft, attempt: Attempt): void => {
  for (const task of draft.record.serverTasks)
    if (task.attempt === attempt.number && task.lost && spokeNow(draft, task))
      draft.apply({ type: 'ServerTaskFound', agentId: task.agentId, id: task.id });
};

const spokeNow = ({ input }: Draft, task: ServerTask): boolean =>
  input !== undefined && 'serverTaskId' in input.observation && input.observation.serverTaskId === task.id;

/** It does not count any more and still speaks: it is told to stop, once (R38, R53, R60). */
export const stopSpeaker = (draft: Draft, attempt: Attempt): void => {
  revive(draft, attempt);
  cancelSuperseded(draft, attemptNumbered(draft.record, attempt.number) ?? attempt);
};

/**
 * Whether the unit is decided, and by something else than this attempt. Where trust decided, the lost attempt's own end
 * was decided; where the client or the operator decided, every attempt is another.
 */
export const isDecidedByOther = (record: UnitRecord, attempt: Attempt): boolean =>
  isTerminal(record.state) &&
  record.decidedBy !== attempt.number &&
  (record.cause !== 'task-not-found-trusted' || currentAttempt(record)?.number !== attempt.number);
