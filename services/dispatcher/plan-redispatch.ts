import type { Contracts } from '../../topology/agent/contracts.js';
import type { CommandRecord } from '../../topology/ledger-records.js';
import { chooseCandidates } from '../../topology/reconciliation/candidates.js';
import { attemptNumbered, type Loss, type UnitRecord } from '../../topology/task/unit.js';

export type RedispatchTask = CommandRecord & { readonly type: 'RedispatchTask' };

/** What is to be done about a redispatch, as record and contracts stand. */
export type RedispatchPlan =
  /** To be sent, once the agent that lost it was asked for these tasks again (R36). */
  | { readonly kind: 'send'; readonly lostTaskIds: readonly string[] }
  /** The target may not have it: a failed dispatch, so that the ledger takes the next one (R37, R60). */
  | { readonly kind: 'fail'; readonly reason: string }
  /** Void, sent before, or not released: nothing (R40, R41, R60). */
  | { readonly kind: 'leave'; readonly reason: string }
  /** The record is older than the command: it has to be read again. */
  | { readonly kind: 'behind' };

const leave = (reason: string): RedispatchPlan => ({ kind: 'leave', reason });

/**
 * Judges a redispatch right before it is executed (R60). `record` and `contracts` may be older than the command, which
 * shows in the record; contracts must have been read to their end.
 */
export const planRedispatch = (
  command: RedispatchTask,
  record: UnitRecord | undefined,
  contracts: Contracts,
): RedispatchPlan => {
  if (command.awaits === 'operator') return leave('it waits for an operator');
  const attempt = record && attemptNumbered(record, command.attempt);
  if (record === undefined || attempt === undefined) return { kind: 'behind' };
  if (attempt.status !== 'issued') return leave(`attempt ${attempt.number} is ${attempt.status} already`);
  const { loss } = record;
  const open = loss?.redispatch;
  if (loss === undefined || open?.commandId !== command.commandId || loss.number !== command.loss)
    return leave('the loss that it answers was left');
  // Issued again since the record was written: what released it is not in sight yet.
  if (open.issuedAt < command.issuedAt) return { kind: 'behind' };
  if (open.awaitsApproval) return leave('it waits for an operator');
  const lacks = whatTargetLacks(record, contracts, loss, command.agentId);
  if (lacks.length > 0 && !isOperatorsChoice(command, loss))
    return { kind: 'fail', reason: `${command.agentId} is no candidate any more: ${lacks.join(', ')}` };
  return { kind: 'send', lostTaskIds: lostTasks(record, loss) };
};

const whatTargetLacks = (record: UnitRecord, contracts: Contracts, loss: Loss, target: string): readonly string[] => {
  const failed = record.attempts
    .filter(({ status, answersLoss }) => status === 'failed' && answersLoss === loss.number)
    .map(({ agentId }) => agentId);
  const { considered } = chooseCandidates(record, contracts, {
    requiredState: loss.requiredState,
    lostBy: loss.agentId,
    failed,
  });
  return considered.find(({ agentId }) => agentId === target)?.lacks ?? ['not of the substitution group'];
};

/**
 * An operator names whom he likes (R61). Seen by this: the ledger issues nothing by itself for a loss that is held, and
 * never to an agent that lacked something when it was first issued.
 */
const isOperatorsChoice = ({ again, considered, agentId }: RedispatchTask, loss: Loss): boolean =>
  loss.held || (again === 'no' && considered.find((one) => one.agentId === agentId)?.lacks.length !== 0);

/** What is not lost needs no asking: an operator may redispatch a unit whose task lives, and that word must stand. */
const lostTasks = (record: UnitRecord, loss: Loss): readonly string[] =>
  record.serverTasks.filter(({ attempt, lost }) => attempt === loss.attempt && lost).map(({ id }) => id);
