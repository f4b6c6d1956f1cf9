/** Builders of what the agents topic says. An agent is by default known, verified in all it advertises, and fresh. */
import type {
  AgentConfigured,
  AgentRecord,
  AgentVerified,
  Basis,
  CardAccepted,
  CardTerms,
  Skill,
} from '../../../topology/agent/agent-records.js';
import { foldContracts, NO_CONTRACTS, type Contracts } from '../../../topology/agent/contracts.js';
import { DEFAULT_POLICY, type Policy } from '../../../topology/policy.js';
import { TASK_STATES, type TaskState } from '../../../topology/task/task-state.js';

export const FAR = 10 ** 15;

export type AgentOptions = {
  /** From the card's lifecycle extension; `null`: the card has none. */
  readonly states?: readonly TaskState[] | null;
  readonly defaultOutputModes?: readonly string[];
  readonly skills?: readonly Skill[];
  readonly provider?: string;
  readonly hash?: string;
  readonly expiresAt?: number;
  /** `null`: never verified. Absent: all that is advertised. */
  readonly verified?: readonly TaskState[] | null;
  readonly basis?: Basis;
  readonly refuted?: readonly TaskState[];
  readonly modes?: readonly string[];
  readonly durable?: boolean;
  readonly reobservable?: boolean;
  /** The card that it was verified against. */
  readonly against?: string;
  readonly verificationExpiresAt?: number;
  readonly config?: Partial<Omit<AgentConfigured, 'type' | 'agentId'>>;
};

export const cardOf = (agentId: string, options: AgentOptions = {}): CardAccepted => {
  const { states, defaultOutputModes = ['application/json'], skills = [], provider } = options;
  const terms: CardTerms = {
    ...(states === null || states === undefined ? {} : { states }),
    defaultOutputModes,
    skills,
    ...(provider === undefined ? {} : { provider }),
  };
  return {
    type: 'CardAccepted',
    agentId,
    hash: options.hash ?? `${agentId}-card`,
    terms,
    expiresAt: options.expiresAt ?? FAR,
  };
};

export const verificationOf = (agentId: string, options: AgentOptions = {}): AgentVerified => {
  const { refuted = [], durable, reobservable, basis = 'probed' } = options;
  const verified = options.verified ?? options.states ?? TASK_STATES;
  return {
    type: 'AgentVerified',
    agentId,
    states: verified.map((state) => ({ state, basis })),
    refuted,
    modes: options.modes ?? options.defaultOutputModes ?? ['application/json'],
    cardHash: options.against ?? options.hash ?? `${agentId}-card`,
    expiresAt: options.verificationExpiresAt ?? FAR,
    ...(durable === undefined ? {} : { durable }),
    ...(reobservable === undefined ? {} : { reobservable }),
  };
};

export const configOf = (agentId: string, config: AgentOptions['config'] = {}): AgentConfigured => ({
  type: 'AgentConfigured',
  agentId,
  durable: false,
  serviceIdentity: false,
  ...config,
});

/** All that is said about one agent: configuration, card, verification. */
export const agent = (agentId: string, options: AgentOptions = {}): readonly AgentRecord[] => [
  ...(options.config === undefined ? [] : [configOf(agentId, options.config)]),
  cardOf(agentId, options),
  ...(options.verified === null ? [] : [verificationOf(agentId, options)]),
];

/** A policy under which all of `w1`, `w2`, `w3` may stand in for each other. */
export const policyOf = (rest: Partial<Policy> = {}): Policy => ({
  ...DEFAULT_POLICY,
  substitutionGroups: [['w1', 'w2', 'w3']],
  ...rest,
});

export const policyChanged = (policy: Policy, version = 'v1'): AgentRecord => ({
  type: 'PolicyChanged',
  version,
  policy,
});

/** Folds records from offset 0 on. */
export const contractsFrom = (records: readonly AgentRecord[], time = 0): Contracts =>
  records.reduce((contracts, record) => foldContracts(contracts, record, contracts.offset + 1n, time), NO_CONTRACTS);
