import type { AgentRecord } from './agent/agent-records.js';
import type { Topic } from './kit/topology.js';
import type { CommandRecord, DeadLetter, EvidenceRecord, LedgerEntry, Verdict, Violation } from './ledger-records.js';
import type { Observation } from './observation.js';

/** Every topic of Holdfast, once (DESIGN.md). A prefix is put before the name where one is configured. */

/** What observers saw, by record key. */
export const TASK_EVENTS: Topic<Observation> = {
  name: 'a2a.task-events.v1',
  records: [
    'DispatchObserved',
    'DispatchStarted',
    'DispatchFailed',
    'TaskStateObserved',
    'ArtifactObserved',
    'MessageObserved',
    'TaskNotFoundObserved',
    'ExchangeObserved',
    'StreamClosed',
    'CancelRequested',
    'OperatorDecided',
  ],
  partitioning: 'by-key',
  cleanup: 'delete',
};

/** Cards, verifications, policy, removals, gaps: read whole by every task, kept for ever. */
export const AGENTS: Topic<AgentRecord> = {
  name: 'a2a.agents.v1',
  records: [
    'CardAccepted',
    'CardRevalidated',
    'CardRefused',
    'AgentVerified',
    'EvidenceFolded',
    'AgentConfigured',
    'AgentRemoved',
    'GapObserved',
    'PolicyChanged',
  ],
  partitioning: 'single',
  cleanup: 'delete',
};

/** The ledger's store, its changelog and its public view in one. Keys that begin with `!` are internal. */
export const LEDGER: Topic<LedgerEntry> = {
  name: 'a2a.ledger.v1',
  records: ['LedgerEntry', 'LedgerPosition'],
  partitioning: 'own-number',
  cleanup: 'compact',
};

/** One record a decision, always. */
export const VERDICTS: Topic<Verdict> = {
  name: 'a2a.verdicts.v1',
  records: ['Verdict'],
  partitioning: 'own-number',
  cleanup: 'delete',
};

export const VIOLATIONS: Topic<Violation> = {
  name: 'a2a.violations.v1',
  records: ['Violation'],
  partitioning: 'own-number',
  cleanup: 'delete',
};

export const COMMANDS: Topic<CommandRecord> = {
  name: 'a2a.commands.v1',
  records: ['RedispatchTask', 'QueryTask', 'CancelSuperseded', 'RefreshCard'],
  partitioning: 'own-number',
  cleanup: 'delete',
};

export const EVIDENCE: Topic<EvidenceRecord> = {
  name: 'a2a.evidence.v1',
  records: ['Evidence'],
  partitioning: 'own-number',
  cleanup: 'delete',
};

export const DEAD_LETTERS: Topic<DeadLetter> = {
  name: 'a2a.dead-letters.v1',
  records: ['DeadLetter'],
  partitioning: 'own-number',
  cleanup: 'delete',
};

/** What a client sent, as a redispatch sends it again (R34). Written by whoever dispatches, tombstoned by the ledger. */
export type TaskInput = {
  readonly type: 'TaskInput';
  readonly tenant?: string;
  readonly correlationId: string;
  readonly agentId: string;
  readonly skillId?: string;
  /** The SendMessage request as JSON, in the 1.0 shape. */
  readonly request: string;
  readonly keptAt: number;
};

export const INPUTS: Topic<TaskInput> = {
  name: 'a2a.inputs.v1',
  records: ['TaskInput'],
  partitioning: 'by-key',
  cleanup: 'compact',
};

export const TOPICS = [
  TASK_EVENTS,
  AGENTS,
  LEDGER,
  VERDICTS,
  VIOLATIONS,
  COMMANDS,
  EVIDENCE,
  DEAD_LETTERS,
  INPUTS,
] as const;
