import { DEFAULT_POLICY, type Policy } from '../policy.js';
import { TASK_STATES, type TaskState } from '../task/task-state.js';
import type {
  AgentConfigured,
  AgentRecord,
  AgentVerified,
  Basis,
  CardAccepted,
  CardTerms,
  EvidenceFolded,
  GapObserved,
  StatesSource,
} from './agent-records.js';

/** The card in force (R6, R7). */
export type CardInForce = {
  readonly hash: string;
  readonly terms: CardTerms;
  readonly version?: string;
  readonly etag?: string;
  readonly expiresAt: number;
};

/** The verification in force (R9). Modes are concrete media types. */
export type Verification = {
  /** Agents-topic offset of the probe's result: what "verified again since" compares (R33). */
  readonly revision: bigint;
  readonly states: ReadonlyMap<TaskState, Basis>;
  readonly refuted: readonly TaskState[];
  readonly modes: readonly string[];
  readonly cardHash: string | undefined;
  readonly expiresAt: number;
};

/** All that is known about one agent at one offset of the agents topic. */
export type AgentContract = {
  readonly agentId: string;
  readonly card?: CardInForce;
  readonly verification?: Verification;
  readonly config?: AgentConfigured;
  readonly removed: boolean;
  readonly reobservable: boolean;
  readonly durable: boolean;
  readonly needsProbe: boolean;
  /** Agents-topic offset of the last answer to a card fetch, failed ones included. */
  readonly answeredAt?: bigint;
  /** When the last fetch failed, ms; absent once one succeeded. */
  readonly refreshFailedAt?: number;
  readonly gaps: readonly GapObserved[];
};

/** What a task has read of the agents topic: the contracts and the policy in force. Immutable; a fold makes a new one. */
export type Contracts = {
  readonly agents: ReadonlyMap<string, AgentContract>;
  readonly policy: Policy;
  readonly policyVersion: string;
  /** Offset of the last record folded; -1 where none was. */
  readonly offset: bigint;
};

export const NO_CONTRACTS: Contracts = {
  agents: new Map(),
  policy: DEFAULT_POLICY,
  policyVersion: 'default',
  offset: -1n,
};

export const unknownAgent = (agentId: string): AgentContract => ({
  agentId,
  removed: false,
  reobservable: false,
  durable: false,
  needsProbe: false,
  gaps: [],
});

/** Folds one record of the agents topic. `offset` and `time` (ms, append time) are the record's own. Total. */
export const foldContracts = (contracts: Contracts, record: AgentRecord, offset: bigint, time: number): Contracts => {
  if (record.type === 'PolicyChanged')
    return { ...contracts, policy: record.policy, policyVersion: record.version, offset };
  const agents = new Map(contracts.agents);
  const about = record.type === 'GapObserved' ? record.agentIds : [record.agentId];
  for (const agentId of about)
    agents.set(agentId, foldAgent(agents.get(agentId) ?? unknownAgent(agentId), record, offset, time));
  return { ...contracts, agents, offset };
};

const foldAgent = (
  agent: AgentContract,
  record: Exclude<AgentRecord, { type: 'PolicyChanged' }>,
  offset: bigint,
  time: number,
): AgentContract => {
  switch (record.type) {
    case 'CardAccepted':
      return { ...answered(agent, offset), card: cardOf(record) };
    case 'CardRevalidated':
      return agent.card === undefined
        ? answered(agent, offset)
        : {
            ...answered(agent, offset),
            card: {
              ...agent.card,
              expiresAt: record.expiresAt,
              ...(record.etag === undefined ? {} : { etag: record.etag }),
            },
          };
    case 'CardRefused':
      return { ...agent, answeredAt: offset, refreshFailedAt: time };
    case 'AgentVerified':
      return {
        ...agent,
        verification: verificationOf(record, offset),
        reobservable: record.reobservable ?? agent.reobservable,
        durable: record.durable ?? agent.durable,
        needsProbe: false,
      };
    case 'EvidenceFolded':
      return foldEvidence(agent, record);
    case 'AgentConfigured':
      return { ...agent, config: record, durable: declaredDurable(agent, record) };
    case 'AgentRemoved':
      return { ...agent, removed: true };
    case 'GapObserved':
      return { ...agent, gaps: [...agent.gaps, record].slice(-GAPS_KEPT) };
  }
};

/** Later gaps say more about open units than earlier ones; a bound keeps the contract small. */
const GAPS_KEPT = 100;

const answered = ({ refreshFailedAt: _, ...agent }: AgentContract, offset: bigint): AgentContract => ({
  ...agent,
  answeredAt: offset,
});

const cardOf = ({ hash, terms, version, etag, expiresAt }: CardAccepted): CardInForce => ({
  hash,
  terms,
  expiresAt,
  ...(version === undefined ? {} : { version }),
  ...(etag === undefined ? {} : { etag }),
});

const verificationOf = (record: AgentVerified, offset: bigint): Verification => ({
  revision: offset,
  states: new Map(record.states.map(({ state, basis }) => [state, basis])),
  refuted: record.refuted,
  modes: record.modes,
  cardHash: record.cardHash,
  expiresAt: record.expiresAt,
});

const foldEvidence = (agent: AgentContract, record: EvidenceFolded): AgentContract => {
  const folded = {
    ...agent,
    reobservable: record.reobservable,
    durable: record.durable,
    needsProbe: record.needsProbe,
  };
  if (agent.verification === undefined || record.observed.length === 0) return folded;
  const states = new Map(agent.verification.states);
  for (const state of record.observed) if (!states.has(state)) states.set(state, 'observed');
  return { ...folded, verification: { ...agent.verification, states } };
};

/** A declaration holds until it is contradicted; declaring the same again does not undo what was seen (R10). */
const declaredDurable = (agent: AgentContract, record: AgentConfigured): boolean =>
  record.durable && agent.config?.durable !== true ? true : agent.durable;

export const contractOf = (contracts: Contracts, agentId: string): AgentContract =>
  contracts.agents.get(agentId) ?? unknownAgent(agentId);

/** The states an agent advertises, and by whose word (R4). */
export const advertisedStates = (
  agent: AgentContract,
): { readonly states: readonly TaskState[]; readonly source: StatesSource } => {
  if (agent.card?.terms.states !== undefined) return { states: agent.card.terms.states, source: 'extension' };
  if (agent.config?.configuredStates !== undefined)
    return { states: agent.config.configuredStates, source: 'configured' };
  return { states: TASK_STATES, source: 'all' };
};
