import type { ContractErrorCode, Mark } from '../vocabulary.js';
import type { TaskState } from './task-state.js';
import type {
  Artifact,
  Attempt,
  DecisionCause,
  Deferral,
  DeferredObservation,
  Loss,
  RecordedViolation,
  RedispatchOpen,
} from './unit.js';

/** What happened to a unit's record. The only thing that changes it (`evolve`). Times in ms, the ledger's own. */
export type UnitEvent =
  | {
      readonly type: 'UnitOpened';
      readonly tenant?: string;
      readonly correlationId: string;
      readonly principal?: string;
      readonly born: string;
      readonly skillId?: string;
      readonly acceptedOutputModes: readonly string[];
      readonly inputKept: boolean;
      readonly continues: boolean;
      readonly at: number;
    }
  | { readonly type: 'UnitDecided'; readonly state: TaskState; readonly cause: DecisionCause; readonly at: number }
  | {
      readonly type: 'RequestReplaced';
      readonly principal?: string;
      readonly skillId?: string;
      readonly acceptedOutputModes: readonly string[];
      readonly inputKept: boolean;
      readonly continues: boolean;
    }
  | { readonly type: 'AttemptBegun'; readonly attempt: Attempt }
  | { readonly type: 'AttemptBound'; readonly number: number; readonly at: number }
  | { readonly type: 'AttemptFailed'; readonly number: number; readonly answersLoss?: number }
  | { readonly type: 'AttemptVoided'; readonly number: number }
  | { readonly type: 'AttemptEnded'; readonly number: number; readonly state: TaskState }
  | { readonly type: 'AttemptAnswered'; readonly number: number }
  | { readonly type: 'AttemptClosedByViolation'; readonly number: number }
  | { readonly type: 'MessageSent'; readonly number: number; readonly messageId: string }
  | { readonly type: 'ContextGiven'; readonly number: number; readonly contextId: string }
  | { readonly type: 'ContextLearned'; readonly agentId: string; readonly id: string; readonly contextId: string }
  | { readonly type: 'SendOutcomeLost'; readonly number: number; readonly at: number }
  | { readonly type: 'CancelAsked'; readonly number: number }
  | {
      readonly type: 'ServerTaskBound';
      readonly agentId: string;
      readonly id: string;
      readonly number: number;
      readonly contextId?: string;
    }
  | { readonly type: 'ServerTaskLost'; readonly agentId: string; readonly id: string }
  | { readonly type: 'ServerTaskFound'; readonly agentId: string; readonly id: string }
  | { readonly type: 'StateSeen'; readonly number: number; readonly at: number; readonly marks: readonly string[] }
  | { readonly type: 'MarkRemembered'; readonly number: number; readonly mark: string }
  | { readonly type: 'StateAccepted'; readonly number: number; readonly state: TaskState; readonly at: number }
  | { readonly type: 'NewsSeen'; readonly at: number }
  | { readonly type: 'ArtifactKept'; readonly artifact: Artifact }
  | { readonly type: 'ViolationFound'; readonly violation: RecordedViolation }
  | { readonly type: 'LossBegan'; readonly loss: Loss; readonly agentsOffset: bigint; readonly lost: boolean }
  | { readonly type: 'LossLeft' }
  | { readonly type: 'LossHeld' }
  | { readonly type: 'ReexaminationSet'; readonly at: number }
  | { readonly type: 'ReexaminationDone' }
  | { readonly type: 'RedispatchIssued'; readonly redispatch: RedispatchOpen }
  | { readonly type: 'RedispatchRepeated'; readonly at: number; readonly awaitsApproval: boolean }
  | { readonly type: 'RedispatchClosed' }
  | { readonly type: 'ContractErrorRaised'; readonly code: ContractErrorCode }
  | { readonly type: 'OperatorCalled'; readonly mark: Mark }
  | { readonly type: 'SilenceAsked' }
  | { readonly type: 'TaskQueried' }
  | {
      readonly type: 'ObservationDeferred';
      readonly deferral: Omit<Deferral, 'queue'>;
      readonly item: DeferredObservation;
    }
  | { readonly type: 'DeferralEnded' }
  | { readonly type: 'EventRemembered'; readonly fingerprint: string; readonly conflict: boolean }
  | { readonly type: 'WordHeard'; readonly at: number }
  | { readonly type: 'InputDropped' };
