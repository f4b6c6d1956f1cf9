import type { TaskState } from './task/task-state.js';

/** Instructions the ledger issues so that the mesh converges (RULES.md section 9). The ID is an injective text of the cause (R40). */

type OfUnit = { readonly commandId: string; readonly tenant?: string; readonly correlationId: string };

/** An agent that was considered and what it lacks; nothing lacking: a candidate (R33). */
export type Considered = { readonly agentId: string; readonly lacks: readonly string[] };

/** Send the unit's input to another agent (R34). Executed only while its loss stands (R60). */
export type Redispatch = OfUnit & {
  readonly type: 'redispatch';
  readonly agentId: string;
  readonly attempt: number;
  /** Number of the loss it answers. */
  readonly loss: number;
  /** The agent that lost the unit, and under which server task IDs: the dispatcher asks it once more first (R36). */
  readonly lostBy: string;
  readonly lostTaskIds: readonly string[];
  readonly requiredState: TaskState;
  /** For the message that is sent: injective in (attempt, correlation ID) (R34). */
  readonly messageId: string;
  /** `operator`: not to be executed before it is approved (R41). */
  readonly awaits?: 'operator';
  /** Issued before under this ID: released by an operator, or unanswered for the dispatch deadline (R60). */
  readonly again: 'no' | 'approved' | 'unanswered';
  readonly considered: readonly Considered[];
};

export type QueryReason = 'stream-closed' | 'silence' | 'live-sibling' | 'send-outcome-unknown';

/** Ask an agent for a task; without a server task ID, search by the context (R32, R46, R52). */
export type QueryTask = OfUnit & {
  readonly type: 'query-task';
  readonly agentId: string;
  readonly serverTaskId?: string;
  readonly contextId?: string;
  readonly reason: QueryReason;
};

/** Tell an attempt that no longer counts to stop (R38, R60). */
export type CancelSuperseded = OfUnit & {
  readonly type: 'cancel-superseded';
  readonly agentId: string;
  readonly serverTaskId: string;
  readonly attempt: number;
};

/** Fetch an agent's card anew (R8). The verifier merges requests per agent. */
export type RefreshCard = { readonly type: 'refresh-card'; readonly commandId: string; readonly agentId: string };

export type Command = Redispatch | QueryTask | CancelSuperseded | RefreshCard;
