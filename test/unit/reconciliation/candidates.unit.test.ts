import { describe, expect, test } from '@jest/globals';
import { chooseCandidates, recoveryOf } from '../../../topology/reconciliation/candidates.js';
import { TASK_STATES } from '../../../topology/task/task-state.js';
import type { UnitRecord } from '../../../topology/task/unit.js';
import { agent, contractsFrom, policyChanged, policyOf, type AgentOptions } from '../../kit/decider-kit/agents.js';
import { dispatched } from '../../kit/decider-kit/builders.js';
import { Ledger } from '../../kit/decider-kit/ledger.js';
import type { Policy } from '../../../topology/policy.js';

const REQUIRED = { requiredState: 'input-required', lostBy: 'w1', failed: [] } as const;

const unit = (rest: Partial<UnitRecord> = {}): UnitRecord => ({
  ...new Ledger([]).given(dispatched('w1')).unit,
  ...rest,
});
const contracts = (w2: AgentOptions, policy: Partial<Policy> = {}) =>
  contractsFrom([policyChanged(policyOf(policy)), ...agent('w1'), ...agent('w2', w2)]);
const lacks = (
  w2: AgentOptions,
  record: Partial<UnitRecord> = {},
  requirement: object = {},
): readonly string[] | undefined =>
  chooseCandidates(unit(record), contracts(w2), { ...REQUIRED, ...requirement }).considered.find(
    ({ agentId }) => agentId === 'w2',
  )?.lacks;

const without = TASK_STATES.filter((state) => state !== 'input-required');

describe('what keeps an agent from taking a unit over', () => {
  test.each([
    ['nothing', {}, {}, []],
    [
      'the state was never verified, though the card has it',
      { verified: without },
      {},
      ['input-required not verified'],
    ],
    ['the state is only assumed', { basis: 'assumed' }, {}, ['input-required not verified']],
    ['the state was seen in traffic', { basis: 'observed' }, {}, []],
    ['never verified at all', { verified: null }, {}, ['never verified', 'input-required not verified']],
    [
      'the card in force denies the state',
      { states: without, verified: TASK_STATES },
      {},
      ['input-required not advertised by the card in force'],
    ],
    [
      'the operator denies the state',
      { states: null, config: { configuredStates: without } },
      {},
      ['input-required not advertised by the card in force'],
    ],
    ['no accepted mode verified', {}, { acceptedOutputModes: ['text/plain'] }, ['no accepted output mode verified']],
    [
      'no accepted mode advertised',
      { modes: ['text/plain'] },
      { acceptedOutputModes: ['text/plain'] },
      ['no accepted output mode advertised for the skill'],
    ],
    ['it serves other tenants', { config: { tenants: ['other'] } }, { tenant: 'acme' }, ['other tenant']],
    ['it serves tenants, and there is none', { config: { tenants: ['acme'] } }, {}, ['other tenant']],
    ['it serves this tenant', { config: { tenants: ['acme', 'other'] } }, { tenant: 'acme' }, []],
    [
      'it lost the unit and was not verified since',
      {},
      { lostBy: [{ agentId: 'w2', agentsOffset: 4n }] },
      ['lost this unit and was not verified again since'],
    ],
    ['it lost the unit and was verified since', {}, { lostBy: [{ agentId: 'w2', agentsOffset: 3n }] }, []],
  ] as const)('should be recorded: %s', (_, options, record, lacking) => {
    expect(lacks(options, record)).toStrictEqual(lacking);
  });

  test('should be that its dispatch failed for this loss', () => {
    expect(lacks({}, {}, { failed: ['w2'] })).toStrictEqual(['dispatch failed for this loss']);
  });

  test('should be that it was removed', () => {
    const removed = contractsFrom([policyChanged(policyOf()), ...agent('w2'), { type: 'AgentRemoved', agentId: 'w2' }]);

    expect(chooseCandidates(unit(), removed, REQUIRED)).toStrictEqual({
      candidates: [],
      considered: [{ agentId: 'w2', lacks: ['removed'] }],
    });
  });

  test('should be all of it', () => {
    expect(
      lacks({ verified: without, states: without, modes: [] }, { acceptedOutputModes: ['text/plain'] }),
    ).toStrictEqual([
      'input-required not verified',
      'input-required not advertised by the card in force',
      'no accepted output mode verified',
    ]);
  });
});

describe('who is considered', () => {
  const skilled = (ids: readonly string[], policy: Partial<Policy>) =>
    contractsFrom([
      policyChanged(policyOf(policy)),
      ...ids.flatMap((id) => agent(id, { skills: [{ id: id === 'w3' ? 'other' : 's' }] })),
    ]);
  const candidates = (
    record: Partial<UnitRecord>,
    policy: Partial<Policy>,
    ids = ['w4', 'w3', 'w2', 'w1'],
  ): readonly string[] => chooseCandidates(unit(record), skilled(ids, policy), REQUIRED).candidates;

  test.each([
    ['the configured group', {}, { substitutionGroups: [['w1', 'w3']] }, ['w1', 'w3']],
    ['only the group of the agent that lost it', {}, { substitutionGroups: [['w2', 'w4'], ['w1']] }, ['w1']],
    [
      'without a group, agents of the skill',
      { skillId: 's' },
      { substitutionGroups: [['w2', 'w4']] },
      ['w1', 'w2', 'w4'],
    ],
    ['without a group and a skill, nobody', {}, { substitutionGroups: [] }, []],
    [
      'by preference',
      {},
      { substitutionGroups: [['w1', 'w2', 'w3', 'w4']], preference: ['w4', 'w2'] },
      ['w4', 'w2', 'w1', 'w3'],
    ],
    [
      'those that lost it last',
      { lostBy: [{ agentId: 'w1', agentsOffset: -1n }] },
      { substitutionGroups: [['w1', 'w2', 'w3']], preference: ['w1'] },
      ['w2', 'w3', 'w1'],
    ],
  ] as const)('should be, in order: %s', (_, record, policy, expected) => {
    expect(candidates(record, policy)).toStrictEqual(expected);
  });

  test('should be ordered by the UTF-8 bytes of the agent ID', () => {
    const ids = ['\u{1f600}', '\uffff', 'b', 'B', 'a'];

    expect(candidates({}, { substitutionGroups: [['w1', ...ids]] }, ids)).toStrictEqual([
      'B',
      'a',
      'b',
      '\uffff',
      '\u{1f600}',
    ]);
  });
});

describe('how a loss is recovered', () => {
  test.each([
    ['in a group', {}, {}, 'always'],
    ['without a group', { substitutionGroups: [] }, {}, 'manual'],
    ['by the policy', { recovery: 'manual' }, {}, 'manual'],
    ['by the policy, without a group', { recovery: 'always', substitutionGroups: [] }, {}, 'always'],
    ["by the agent's own configuration", { recovery: 'always' }, { recovery: 'off' }, 'off'],
  ] as const)('should be decided %s', (_, policy, config, expected) => {
    const known = contractsFrom([policyChanged(policyOf(policy)), ...agent('w1', { config })]);

    expect(recoveryOf(known, 'w1')).toBe(expected);
  });
});
