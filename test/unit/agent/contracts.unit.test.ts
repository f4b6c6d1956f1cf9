import { describe, expect, test } from '@jest/globals';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { contractOf, foldContracts, NO_CONTRACTS, type AgentContract } from '../../../topology/agent/contracts.js';
import { foldEvidence } from '../../../topology/agent/evidence.decider.js';
import type { EvidenceRecord } from '../../../topology/ledger-records.js';
import { DEFAULT_POLICY } from '../../../topology/policy.js';
import {
  agent,
  cardOf,
  configOf,
  contractsFrom,
  verificationOf,
  type AgentOptions,
} from '../../kit/decider-kit/agents.js';

const contract = (options: AgentOptions, ...later: readonly AgentRecord[]): AgentContract =>
  contractOf(contractsFrom([...agent('w1', options), ...later], 77), 'w1');
const evidence = (rest: Partial<EvidenceRecord>): EvidenceRecord => ({
  type: 'Evidence',
  kind: 'task-lost',
  agentId: 'w1',
  correlationId: 'c-1',
  serverTaskId: 't-1',
  observedAt: 1,
  ...rest,
});

describe('the contract of an agent', () => {
  test('should be whole after a card and a verification', () => {
    expect(
      contract({
        states: ['working'],
        modes: ['text/plain'],
        durable: true,
        hash: 'h',
        expiresAt: 5,
        verificationExpiresAt: 6,
      }),
    ).toStrictEqual({
      agentId: 'w1',
      removed: false,
      reobservable: false,
      durable: true,
      needsProbe: false,
      gaps: [],
      answeredAt: 0n,
      card: {
        hash: 'h',
        terms: { states: ['working'], defaultOutputModes: ['application/json'], skills: [] },
        expiresAt: 5,
      },
      verification: {
        revision: 1n,
        states: new Map([['working', 'probed']]),
        refuted: [],
        modes: ['text/plain'],
        cardHash: 'h',
        expiresAt: 6,
      },
    });
  });

  test('should keep the last good card when a refresh fails, and say when it did', () => {
    const after = contract({ hash: 'h', expiresAt: 5 }, { type: 'CardRefused', agentId: 'w1', reason: 'x' });

    expect([after.card?.hash, after.card?.expiresAt, after.refreshFailedAt, after.answeredAt]).toStrictEqual([
      'h',
      5,
      77,
      2n,
    ]);
    expect(contract({}, { type: 'CardRefused', agentId: 'w1', reason: 'x' }, cardOf('w1'))).not.toHaveProperty(
      'refreshFailedAt',
    );
  });

  test('should renew the lifetime of a card alone when it is confirmed', () => {
    const { card } = contract(
      { hash: 'h', expiresAt: 5 },
      { type: 'CardRevalidated', agentId: 'w1', hash: 'h', etag: 'e', expiresAt: 50 },
    );

    expect([card?.hash, card?.expiresAt, card?.etag]).toStrictEqual(['h', 50, 'e']);
  });

  test('should go on judging after the agent was removed', () => {
    const removed = contract({ states: ['working'] }, { type: 'AgentRemoved', agentId: 'w1' });

    expect([removed.removed, removed.card?.terms.states]).toStrictEqual([true, ['working']]);
  });

  test.each([
    ['a probe says so', {}, [verificationOf('w1', { durable: true })], true],
    ['a probe that did not look leaves it', { durable: true }, [verificationOf('w1')], true],
    ['a probe denies it', { durable: true }, [verificationOf('w1', { durable: false })], false],
    ['the operator declares it', {}, [configOf('w1', { durable: true })], true],
    [
      'the operator declares the same again after it was contradicted',
      { config: { durable: true } },
      [
        { type: 'EvidenceFolded', agentId: 'w1', reobservable: false, durable: false, observed: [], needsProbe: true },
        configOf('w1', { durable: true }),
      ],
      false,
    ],
  ] as const)('should be durable where %s', (_, options, later, durable) => {
    expect(contract(options, ...later).durable).toBe(durable);
  });

  test('should take over what traffic showed, without a new verification', () => {
    const seen = contract(
      { states: ['working', 'completed'], verified: ['working'] },
      {
        type: 'EvidenceFolded',
        agentId: 'w1',
        reobservable: true,
        durable: false,
        observed: ['completed', 'working'],
        needsProbe: false,
      },
    );

    expect([...(seen.verification?.states ?? [])]).toStrictEqual([
      ['working', 'probed'],
      ['completed', 'observed'],
    ]);
    expect([seen.verification?.revision, seen.reobservable]).toStrictEqual([1n, true]);
  });

  test('should change with each gap, for the agents that it names', () => {
    const gap: AgentRecord = { type: 'GapObserved', agentIds: ['w1', 'w9'], from: 1, to: 2 };
    const contracts = contractsFrom([...agent('w1'), ...agent('w2'), gap]);

    expect(['w1', 'w2', 'w9'].map((id) => contractOf(contracts, id).gaps)).toStrictEqual([[gap], [], [gap]]);
  });

  test('should leave what was folded before as it was', () => {
    const before = contractsFrom(agent('w1'));
    const after = foldContracts(before, { type: 'AgentRemoved', agentId: 'w1' }, 9n, 0);

    expect([
      contractOf(before, 'w1').removed,
      contractOf(after, 'w1').removed,
      before.offset,
      after.offset,
    ]).toStrictEqual([false, true, 1n, 9n]);
  });

  test('should stand under the policy in force', () => {
    const policy = { ...DEFAULT_POLICY, maxAttempts: 7 };

    expect(foldContracts(NO_CONTRACTS, { type: 'PolicyChanged', version: 'p', policy }, 0n, 0)).toStrictEqual({
      agents: new Map(),
      policy,
      policyVersion: 'p',
      offset: 0n,
    });
  });
});

describe('evidence from traffic', () => {
  const folded = { type: 'EvidenceFolded', agentId: 'w1', durable: false, needsProbe: false } as const;

  test.each([
    [
      'a lost task withdraws and asks for a probe',
      { durable: true, reobservable: true },
      evidence({ state: 'working' }),
      { ...folded, reobservable: false, observed: [], needsProbe: true },
    ],
    [
      'a state seen again confirms',
      { reobservable: false },
      evidence({ kind: 'state-reobserved', state: 'working' }),
      { ...folded, reobservable: true, observed: [] },
    ],
    [
      'a state not verified yet is observed',
      { reobservable: true, states: ['working', 'completed'], verified: ['working'] },
      evidence({ kind: 'state-reobserved', state: 'completed' }),
      { ...folded, reobservable: true, observed: ['completed'] },
    ],
    [
      'an assumed state is observed',
      { reobservable: true, basis: 'assumed' },
      evidence({ kind: 'state-reobserved', state: 'working' }),
      { ...folded, reobservable: true, observed: ['working'] },
    ],
    ['nothing new', { reobservable: true }, evidence({ kind: 'state-reobserved', state: 'working' }), undefined],
  ] as const)('should be folded: %s', (_, options, seen, expected) => {
    expect(foldEvidence(contract(options), seen)).toStrictEqual(expected);
  });

  test('should say nothing new of an agent that is known to lose tasks', () => {
    const withdrawn: AgentRecord = {
      type: 'EvidenceFolded',
      agentId: 'w1',
      reobservable: false,
      durable: false,
      observed: [],
      needsProbe: true,
    };

    expect(foldEvidence(contract({}, withdrawn), evidence({}))).toBeUndefined();
  });

  test('should not empty the verified set', () => {
    const before = contract({ durable: true });
    const record = foldEvidence(before, evidence({}));

    expect(record && contract({ durable: true }, record).verification?.states).toStrictEqual(
      before.verification?.states,
    );
  });
});
