/**
 * What producers write to the task-events topic: facts, in the past tense, keyed by the unit's record key.
 * Every type is one Avro record; optional fields are absent where the observer did not see them.
 */

/** The unit of work a fact is about (RULES.md section 2). */
type OfUnit = { readonly tenant?: string; readonly correlationId: string };

/** Who asked: the client, or Holdfast itself under its service identity (R25). */
export type Asker = 'client' | 'holdfast';

/** The road by which a word of an agent arrived (R14, R36). */
export const VIAS = ['status-update', 'snapshot', 'poll', 'push', 'send-response', 'list'] as const;
export type Via = (typeof VIAS)[number];

export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** An attempt was sent to an agent (R49). `by: holdfast` answers the open redispatch. */
export type DispatchObserved = OfUnit & {
  readonly type: 'DispatchObserved';
  readonly agentId: string;
  readonly by: Asker;
  readonly skillId?: string;
  readonly messageId?: string;
  readonly contextId?: string;
  readonly principal?: string;
  readonly serverTaskId?: string;
  readonly commandId?: string;
  /** Empty or absent: the client named none. */
  readonly acceptedOutputModes?: readonly string[];
  /** A copy of the request lies in the inputs topic (R34). */
  readonly inputKept: boolean;
  /** The message goes on from an earlier context or refers to other tasks (R34). */
  readonly continues: boolean;
};

/** The dispatcher is about to send: written ahead of the effect (R40). It proves nothing about the agent. */
export type DispatchStarted = OfUnit & {
  readonly type: 'DispatchStarted';
  readonly agentId: string;
  readonly commandId: string;
};

/** A dispatch did not reach the agent or was refused by it (R37). */
export type DispatchFailed = OfUnit & {
  readonly type: 'DispatchFailed';
  readonly agentId: string;
  readonly reason?: string;
  readonly commandId?: string;
};

/** What identifies the speaker of a word (R54). */
type Spoken = OfUnit & {
  readonly agentId: string;
  readonly serverTaskId: string;
  readonly contextId?: string;
  /** The correlation ID that the agent echoed in its lifecycle metadata. */
  readonly metadataCorrelationId?: string;
  /** Record key of the unit to which this server task ID was bound before, as the gateway knows it. */
  readonly boundTo?: string;
  readonly via: Via;
};

export type TaskStateObserved = Spoken & {
  readonly type: 'TaskStateObserved';
  /** As spelled on the wire; absent where it was absent there (R3). */
  readonly state?: string;
  /** Status timestamp in ms since the epoch. Data, never order (R16). */
  readonly statusTimestamp?: number;
  /** Message ID of the status message. */
  readonly messageId?: string;
  /** `phase` of the lifecycle metadata, where another Holdfast wrote it (R2). */
  readonly lifecycleReason?: string;
};

export const PART_KINDS = ['text', 'data', 'raw', 'url'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** A part of an artifact without its body (R23). `bytes` is the body's length. */
export type PartObserved = { readonly kind: PartKind; readonly mediaType?: string; readonly bytes?: number };

export type ArtifactObserved = Spoken & {
  readonly type: 'ArtifactObserved';
  readonly artifactId: string;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly parts: readonly PartObserved[];
  /** Number of wire chunks observed together (R23). */
  readonly chunks: number;
  /** SHA-256 of this content. */
  readonly digest?: string;
  /** SHA-256 of the artifact as it stands with this content, where that differs from `digest`. */
  readonly assembled?: string;
};

/** The agent answered with a Message and no task (R51). */
export type MessageObserved = OfUnit & {
  readonly type: 'MessageObserved';
  readonly agentId: string;
  readonly messageId?: string;
  readonly contextId?: string;
};

/** The protocol's own not-found, as an observer classified it (R25). */
export type TaskNotFoundObserved = OfUnit & {
  readonly type: 'TaskNotFoundObserved';
  readonly agentId: string;
  readonly serverTaskId: string;
  /** A2A method name that it answered. */
  readonly method: string;
  readonly principal?: string;
  readonly by: Asker;
};

/** An answer that carried no task, or no answer at all. What it means is decided here (R25, R52). */
export type ExchangeObserved = OfUnit & {
  readonly type: 'ExchangeObserved';
  readonly agentId: string;
  readonly serverTaskId?: string;
  readonly binding: Binding;
  /** A2A method name (`GetTask`, `SendMessage`, …), whatever the binding spells. */
  readonly method: string;
  /** 0: no answer. */
  readonly httpStatus: number;
  readonly contentType?: string;
  readonly rpcErrorCode?: number;
  /** Reason of the A2A ErrorInfo (`TASK_NOT_FOUND`, …). */
  readonly reason?: string;
  /** Why there was no whole answer: `timeout`, `reset`, … */
  readonly error?: string;
  /** Number of tasks that a ListTasks answer held. */
  readonly found?: number;
  readonly principal?: string;
  readonly by: Asker;
};

/** A stream ended (R32). */
export type StreamClosed = OfUnit & {
  readonly type: 'StreamClosed';
  readonly agentId: string;
  readonly serverTaskId?: string;
  readonly clean: boolean;
};

/** The client asked to cancel (R53). */
export type CancelRequested = OfUnit & { readonly type: 'CancelRequested'; readonly principal?: string };

export type OperatorAction = 'approve' | 'void' | 'redispatch' | 'resolve';

/** An operator's word about a unit (R61). */
export type OperatorDecided = OfUnit & {
  readonly type: 'OperatorDecided';
  readonly action: OperatorAction;
  readonly actor?: string;
  readonly reason?: string;
  /** `redispatch`: the target. */
  readonly agentId?: string;
  /** `resolve`: the terminal state that the record gets. */
  readonly state?: string;
};

export type Observation =
  | DispatchObserved
  | DispatchStarted
  | DispatchFailed
  | TaskStateObserved
  | ArtifactObserved
  | MessageObserved
  | TaskNotFoundObserved
  | ExchangeObserved
  | StreamClosed
  | CancelRequested
  | OperatorDecided;

/** A word that a task of an agent spoke: a state or an artifact. */
export type SpokenObservation = TaskStateObserved | ArtifactObserved;
