import type { ContractMode, Policy, Recovery } from '../policy.js';
import type { TaskState } from '../task/task-state.js';

/**
 * What the agents topic holds: facts about agents and the policy, one partition, kept for ever, read whole by every task.
 * A decision names the offset up to which it had read (`agentsOffset`).
 */

/** Where the advertised states came from (R4). */
export type StatesSource = 'extension' | 'configured' | 'all';
export type Skill = { readonly id: string; readonly outputModes?: readonly string[] };

/** What a card promises, as far as it is judged (R4, R5). */
export type CardTerms = {
  /** From the card's lifecycle extension; absent where the card lists none. */
  readonly states?: readonly TaskState[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly Skill[];
  readonly provider?: string;
};

/** A card body that differs from the one in force (R6). Times in ms since the epoch. */
export type CardAccepted = {
  readonly type: 'CardAccepted';
  readonly agentId: string;
  /** SHA-256 of the body's RFC 8785 form. */
  readonly hash: string;
  readonly terms: CardTerms;
  readonly version?: string;
  readonly etag?: string;
  readonly expiresAt: number;
};
/** 304, or the same body again (R7). */
export type CardRevalidated = {
  readonly type: 'CardRevalidated';
  readonly agentId: string;
  readonly hash: string;
  readonly etag?: string;
  readonly expiresAt: number;
};
/** A refresh that failed: the last good card stays in force (R7, R8). */
export type CardRefused = { readonly type: 'CardRefused'; readonly agentId: string; readonly reason: string };

export type Basis = 'probed' | 'observed' | 'declared' | 'assumed';
export type VerifiedState = { readonly state: TaskState; readonly basis: Basis };

/** A verification: what probes showed, apart from the card (R9, R43). */
export type AgentVerified = {
  readonly type: 'AgentVerified';
  readonly agentId: string;
  readonly states: readonly VerifiedState[];
  /** States of which a probe showed that they do not hold; they are not assumed either (R13). */
  readonly refuted: readonly TaskState[];
  /** Concrete media types that were emitted. */
  readonly modes: readonly string[];
  /** Absent: as before. */
  readonly reobservable?: boolean;
  readonly durable?: boolean;
  /** The card it was verified against; absent: no card was known. */
  readonly cardHash?: string;
  readonly expiresAt: number;
};

/** Evidence from real traffic, folded by the verifier (R10). Not a verification: nothing was probed. */
export type EvidenceFolded = {
  readonly type: 'EvidenceFolded';
  readonly agentId: string;
  readonly reobservable: boolean;
  readonly durable: boolean;
  readonly observed: readonly TaskState[];
  readonly needsProbe: boolean;
};

/** The operator's configuration of an agent. The latest replaces the one before. */
export type AgentConfigured = {
  readonly type: 'AgentConfigured';
  readonly agentId: string;
  readonly provider?: string;
  /** Tenants it serves; absent: all. */
  readonly tenants?: readonly string[];
  readonly configuredStates?: readonly TaskState[];
  readonly defaultSkill?: string;
  /** Declared by the operator (R9). */
  readonly durable: boolean;
  /** Holdfast's own questions have an identity there (R25). */
  readonly serviceIdentity: boolean;
  readonly contract?: ContractMode;
  readonly recovery?: Recovery;
};

/** Never a candidate again; its last contracts go on judging (R57). */
export type AgentRemoved = { readonly type: 'AgentRemoved'; readonly agentId: string };

/** The observer was blind for these agents from `from` to `to`, ms since the epoch (R55). */
export type GapObserved = {
  readonly type: 'GapObserved';
  readonly agentIds: readonly string[];
  readonly from: number;
  readonly to: number;
};

export type PolicyChanged = { readonly type: 'PolicyChanged'; readonly version: string; readonly policy: Policy };

export type AgentRecord =
  | CardAccepted
  | CardRevalidated
  | CardRefused
  | AgentVerified
  | EvidenceFolded
  | AgentConfigured
  | AgentRemoved
  | GapObserved
  | PolicyChanged;
