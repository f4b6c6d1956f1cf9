import type { Decision } from '../decision.js';
import type { CancelRequested, OperatorDecided } from '../observation.js';
import {
  beginOperatorPass,
  decideUnit,
  redispatchTo,
  repeatRedispatch,
  voidRedispatch,
} from '../reconciliation/reconciliation.js';
import type { Draft } from './draft.js';
import { isTerminal, readTaskState } from './task-state.js';
import { currentAttempt } from './unit.js';

/** The client gives up on a task that is lost: its wish is final (R53). Otherwise the agent's answer counts, not the wish. */
export const decideCancel = (draft: Draft, { principal }: CancelRequested): Decision => {
  const { loss, principal: owner } = draft.record;
  if (owner !== undefined && owner !== principal)
    return draft.conclude({ word: 'ignored', rule: 'R53', reason: 'the unit belongs to another principal' });
  if (loss === undefined)
    return draft.conclude({ word: 'ignored', rule: 'R53', reason: 'the unit is not lost: the agent decides' });
  decideUnit(draft, 'canceled', 'canceled-while-indeterminate');
  return draft.conclude({ word: 'accepted', rule: 'R53', reason: `canceled while ${loss.agentId} had lost it` });
};

/** An operator's word, with actor and reason, judged as everything else (R61). */
export const decideOperator = (draft: Draft, word: OperatorDecided): Decision => {
  const ignored = (reason: string): Decision => draft.conclude({ word: 'ignored', rule: 'R61', reason });
  const { record } = draft;
  const by = `${word.actor ?? 'an operator'}${word.reason === undefined ? '' : ` (${word.reason})`}`;
  const open = record.loss?.redispatch;
  switch (word.action) {
    case 'approve':
      if (open?.awaitsApproval !== true) return ignored('no redispatch waits for approval');
      repeatRedispatch(draft, 'approved');
      return draft.conclude({
        word: 'accepted',
        rule: 'R41',
        reason: `${by} approved the redispatch`,
        agentId: open.agentId,
      });
    case 'void':
      if (open === undefined) return ignored('no redispatch is open');
      voidRedispatch(draft);
      draft.apply({ type: 'LossHeld' });
      return draft.conclude({
        word: 'accepted',
        rule: 'R61',
        reason: `${by} voided the redispatch`,
        agentId: open.agentId,
      });
    case 'redispatch': {
      const current = currentAttempt(record);
      if (word.agentId === undefined) return ignored('no target agent is named');
      if (isTerminal(record.state) || current === undefined) return ignored('the unit is not open');
      if (!record.inputKept || record.inputDropped) return ignored('no input is kept that could be sent');
      if (record.loss === undefined) beginOperatorPass(draft, current);
      redispatchTo(draft, word.agentId);
      return draft.conclude({
        word: 'accepted',
        rule: 'R61',
        reason: `${by} redispatched it to ${word.agentId}`,
        agentId: word.agentId,
      });
    }
    case 'resolve': {
      const read = readTaskState(word.state);
      if (read.kind !== 'state' || !isTerminal(read.state)) return ignored('no terminal state is named');
      if (isTerminal(record.state)) return ignored(`the unit is ${record.state ?? 'open'} already`);
      decideUnit(draft, read.state, 'resolved-by-operator');
      return draft.conclude({ word: 'accepted', rule: 'R61', reason: `${by} resolved it as ${read.state}` });
    }
  }
};
