import type { Coordinates } from './kit/coordinates.js';
import type { TaskState } from './task/task-state.js';
import type { ContractErrorCode, VerdictWord, ViolationCode } from './vocabulary.js';

/** Timers that decide by themselves; each has a due time in ms. */
export type TimerName =
  | 'deferral'
  | 'silence'
  | 'stalled'
  | 'send-deadline'
  | 'dispatch-deadline'
  | 'indeterminate-mark'
  | 'reexamination'
  | 'input-retention'
  | 'retention';

/** What made the ledger decide at this moment. */
export type Trigger =
  | { readonly kind: 'observation' }
  | { readonly kind: 'agents'; readonly offset: bigint }
  | { readonly kind: 'timer'; readonly timer: TimerName; readonly due: number };

/**
 * What was concluded. `decided` is the word for a decision without an observation (timer, change of an agent);
 * `cause` is then the last observation of the unit that the decision rests on, if any.
 */
export type Judgement = {
  readonly word: VerdictWord;
  readonly code?: ViolationCode;
  /** The rule that decided, `R…`. */
  readonly rule: string;
  /** In a sentence, naming agents, tasks and states as observed (R45). */
  readonly reason: string;
  /** Contract error that this decision raised, with the state a worker must have verified (R35). */
  readonly contractError?: { readonly code: ContractErrorCode; readonly requiredState: TaskState };
  readonly agentId?: string;
  readonly serverTaskId?: string;
  readonly attempt?: number;
  /** Whether the media types judged were declared or inferred (R20), and whether the skill was known (R18). */
  readonly mediaTypes?: 'declared' | 'inferred';
  readonly skillKnown?: boolean;
};

/** A decision's coordinates and versions, for the audit (R42, DESIGN.md). */
export type Grounds = {
  readonly trigger: Trigger;
  /** The observation judged; absent for a decision without one. */
  readonly cause?: Coordinates;
  readonly inputSha256?: string;
  readonly agentsOffset: bigint;
  readonly cardHash?: string;
  readonly verificationRevision?: bigint;
  readonly policyVersion: string;
  readonly decidedAt: number;
};
