import { describe, expect, it } from '@jest/globals';
import { planRedispatch, type RedispatchTask } from '../../../services/dispatcher/plan-redispatch.js';
import type { Decision } from '../../../topology/decision.js';
import { commandRecord } from '../../../topology/ledger-records.js';
import { agent, verificationOf, type AgentOptions } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, operator, redispatched, said } from '../../kit/decider-kit/builders.js';
import { Ledger } from '../../kit/decider-kit/ledger.js';

const WITHOUT_INPUT: AgentOptions = { verified: ['submitted', 'working', 'completed'] };

/** The redispatch that a decision issued, as it is written. */
const issuedBy = ({ commands }: Decision, ledger: Ledger): RedispatchTask => {
  const redispatch = commands.find(({ type }) => type === 'redispatch');
  const record = redispatch && commandRecord(redispatch, ledger.now);
  if (record?.type !== 'RedispatchTask') throw new Error('no redispatch was issued');
  return record;
};

/** A unit that w1 lost while it waited for input. */
const lostUnit = (w2: AgentOptions = {}, w3: AgentOptions = {}, policy = {}): { ledger: Ledger; lost: Decision } => {
  const ledger = new Ledger([...agent('w1'), ...agent('w2', w2), ...agent('w3', w3)], policy).given(
    dispatched('w1'),
    said('w1', 't-1', 'input-required'),
  );
  return { ledger, lost: ledger.observe(lostTask('w1', 't-1')) };
};

const plan = (command: RedispatchTask, ledger: Ledger) => planRedispatch(command, ledger.unit, ledger.contracts);

describe('a redispatch', () => {
  it('should be sent, and the lost task asked for first, while its loss stands', () => {
    const { ledger, lost } = lostUnit();

    expect(plan(issuedBy(lost, ledger), ledger)).toStrictEqual({ kind: 'send', lostTaskIds: ['t-1'] });
  });

  it('should be left when the lost task reappeared', () => {
    const { ledger, lost } = lostUnit();
    const command = issuedBy(lost, ledger);

    ledger.given(said('w1', 't-1', 'input-required', { via: 'poll' }));

    expect(plan(command, ledger)).toStrictEqual({ kind: 'leave', reason: 'attempt 2 is void already' });
  });

  it('should be left when it went out already', () => {
    const { ledger, lost } = lostUnit();
    const command = issuedBy(lost, ledger);

    ledger.given(redispatched('w2', { commandId: command.commandId, serverTaskId: 't-2' }));

    expect(plan(command, ledger)).toStrictEqual({ kind: 'leave', reason: 'attempt 2 is bound already' });
  });

  it('should be left when the unit ended, was given up by its client, or was lost again since', () => {
    for (const word of [operator('resolve', { state: 'failed' }), operator('void')]) {
      const { ledger, lost } = lostUnit();
      const command = issuedBy(lost, ledger);

      ledger.given(word);

      expect(plan(command, ledger).kind).toBe('leave');
    }
  });

  it('should fail when its target was removed, or is verified for less than it was', () => {
    const { ledger, lost } = lostUnit();
    const command = issuedBy(lost, ledger);

    ledger.tell(verificationOf('w2', WITHOUT_INPUT));

    expect(plan(command, ledger)).toStrictEqual({
      kind: 'fail',
      reason: 'w2 is no candidate any more: input-required not verified',
    });
    ledger.tell({ type: 'AgentRemoved', agentId: 'w2' });
    expect(plan(command, ledger)).toStrictEqual({
      kind: 'fail',
      reason: 'w2 is no candidate any more: removed, input-required not verified',
    });
  });

  it('should fail when its target left the substitution group', () => {
    const { ledger, lost } = lostUnit();
    const command = issuedBy(lost, ledger);

    ledger.policy({ substitutionGroups: [['w1', 'w3']] });

    expect(plan(command, ledger)).toStrictEqual({
      kind: 'fail',
      reason: 'w2 is no candidate any more: not of the substitution group',
    });
  });

  it('should go to the agent that an operator named, whatever it lacks', () => {
    const { ledger } = lostUnit(WITHOUT_INPUT);
    const command = issuedBy(ledger.observe(operator('redispatch', { agentId: 'w2' })), ledger);

    expect(plan(command, ledger)).toStrictEqual({ kind: 'send', lostTaskIds: ['t-1'] });
  });

  it('should ask for nothing first where an operator redispatches a unit that no agent lost', () => {
    const ledger = new Ledger([...agent('w1'), ...agent('w2')]).given(dispatched('w1'), said('w1', 't-1', 'working'));
    const command = issuedBy(ledger.observe(operator('redispatch', { agentId: 'w2' })), ledger);

    expect(plan(command, ledger)).toStrictEqual({ kind: 'send', lostTaskIds: [] });
  });

  it('should wait for its approval, and be sent by the command that follows it', () => {
    const { ledger, lost } = lostUnit({}, {}, { recovery: 'manual' });
    const first = issuedBy(lost, ledger);
    expect(plan(first, ledger)).toStrictEqual({ kind: 'leave', reason: 'it waits for an operator' });

    const released = issuedBy(ledger.observe(operator('approve')), ledger);

    expect(released.commandId).toBe(first.commandId);
    expect(plan(released, ledger)).toStrictEqual({ kind: 'send', lostTaskIds: ['t-1'] });
    expect(plan(first, ledger).kind).toBe('leave');
  });
});

describe('a record that is older than the command', () => {
  it('should be read again when it does not know the attempt, or is not there', () => {
    const { ledger, lost } = lostUnit();
    const command = issuedBy(lost, ledger);
    const before = new Ledger([...agent('w1'), ...agent('w2')]).given(
      dispatched('w1'),
      said('w1', 't-1', 'input-required'),
    );

    expect(planRedispatch(command, before.unit, ledger.contracts)).toStrictEqual({ kind: 'behind' });
    expect(planRedispatch(command, undefined, ledger.contracts)).toStrictEqual({ kind: 'behind' });
  });

  it('should be read again when it does not know yet what released the redispatch', () => {
    const { ledger } = lostUnit({}, {}, { recovery: 'manual' });
    const before = ledger.unit;
    const released = issuedBy(ledger.observe(operator('approve')), ledger);

    expect(planRedispatch(released, before, ledger.contracts)).toStrictEqual({ kind: 'behind' });
  });

  it('should not be waited for where it is newer: an earlier issue of an open redispatch is as good', () => {
    const { ledger, lost } = lostUnit();
    const first = issuedBy(lost, ledger);

    const [again] = ledger.wait(61_000);

    expect(again && issuedBy(again, ledger).again).toBe('unanswered');
    expect(plan(first, ledger).kind).toBe('send');
  });
});
