import type { Redispatch } from '../command.js';
import type { TaskState } from '../task/task-state.js';
import type { Draft } from '../task/draft.js';
import {
  attemptNumbered,
  isOpen,
  liveTasksOf,
  nextAttemptNumber,
  serverTasksOf,
  type Attempt,
  type Loss,
  type UnitRecord,
} from '../task/unit.js';
import { chooseCandidates, recoveryOf, type Choice } from './candidates.js';

/**
 * The reconciliation pass of a lost unit: begin, look for a replacement, issue, release, void, leave (RULES.md section 9).
 * Every function works on a draft, so that one decision can do several of them.
 */

/** The attempt was lost: the unit is indeterminate and a pass begins (R29). */
export const beginLoss = (draft: Draft, attempt: Attempt): void => {
  const { record, context } = draft;
  for (const task of liveTasksOf(record, attempt))
    draft.apply({ type: 'ServerTaskLost', agentId: task.agentId, id: task.id });
  draft.apply({
    type: 'LossBegan',
    loss: newLoss(record, attempt, context.now),
    agentsOffset: context.contracts.offset,
    lost: true,
  });
};

/** An operator redispatches a unit that no agent lost (R61): the same pass, without evidence against anybody. */
export const beginOperatorPass = (draft: Draft, attempt: Attempt): void => {
  draft.apply({
    type: 'LossBegan',
    loss: { ...newLoss(draft.record, attempt, draft.context.now), held: true },
    agentsOffset: draft.context.contracts.offset,
    lost: false,
  });
};

const newLoss = (record: UnitRecord, attempt: Attempt, at: number): Loss => ({
  number: record.losses + 1,
  attempt: attempt.number,
  agentId: attempt.agentId,
  at,
  requiredState: record.state ?? 'submitted',
  contractErrors: [],
  held: false,
});

/** The observer was blind while this attempt was out, and no state of it was seen since (R55). */
export const isInGap = (draft: Draft, attempt: Attempt): boolean => {
  const seen = attempt.seenAt ?? attempt.dispatchedAt;
  return draft.agent(attempt.agentId).gaps.some((gap) => attempt.dispatchedAt <= gap.to && seen <= gap.to);
};

/** Lost, nothing issued, and nothing that only the operator can mend: looked at again when an agent changes (R35). */
export const isParked = ({ loss }: UnitRecord): boolean =>
  loss !== undefined &&
  loss.redispatch === undefined &&
  !loss.held &&
  !loss.contractErrors.includes('input-not-retained') &&
  !loss.contractErrors.includes('attempts-exhausted');

const attemptsCounted = (record: UnitRecord): number =>
  record.attempts.filter(({ status }) => status !== 'void').length;

const failedForLoss = (record: UnitRecord, loss: Loss): readonly string[] =>
  record.attempts
    .filter(({ status, answersLoss }) => status === 'failed' && answersLoss === loss.number)
    .map(({ agentId }) => agentId);

/** `named`: considered in any case, in the group or not. */
const choose = (draft: Draft, loss: Loss, named?: string): Choice =>
  chooseCandidates(draft.record, draft.context.contracts, {
    requiredState: loss.requiredState,
    lostBy: loss.agentId,
    failed: failedForLoss(draft.record, loss),
    ...(named === undefined ? {} : { named }),
  });

/** Why no redispatch may be issued by itself: the operator's switch, or the observer's blindness (R41, R55). */
const isHeldBack = (draft: Draft, loss: Loss): boolean => {
  if (loss.held || recoveryOf(draft.context.contracts, loss.agentId) === 'off') return true;
  const lost = attemptNumbered(draft.record, loss.attempt);
  return lost !== undefined && isInGap(draft, lost);
};

/**
 * Looks for somebody to take the lost unit over: input kept, attempts left, a candidate, in this order (R37). Raises
 * each contract error at most once per loss (R34, R35). Nothing happens where a redispatch is open.
 */
export const seekReplacement = (draft: Draft): void => {
  const { loss, inputKept, continues, inputDropped } = draft.record;
  if (loss === undefined || loss.redispatch !== undefined || isHeldBack(draft, loss)) return;
  if (!inputKept || continues || inputDropped) {
    raiseOnce(draft, loss, 'input-not-retained');
    draft.apply({ type: 'OperatorCalled', mark: 'needs-input' });
    return;
  }
  if (attemptsCounted(draft.record) >= draft.context.contracts.policy.maxAttempts) {
    raiseOnce(draft, loss, 'attempts-exhausted');
    draft.apply({ type: 'OperatorCalled', mark: 'attempts-exhausted' });
    return;
  }
  const choice = choose(draft, loss);
  const [agentId] = choice.candidates;
  if (agentId === undefined) raiseOnce(draft, loss, 'no-capable-worker');
  else issueRedispatch(draft, agentId, choice, recoveryOf(draft.context.contracts, loss.agentId) === 'manual');
};

/** Whether `seekReplacement` would issue a redispatch, and to whom: for the rate of re-examination (R35). */
export const replacementAtHand = (draft: Draft): string | undefined => {
  const { loss } = draft.record;
  if (loss === undefined || !isParked(draft.record) || isHeldBack(draft, loss)) return undefined;
  return choose(draft, loss).candidates[0];
};

const raiseOnce = (
  draft: Draft,
  loss: Loss,
  code: 'input-not-retained' | 'attempts-exhausted' | 'no-capable-worker',
): void => {
  if (!loss.contractErrors.includes(code)) draft.raise({ code, requiredState: loss.requiredState });
};

/** Injective in (attempt, record key): the attempt is digits, the key the rest (R34). */
const messageIdOf = (draft: Draft, attempt: number): string => `holdfast:${attempt}:${draft.key}`;

const issueRedispatch = (draft: Draft, agentId: string, choice: Choice, awaitsApproval: boolean): void => {
  const { record, context } = draft;
  const number = nextAttemptNumber(record);
  draft.apply({
    type: 'AttemptBegun',
    attempt: {
      number,
      agentId,
      by: 'holdfast',
      status: 'issued',
      ...(record.loss === undefined ? {} : { answersLoss: record.loss.number }),
      ...(record.principal === undefined ? {} : { principal: record.principal }),
      messageIds: [messageIdOf(draft, number)],
      dispatchedAt: context.now,
      state: null,
      ended: null,
      answered: false,
      closedByViolation: false,
      seen: [],
      cancelAsked: false,
    },
  });
  const commandId = draft.commandId('redispatch', String(number));
  draft.apply({
    type: 'RedispatchIssued',
    redispatch: { commandId, attempt: number, agentId, issuedAt: context.now, awaitsApproval },
  });
  commandRedispatch(draft, choice, 'no');
};

/** An operator names the target himself; what it lacks is recorded with the command (R61). */
export const redispatchTo = (draft: Draft, agentId: string): void => {
  const { loss } = draft.record;
  if (loss === undefined) return;
  voidRedispatch(draft);
  issueRedispatch(draft, agentId, choose(draft, loss, agentId), false);
};

/** The same command again under the same ID: released by the operator, or unanswered for too long (R41, R60). */
export const repeatRedispatch = (draft: Draft, again: 'approved' | 'unanswered'): void => {
  const { loss } = draft.record;
  if (loss?.redispatch === undefined) return;
  draft.apply({ type: 'RedispatchRepeated', at: draft.context.now, awaitsApproval: false });
  commandRedispatch(draft, choose(draft, loss, loss.redispatch.agentId), again);
};

const commandRedispatch = (draft: Draft, { considered }: Choice, again: Redispatch['again']): void => {
  const { record } = draft;
  const { loss } = record;
  const open = loss?.redispatch;
  if (loss === undefined || open === undefined) return;
  const lost = attemptNumbered(record, loss.attempt);
  draft.command({
    type: 'redispatch',
    commandId: open.commandId,
    ...draft.unit,
    agentId: open.agentId,
    attempt: open.attempt,
    loss: loss.number,
    lostBy: loss.agentId,
    lostTaskIds: lost === undefined ? [] : serverTasksOf(record, lost).map(({ id }) => id),
    requiredState: loss.requiredState,
    messageId: messageIdOf(draft, open.attempt),
    ...(open.awaitsApproval ? { awaits: 'operator' as const } : {}),
    again,
    considered,
  });
};

/** The open redispatch must not be executed any more (R60). */
export const voidRedispatch = (draft: Draft): void => {
  const open = draft.record.loss?.redispatch;
  if (open === undefined) return;
  draft.apply({ type: 'AttemptVoided', number: open.attempt });
  draft.apply({ type: 'RedispatchClosed' });
};

/** The unit is not indeterminate any more; what was issued for the loss is void (R36, R60). */
export const leaveLoss = (draft: Draft): void => {
  if (draft.record.loss === undefined) return;
  voidRedispatch(draft);
  draft.apply({ type: 'LossLeft' });
};

/** The chosen agent could not be reached or refused: out for this loss, the next one is tried (R37). */
export const failRedispatch = (draft: Draft, attempt: Attempt): void => {
  draft.apply({ type: 'AttemptFailed', number: attempt.number });
  draft.apply({ type: 'RedispatchClosed' });
  seekReplacement(draft);
};

/** Tells an attempt that no longer counts to stop, once (R38, R53, R60). */
export const cancelSuperseded = (draft: Draft, attempt: Attempt): void => {
  if (attempt.cancelAsked || !isOpen(draft.record, attempt)) return;
  draft.apply({ type: 'CancelAsked', number: attempt.number });
  liveTasksOf(draft.record, attempt).forEach((task, index) => {
    draft.command({
      type: 'cancel-superseded',
      commandId: draft.commandId('cancel-superseded', `${attempt.number}.${index}`),
      ...draft.unit,
      agentId: attempt.agentId,
      serverTaskId: task.id,
      attempt: attempt.number,
    });
  });
};

/** The unit is decided: the loss is over, and every other attempt that is still at work is told to stop (R38). */
export const finish = (draft: Draft): void => {
  leaveLoss(draft);
  for (const attempt of draft.record.attempts)
    if (attempt.number !== draft.record.decidedBy) cancelSuperseded(draft, attempt);
};

/** Something other than an agent's word decides: trust, the client's cancel, the operator (R42, R53, R61). */
export const decideUnit = (
  draft: Draft,
  state: TaskState,
  cause: 'task-not-found-trusted' | 'canceled-while-indeterminate' | 'resolved-by-operator',
): void => {
  leaveLoss(draft);
  draft.apply({ type: 'UnitDecided', state, cause, at: draft.context.now });
  finish(draft);
};
