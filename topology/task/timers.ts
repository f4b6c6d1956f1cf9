import type { Decision, DecisionContext } from '../decision.js';
import type { Policy } from '../policy.js';
import { recoveryOf } from '../reconciliation/candidates.js';
import { isInGap, isParked, repeatRedispatch, seekReplacement } from '../reconciliation/reconciliation.js';
import type { TimerName } from '../verdict.js';
import { Draft } from './draft.js';
import { decideSendLost, sendInDoubt } from './not-found.decider.js';
import { isInterrupted, isTerminal } from './task-state.js';
import { attemptNumbered, currentAttempt, isOpen, liveTasksOf, type Attempt, type UnitRecord } from './unit.js';

/** A timer that fires leads to a later one: with no time between, there would be no end of it at one moment. */
const atLeast = (duration: number): number => Math.max(duration, 1);

export type DueTimer = { readonly timer: TimerName; readonly due: number };

/** The timers that a record has running, with their due times in ms. A unit that waits for evidence has only that one. */
export const timersOf = (record: UnitRecord, policy: Policy): readonly DueTimer[] => {
  if (record.deferral !== undefined) return [{ timer: 'deferral', due: record.deferral.until }];
  return [...lossTimers(record, policy), ...watchTimers(record, policy), ...retentionTimers(record, policy)];
};

const lossTimers = ({ loss, marks }: UnitRecord, policy: Policy): readonly DueTimer[] => {
  if (loss === undefined) return [];
  const { redispatch, reexamineAt } = loss;
  const running = redispatch !== undefined && !redispatch.awaitsApproval;
  return [
    ...(running
      ? [{ timer: 'dispatch-deadline', due: redispatch.issuedAt + atLeast(policy.dispatchDeadlineMs) } as const]
      : []),
    ...(reexamineAt === undefined ? [] : [{ timer: 'reexamination', due: reexamineAt } as const]),
    ...(running || marks.length > 0
      ? []
      : [{ timer: 'indeterminate-mark', due: loss.at + atLeast(policy.indeterminateAfterMs) } as const]),
  ];
};

/** The attempt whose silence counts: at work, neither lost nor interrupted nor closed (R46). */
const watchedAttempt = (record: UnitRecord): Attempt | undefined => {
  const current = currentAttempt(record);
  if (current === undefined || record.loss !== undefined || isTerminal(record.state)) return undefined;
  if (current.answered || current.closedByViolation || isInterrupted(current.state)) return undefined;
  return current;
};

const watchTimers = (record: UnitRecord, policy: Policy): readonly DueTimer[] => {
  const doubted = sendInDoubt(record)?.sendUnknownAt;
  if (doubted !== undefined) return [{ timer: 'send-deadline', due: doubted + atLeast(policy.sendDeadlineMs) }];
  if (watchedAttempt(record) === undefined) return [];
  return [
    ...(record.silenceAsked ? [] : [{ timer: 'silence', due: record.newsAt + atLeast(policy.staleAfterMs) } as const]),
    ...(record.marks.includes('stalled')
      ? []
      : [{ timer: 'stalled', due: record.newsAt + atLeast(policy.stalledAfterMs) } as const]),
  ];
};

const retentionTimers = (record: UnitRecord, policy: Policy): readonly DueTimer[] => {
  const answered = currentAttempt(record)?.answered === true && record.loss === undefined;
  if (!isTerminal(record.state) && !answered) return [];
  const open = record.attempts.some((attempt) => isOpen(record, attempt));
  const ended = record.terminalAt ?? record.lastWordAt;
  return [
    ...(record.inputKept && !record.inputDropped
      ? [{ timer: 'input-retention', due: ended + policy.inputRetentionMs } as const]
      : []),
    ...(open ? [] : [{ timer: 'retention', due: record.lastWordAt + policy.retainForMs } as const]),
  ];
};

/** The earliest; among equals the first as listed. */
export const earliestTimer = (record: UnitRecord, policy: Policy): DueTimer | undefined =>
  timersOf(record, policy).reduce<DueTimer | undefined>(
    (first, timer) => (first === undefined || timer.due < first.due ? timer : first),
    undefined,
  );

/** Fires one timer other than `deferral`: one decision (DESIGN.md). */
export const fireTimer = (
  record: UnitRecord,
  timer: Exclude<TimerName, 'deferral'>,
  context: DecisionContext,
): { readonly decision: Decision; readonly record: UnitRecord } => {
  const draft = new Draft(record, context);
  const decision = decideTimer(draft, timer);
  return { decision, record: draft.record };
};

const decideTimer = (draft: Draft, timer: Exclude<TimerName, 'deferral'>): Decision => {
  const { record } = draft;
  const current = currentAttempt(record);
  const decided = (rule: string, reason: string): Decision => draft.conclude({ word: 'decided', rule, reason });
  switch (timer) {
    case 'send-deadline':
      if (current !== undefined) decideSendLost(draft, current);
      return decided('R52', `nobody knows whether ${current?.agentId ?? 'the agent'} got the send: it is lost`);
    case 'dispatch-deadline':
      repeatRedispatch(draft, 'unanswered');
      return decided('R60', 'the redispatch is unanswered: issued again under the same ID');
    case 'reexamination':
      draft.apply({ type: 'ReexaminationDone' });
      seekReplacement(draft);
      return decided('R35', 'looked at again');
    case 'indeterminate-mark':
      return markIndeterminate(draft, decided);
    case 'silence':
      if (current === undefined || isInGap(draft, current)) return exempt(draft, decided);
      draft.apply({ type: 'SilenceAsked' });
      draft.query(current, liveTasksOf(record, current)[0], 'silence');
      return decided('R46', `${current.agentId} is silent: asked once`);
    case 'stalled':
      if (current !== undefined && isInGap(draft, current)) return exempt(draft, decided);
      draft.apply({ type: 'OperatorCalled', mark: 'stalled' });
      return decided('R46', `no news of ${current?.agentId ?? 'the agent'}: marked for the operator`);
    case 'input-retention':
      draft.apply({ type: 'InputDropped' });
      return decided('R34', 'the kept input is not needed any more');
    case 'retention':
      return decided('R56', 'ended, and nothing was heard since: let go');
  }
};

/** Neither asked nor marked: the watch begins anew, and again, until a state is seen that ends the exemption (R55). */
const exempt = (draft: Draft, decided: (rule: string, reason: string) => Decision): Decision => {
  draft.apply({ type: 'NewsSeen', at: draft.context.now });
  return decided('R55', 'no news, but the observer was blind');
};

const markIndeterminate = (draft: Draft, decided: (rule: string, reason: string) => Decision): Decision => {
  const { loss } = draft.record;
  const off = loss !== undefined && recoveryOf(draft.context.contracts, loss.agentId) === 'off';
  const lost = loss && attemptNumbered(draft.record, loss.attempt);
  draft.apply({ type: 'OperatorCalled', mark: isParked(draft.record) && !off ? 'no-candidate' : 'stalled' });
  const reason = lost !== undefined && isInGap(draft, lost) ? 'the observer was blind' : 'nobody took it over';
  return decided('R35', `${reason}: marked for the operator`);
};
