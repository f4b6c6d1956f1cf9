/** Random meshes: a policy, agents, and later words about them. */
import type { AgentRecord, CardTerms } from '../../../topology/agent/agent-records.js';
import { judgeCard, type CardFetched } from '../../../topology/agent/card.decider.js';
import type { AgentContract } from '../../../topology/agent/contracts.js';
import { foldEvidence } from '../../../topology/agent/evidence.decider.js';
import type { Policy } from '../../../topology/policy.js';
import { TASK_STATES, type TaskState } from '../../../topology/task/task-state.js';
import { agent, configOf, policyOf, verificationOf, type AgentOptions } from './agents.js';
import { CORRELATION_ID } from './builders.js';
import type { Choices } from './random.js';
import type { Tally } from './tally.js';

export const AGENT_IDS = ['w1', 'w2', 'w3', 'w4'] as const;
export const MODES = ['application/json', 'text/plain', 'image/png'] as const;
export const SKILL = 's';

const SECOND = 1_000;

export const randomPolicy = (choices: Choices): Policy => ({
  ...policyOf(),
  trust: choices.chance(25) ? 'homogeneous-durable' : 'verify',
  ...choices.maybe(80, () => ({ recovery: choices.pick(['always', 'always', 'always', 'manual', 'off'] as const) })),
  maxAttempts: choices.pick([1, 2, 3, 4, 6, 12]),
  assume: choices.pick([policyOf().assume, policyOf().assume, [], ['working', 'input-required']]),
  preference: choices.subset(AGENT_IDS, 30),
  substitutionGroups: choices.pick([
    [[...AGENT_IDS]],
    [[...AGENT_IDS]],
    [
      ['w1', 'w2'],
      ['w3', 'w4'],
    ],
    [],
  ]),
  reexaminePerSecond: 1 + choices.below(3),
  ...choices.maybe(50, () => ({
    deferTimeoutMs: 5 * SECOND,
    refreshBackoffMs: 10 * SECOND,
    dispatchDeadlineMs: 5 * SECOND,
    sendDeadlineMs: 5 * SECOND,
    retainForMs: 3_600 * SECOND,
    inputRetentionMs: 600 * SECOND,
  })),
});

const randomStates = (choices: Choices): readonly TaskState[] =>
  choices.chance(50)
    ? TASK_STATES
    : TASK_STATES.filter((state) => choices.chance(state === 'working' || state === 'completed' ? 95 : 75));

const randomTerms = (choices: Choices): CardTerms => ({
  ...choices.maybe(60, () => ({ states: randomStates(choices) })),
  defaultOutputModes: choices.pick([
    ['application/json'],
    ['application/json', 'text/plain'],
    ['text/*', 'application/json'],
    ['*/*'],
    [],
  ]),
  skills: [{ id: SKILL, ...choices.maybe(40, () => ({ outputModes: choices.subset(MODES, 60) })) }],
  ...choices.maybe(90, () => ({ provider: choices.pick(['acme', 'acme', 'acme', 'other']) })),
});

/** Expiry of a card or a verification: mostly far off, sometimes soon, sometimes past. */
const randomExpiry = (choices: Choices, now: number): number =>
  now + choices.pick([10_000 * SECOND, 1_000 * SECOND, 60 * SECOND, 5 * SECOND, -SECOND]);

const randomOptions = (choices: Choices, now: number, homogeneous: boolean): AgentOptions => {
  const { states, ...terms } = randomTerms(choices);
  return {
    states: states ?? null,
    ...terms,
    ...(homogeneous ? { provider: 'acme' } : {}),
    hash: `h${choices.below(3)}`,
    expiresAt: randomExpiry(choices, now),
    verified: choices.chance(12) ? null : randomStates(choices),
    basis: choices.pick(['probed', 'probed', 'probed', 'observed', 'assumed']),
    refuted: choices.subset(TASK_STATES, 4),
    modes: choices.pick([['application/json'], ['application/json', 'text/plain'], [...MODES], ['*/*']]),
    durable: homogeneous || choices.chance(30),
    reobservable: choices.chance(50),
    ...choices.maybe(20, () => ({ against: 'h-before' })),
    config: randomConfig(choices),
  };
};

const randomConfig = (choices: Choices): NonNullable<AgentOptions['config']> => ({
  serviceIdentity: choices.chance(70),
  durable: choices.chance(20),
  ...choices.maybe(10, () => ({ recovery: choices.pick(['always', 'manual', 'off'] as const) })),
  ...choices.maybe(10, () => ({ tenants: choices.pick([['acme'], []]) })),
  ...choices.maybe(15, () => ({ configuredStates: randomStates(choices) })),
  ...choices.maybe(20, () => ({ defaultSkill: choices.pick([SKILL, 'unknown']) })),
});

export const randomMesh = (
  choices: Choices,
  now: number,
): { readonly policy: Policy; readonly records: readonly AgentRecord[] } => {
  const policy = randomPolicy(choices);
  const homogeneous = policy.trust === 'homogeneous-durable' && choices.chance(70);
  const known = AGENT_IDS.filter((_, index) => index < 2 || choices.chance(70));
  return { policy, records: known.flatMap((id) => agent(id, randomOptions(choices, now, homogeneous))) };
};

/** The next word about some agent, as the verifier or the operator would write it. `undefined`: nothing to write. */
export const randomAgentRecord = (
  choices: Choices,
  now: number,
  contractOf: (agentId: string) => AgentContract,
  tally: Tally,
): AgentRecord | undefined => {
  const agentId = choices.pick(AGENT_IDS);
  const contract = contractOf(agentId);
  switch (
    choices.pick([
      'card',
      'card',
      'card',
      'verified',
      'verified',
      'verified',
      'evidence',
      'configured',
      'gap',
      'policy',
      'removed',
    ] as const)
  ) {
    case 'card': {
      const { verdict, record } = judgeCard(contract, randomFetch(choices, now, contract));
      tally.add('card verdict', verdict);
      return record;
    }
    case 'verified': {
      const options = randomOptions(choices, now, false);
      const { cardHash: _, ...verified } = verificationOf(agentId, { ...options, verified: randomStates(choices) });
      return { ...verified, ...(contract.card === undefined ? {} : { cardHash: contract.card.hash }) };
    }
    case 'evidence':
      return foldEvidence(contract, {
        type: 'Evidence',
        kind: choices.pick(['task-lost', 'state-reobserved']),
        agentId,
        correlationId: CORRELATION_ID,
        serverTaskId: 'x',
        state: choices.pick(TASK_STATES),
        observedAt: now,
      });
    case 'configured':
      return configOf(agentId, randomConfig(choices));
    case 'gap':
      return {
        type: 'GapObserved',
        agentIds: choices.subset(AGENT_IDS, 50),
        from: now - choices.below(100 * SECOND),
        to: now + choices.below(5) - 2,
      };
    case 'policy':
      return { type: 'PolicyChanged', version: `p${choices.below(100)}`, policy: randomPolicy(choices) };
    case 'removed':
      return choices.chance(30) ? { type: 'AgentRemoved', agentId } : undefined;
  }
};

const randomFetch = (choices: Choices, now: number, { agentId, card }: AgentContract): CardFetched => {
  const body = choices.pick([
    { kind: 'card', hash: `h${choices.below(4)}`, terms: randomTerms(choices) },
    { kind: 'card', hash: `h${choices.below(4)}`, terms: randomTerms(choices) },
    ...(card === undefined ? [] : [{ kind: 'card', hash: card.hash, terms: card.terms } as const]),
    { kind: 'invalid', reason: 'the body is empty' },
  ] as const);
  return {
    agentId,
    httpStatus: choices.pick([200, 200, 200, 304, 500, 0]),
    expiresAt: randomExpiry(choices, now),
    ...choices.maybe(90, () => ({ body })),
    ...choices.maybe(20, () => ({ signatureValid: choices.chance(60) })),
  };
};
