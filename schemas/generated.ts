/* eslint-disable max-lines -- generated: every record in one file, so that one run and one comparison cover all */
// Generated from schemas/avro and schemas/parts by infra/registry/generate-schemas.mjs. Do not edit.

/** Whether a command was issued before under its ID, and why it is issued again (R60). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type Again = 'no' | 'approved' | 'unanswered';

/** What a partition waits for, or has waited for in vain, of one agent (R8). */
export type AgentWaits = {
  /** The agent. */
  readonly agentId: string;
  /** Its card; absent: not waited for. */
  readonly card?: Wait;
  /** Its verification; absent: not waited for. */
  readonly verification?: Wait;
};

/** A violation code or a contract error code. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type AlertCode =
  | 'state-not-advertised'
  | 'state-not-verified'
  | 'unknown-state'
  | 'state-missing'
  | 'terminal-change'
  | 'mode-not-advertised'
  | 'mode-not-verified'
  | 'mode-not-accepted'
  | 'media-type-malformed'
  | 'media-type-missing'
  | 'artifact-unknown'
  | 'artifact-sealed'
  | 'correlation-claimed'
  | 'correlation-reused'
  | 'task-identity-conflict'
  | 'no-capable-worker'
  | 'attempts-exhausted'
  | 'input-not-retained';

/** Who has to approve a command before it is executed (R41). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type Approver = 'operator';

/** One artifact of one attempt; bodies are not kept (R23, R24). */
export type Artifact = {
  /** Number of the attempt. */
  readonly attempt: number;
  /** Artifact ID as the agent gave it. */
  readonly artifactId: string;
  /** Media types of its parts. */
  readonly mediaTypes: readonly string[];
  /** Number of wire chunks it was assembled of. */
  readonly chunks: number;
  /** Length of its bodies in bytes. */
  readonly length: number;
  /** SHA-256 of the content as assembled; absent where it is not known. */
  readonly digest?: string;
  /** SHA-256 of the chunks it was assembled of; the last hundred. */
  readonly chunkDigests: readonly string[];
  /** Its last chunk was seen (R21). */
  readonly sealed: boolean;
  /** Attached after the terminal state (R22). */
  readonly late: boolean;
};

/** Who asked: the client, or Holdfast under its service identity (R25). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type Asker = 'client' | 'holdfast';

/** One dispatch of a unit to one agent. Times are the ones of the ledger (R16). */
export type Attempt = {
  /** 1, 2, … in order of dispatch. */
  readonly number: number;
  /** The agent it was dispatched to. */
  readonly agentId: string;
  /** Who began it. */
  readonly by: AttemptOrigin;
  /** How far it came. */
  readonly status: AttemptStatus;
  /** Number of the loss it answers; absent on the one of the client. */
  readonly answersLoss?: number;
  /** Salted hash of the identity that began it; absent where none was seen (R25). */
  readonly principal?: string;
  /** The context that the client gave it; what an agent makes up is its tasks' own (R54). */
  readonly contextId?: string;
  /** Message IDs under which it was sent. */
  readonly messageIds: readonly string[];
  /** When it was dispatched, ms since the epoch. */
  readonly dispatchedAt: number;
  /** Its own last valid state; null: none yet. */
  readonly state: TaskState | null;
  /** The terminal state that ended it, whether or not that decided the unit; null: none (R38). */
  readonly ended: TaskState | null;
  /** It was answered by a message and no task (R51). */
  readonly answered: boolean;
  /** Its terminal state was refused: its last word all the same (R48). */
  readonly closedByViolation: boolean;
  /** When the outcome of its send became unknown, ms since the epoch; absent: it is known (R52). */
  readonly sendUnknownAt?: number;
  /** When a state of it was last seen, refused ones included, ms since the epoch (R55). */
  readonly seenAt?: number;
  /** Snapshots (state@timestamp) and news (t:…, m:…) already seen; the last hundred (R46, R47). */
  readonly seen: readonly string[];
  /** It was told to stop (R38). */
  readonly cancelAsked: boolean;
};

/** Who began an attempt; seen: first seen in flight, nobody dispatched it through Holdfast (R50). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type AttemptOrigin = 'client' | 'holdfast' | 'seen';

/** issued: commanded, has not spoken; bound: sent, by a dispatch or a first word; failed: did not get through; void: its loss was left before it was bound (R60). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type AttemptStatus = 'issued' | 'bound' | 'failed' | 'void';

/** The evidence that a deferred observation waits for (R8). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type AwaitedEvidence = 'card' | 'verification';

/** How a verified state came to count as verified (R9). A basis that the reader does not know counts as assumed: it judges, it never makes a candidate. */
export type Basis = 'probed' | 'observed' | 'declared' | 'assumed';

/** The A2A protocol binding of an exchange. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** What a card promises, as far as it is judged (R4, R5). */
export type CardTerms = {
  /** States from the lifecycle extension of the card; absent where it lists none (R4). */
  readonly states?: readonly TaskState[];
  /** Default output modes, as media types (R5). */
  readonly defaultOutputModes: readonly string[];
  /** Skills of the card. */
  readonly skills: readonly Skill[];
  /** Organisation that provides the agent; absent where the card names none (R42). */
  readonly provider?: string;
};

/** An agent that was considered and what it lacks (R33). */
export type Considered = {
  /** The agent. */
  readonly agentId: string;
  /** What it lacks, as words; empty: it is a candidate. */
  readonly lacks: readonly string[];
};

/** Why a lost unit cannot be redispatched (R34, R35, R37). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type ContractErrorCode = 'no-capable-worker' | 'attempts-exhausted' | 'input-not-retained';

/** Whether violations are passed on and recorded, or refused at the gateway (R41). */
export type ContractMode = 'observe' | 'enforce';

/** Where a record lies. Two reads of the same coordinates are one record (R17). */
export type Coordinates = {
  /** Topic name. */
  readonly topic: string;
  /** Partition number. */
  readonly partition: number;
  /** Offset in the partition. */
  readonly offset: bigint;
};

/** What other than an agent word decided a unit (R42, R53, R61). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type DecisionCause = 'task-not-found-trusted' | 'canceled-while-indeterminate' | 'resolved-by-operator';

/** What the deferred observations of a unit wait for (R8). */
export type Deferral = {
  /** The agent whose evidence is out of date. */
  readonly agentId: string;
  /** What is waited for. */
  readonly awaits: AwaitedEvidence;
  /** Offset of the agents topic that was read when the wait began; -1: nothing was. */
  readonly agentsOffset: bigint;
  /** Hash of the card in force when the wait began; absent: there was none. */
  readonly cardHash?: string;
  /** When it is judged without an answer, ms since the epoch. */
  readonly until: number;
  /** The observations that wait, in order of arrival. */
  readonly queue: readonly DeferredObservation[];
};

/** An observation that waits for evidence, with all that is needed to judge it later as it would have been (R8). */
export type DeferredObservation = {
  /** The observation. */
  readonly observation: ObservedFact;
  /** Where it lies. */
  readonly coordinates: Coordinates;
  /** Its append time, ms since the epoch. */
  readonly time: number;
  /** SHA-256 as hex over key, value, headers and timestamp of its record. */
  readonly inputSha256: string;
};

/** What real traffic said about an agent (R10). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type EvidenceKind = 'state-reobserved' | 'task-lost';

/** A header of a Kafka record. */
export type Header = {
  /** Name of the header. */
  readonly name: string;
  /** Its bytes. */
  readonly value: Uint8Array;
};

/** State of a ledger partition as a whole. */
export type LedgerShared = {
  /** Questions to the verifier, one entry an agent (R8). */
  readonly waits: ReadonlyMap<string, Omit<AgentWaits, 'agentId'>>;
};

/** The loss that a unit has not left yet, and its reconciliation pass (R29). */
export type Loss = {
  /** 1, 2, … in order of loss. */
  readonly number: number;
  /** Number of the attempt that was lost. */
  readonly attempt: number;
  /** The agent that lost it. */
  readonly agentId: string;
  /** When it was lost, ms since the epoch. */
  readonly at: number;
  /** The state that a candidate must have verified (R33). */
  readonly requiredState: TaskState;
  /** Contract errors raised already, each at most once per loss (R34, R35). */
  readonly contractErrors: readonly ContractErrorCode[];
  /** The open redispatch; absent: none. */
  readonly redispatch?: RedispatchOpen;
  /** An operator took it over: nothing is issued by itself (R61). */
  readonly held: boolean;
  /** Parked, and to be looked at again at this time, ms since the epoch (R35). */
  readonly reexamineAt?: number;
};

/** An agent that lost the unit (R33). */
export type LossOfAgent = {
  /** The agent. */
  readonly agentId: string;
  /** Offset of the agents topic that was read at its last loss; -1: nothing was. */
  readonly agentsOffset: bigint;
};

/** A mark that calls an operator (R35, R46). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type Mark = 'stalled' | 'no-candidate' | 'needs-input' | 'attempts-exhausted';

/** Whether the media types judged were declared by the agent or inferred (R20). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type MediaTypeSource = 'declared' | 'inferred';

/** One observation of any type: exactly one field is present. A record of fields and not a union, so that a type of observation can be added compatibly. */
export type ObservedFact =
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

/** What an operator decided (R61). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type OperatorAction = 'approve' | 'void' | 'redispatch' | 'resolve';

/** The kind of a part. One that the reader does not know counts as raw: no media type is inferred for it (R20). */
export type PartKind = 'text' | 'data' | 'raw' | 'url';

/** A part of an artifact without its body (R23). */
export type PartObserved = {
  /** Kind of the part. */
  readonly kind: PartKind;
  /** Media type as declared; absent where none was (R20). */
  readonly mediaType?: string;
  /** Length of the body in bytes; absent where it was not measured. */
  readonly bytes?: number;
};

/** The effective configuration that decisions depend on. Durations in ms. */
export type Policy = {
  /** How long an observation waits for evidence, ms (R8). */
  readonly deferTimeoutMs: number;
  /** How long the last good card convicts after a failed refresh, ms (R8). */
  readonly refreshBackoffMs: number;
  /** Silence after which an agent is asked, ms (R46). */
  readonly staleAfterMs: number;
  /** Silence after which a unit is marked stalled, ms (R46). */
  readonly stalledAfterMs: number;
  /** Time without a candidate after which the operator is called, ms (R35). */
  readonly indeterminateAfterMs: number;
  /** Attempts in all, the one of the client included (R37). */
  readonly maxAttempts: number;
  /** Time after which an unanswered redispatch is issued again, ms (R60). */
  readonly dispatchDeadlineMs: number;
  /** Time after which a send of unknown outcome counts as lost, ms (R52). */
  readonly sendDeadlineMs: number;
  /** How long a kept input outlives the terminal state, ms (R34). */
  readonly inputRetentionMs: number;
  /** How long a terminal record outlives its last word, ms (R56). */
  readonly retainForMs: number;
  /** Units looked at again per second and agent once it can take them (R35). */
  readonly reexaminePerSecond: number;
  /** Whether a TaskNotFound may be terminal (R42). */
  readonly trust: TrustMode;
  /** How lost tasks are recovered; absent: always inside a substitution group, else manual (R41). */
  readonly recovery?: Recovery;
  /** Whether violations are refused (R41). */
  readonly contract: ContractMode;
  /** What becomes of a dispatch to an agent that was never verified (R12). */
  readonly unverified: UnverifiedMode;
  /** States that no probe can force: verified by assumption while advertised; empty is strict (R13). */
  readonly assume: readonly TaskState[];
  /** Agent IDs, most preferred first (R33). */
  readonly preference: readonly string[];
  /** Agent IDs that may stand in for each other, by group; empty: none is configured (R33). */
  readonly substitutionGroups: readonly (readonly string[])[];
};

/** Why a record was set aside (R58, R59). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type QuarantineReason = 'undecodable' | 'unknown-schema' | 'misrouted' | 'too-large';

/** Why an agent is asked for a task (R29, R32, R46, R52). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type QueryReason = 'stream-closed' | 'silence' | 'live-sibling' | 'send-outcome-unknown';

/** A violation of a unit, with where its observation lies (R56). */
export type RecordedViolation = {
  /** What was violated. */
  readonly code: ViolationCode;
  /** Partition of the observation. */
  readonly partition: number;
  /** Offset of the observation. */
  readonly offset: bigint;
  /** When it was found, ms since the epoch. */
  readonly at: number;
};

/** How lost tasks are recovered (R41). A way that the reader does not know counts as manual: nothing is sent without an operator. */
export type Recovery = 'off' | 'manual' | 'always';

/** A redispatch that was issued and not settled yet. */
export type RedispatchOpen = {
  /** ID of the command (R40). */
  readonly commandId: string;
  /** Number of the attempt it begins. */
  readonly attempt: number;
  /** The target. */
  readonly agentId: string;
  /** Issued, released or issued again, ms since the epoch: the deadline counts from it (R60). */
  readonly issuedAt: number;
  /** It waits for the approval of an operator (R41). */
  readonly awaitsApproval: boolean;
};

/** A server task of an attempt, in order of first sight. */
export type ServerTask = {
  /** The agent that gave the ID. */
  readonly agentId: string;
  /** Server task ID. */
  readonly id: string;
  /** Number of the attempt. */
  readonly attempt: number;
  /** The agent does not know it any more (R29). */
  readonly lost: boolean;
  /** The context that it answers for, once it said so (R54). */
  readonly contextId?: string;
};

/** A skill of a card, as far as it is judged. */
export type Skill = {
  /** ID of the skill. */
  readonly id: string;
  /** Output modes that replace the default ones of the card; empty or absent: the default ones hold (R5). */
  readonly outputModes?: readonly string[];
};

/** A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type TaskState =
  'submitted' | 'working' | 'input-required' | 'auth-required' | 'completed' | 'failed' | 'canceled' | 'rejected';

/** A timer that decides by itself. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
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

/** What made the ledger decide: an observation itself, a record of the agents topic, or a due time. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type TriggerKind = 'observation' | 'agents' | 'timer';

/** Whether a TaskNotFound may be terminal (R42). */
export type TrustMode = 'verify' | 'homogeneous-durable';

/** Counters of a unit, beyond what is kept one by one (R56). */
export type UnitCounts = {
  /** Violations found. */
  readonly violations: number;
  /** Redispatches issued. */
  readonly redispatches: number;
  /** Questions put to agents. */
  readonly queries: number;
  /** Events with a known ID and other content (R17). */
  readonly eventIdConflicts: number;
};

/** What becomes of a dispatch to an agent that was never verified (R12). */
export type UnverifiedMode = 'probe-first' | 'trust' | 'refuse';

/** What the ledger concluded about one observation; decided: a decision without one (domain vocabulary, section 12). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type VerdictWord =
  | 'accepted'
  | 'idempotent'
  | 'violation'
  | 'stale'
  | 'ignored'
  | 'deferred'
  | 'terminal-ok'
  | 'indeterminate'
  | 'trusted-terminal'
  | 'quarantined'
  | 'decided';

/** A state that was confirmed, and how (R9). */
export type VerifiedState = {
  /** The state. */
  readonly state: TaskState;
  /** How it was confirmed. */
  readonly basis: Basis;
};

/** The road by which a word of an agent arrived (R14). A road that the reader does not know counts as a push, which may be older than a loss (R36). */
export type Via = 'status-update' | 'snapshot' | 'poll' | 'push' | 'send-response' | 'list';

/** A breach of what an agent promised (domain vocabulary, section 12). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it. */
export type ViolationCode =
  | 'state-not-advertised'
  | 'state-not-verified'
  | 'unknown-state'
  | 'state-missing'
  | 'terminal-change'
  | 'mode-not-advertised'
  | 'mode-not-verified'
  | 'mode-not-accepted'
  | 'media-type-malformed'
  | 'media-type-missing'
  | 'artifact-unknown'
  | 'artifact-sealed'
  | 'correlation-claimed'
  | 'correlation-reused'
  | 'task-identity-conflict';

/** An open question to the verifier, asked once per partition and agent (R8). */
export type Wait = {
  /** When it was asked, ms since the epoch. */
  readonly since: number;
  /** Offset of the agents topic that was read then; -1: nothing was. */
  readonly agentsOffset: bigint;
};

/** How far a walk over the units that an agent change affects has come. */
export type Walk = {
  /** Offset of the agents record that is walked for. */
  readonly offset: bigint;
  /** Number of the index among those affected. */
  readonly index: number;
  /** The last key looked at. */
  readonly after: string;
  /** Keys of this walk that something followed for. */
  readonly rank: number;
};

/** The configuration of an agent by the operator; the latest replaces the one before. */
export type AgentConfigured = {
  readonly type: 'AgentConfigured';
  /** The agent. */
  readonly agentId: string;
  /** Organisation that provides it (R42). */
  readonly provider?: string;
  /** Tenants it serves; absent: all. */
  readonly tenants?: readonly string[];
  /** Advertised states, where the card lists none (R4). */
  readonly configuredStates?: readonly TaskState[];
  /** Skill of a request that names none (R18). */
  readonly defaultSkill?: string;
  /** Declared durable by the operator (R9). */
  readonly durable: boolean;
  /** Questions of Holdfast itself have an identity there (R25). */
  readonly serviceIdentity: boolean;
  /** Whether violations are refused; absent: as the policy says (R41). */
  readonly contract?: ContractMode;
  /** How lost tasks are recovered; absent: as the policy says (R41). */
  readonly recovery?: Recovery;
};

/** Never a candidate again; its last contracts go on judging (R57). */
export type AgentRemoved = {
  readonly type: 'AgentRemoved';
  /** The agent. */
  readonly agentId: string;
};

/** A verification: what probes showed, apart from the card (R9, R43). */
export type AgentVerified = {
  readonly type: 'AgentVerified';
  /** The agent. */
  readonly agentId: string;
  /** States that were confirmed. */
  readonly states: readonly VerifiedState[];
  /** States of which a probe showed that they do not hold; not assumed either (R13). */
  readonly refuted: readonly TaskState[];
  /** Concrete media types that were emitted. */
  readonly modes: readonly string[];
  /** Seen again through a fresh view of a client; absent: as before (R9). */
  readonly reobservable?: boolean;
  /** Seen again after a restart of the agent; absent: as before (R9). */
  readonly durable?: boolean;
  /** Hash of the card it was verified against; absent: no card was known. */
  readonly cardHash?: string;
  /** End of its validity, ms since the epoch (R9). */
  readonly expiresAt: number;
};

/** An artifact or chunks of one, without the bodies (R18, R23). */
export type ArtifactObserved = {
  readonly type: 'ArtifactObserved';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent that spoke. */
  readonly agentId: string;
  /** Server task ID it spoke about. */
  readonly serverTaskId: string;
  /** A2A context ID of the word; absent where it had none. */
  readonly contextId?: string;
  /** Correlation ID that the agent echoed in its lifecycle metadata (R54). */
  readonly metadataCorrelationId?: string;
  /** Record key of the unit to which this server task ID was bound before, as the gateway knows it (R54). */
  readonly boundTo?: string;
  /** The road by which the word arrived. */
  readonly via: Via;
  /** Artifact ID. */
  readonly artifactId: string;
  /** It goes on from what was sent before (R21). */
  readonly append: boolean;
  /** Nothing follows (R21). */
  readonly lastChunk: boolean;
  /** Its parts, in order. */
  readonly parts: readonly PartObserved[];
  /** Number of wire chunks observed together (R23). */
  readonly chunks: number;
  /** SHA-256 as hex of this content; absent where it was not computed. */
  readonly digest?: string;
  /** SHA-256 as hex of the artifact as it stands with this content, where that differs from the digest. */
  readonly assembled?: string;
};

/** The client asked to cancel (R53). */
export type CancelRequested = {
  readonly type: 'CancelRequested';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** Salted hash of the stable identity that asked; absent where none was seen (R25). */
  readonly principal?: string;
};

/** Tell an attempt that no longer counts to stop (R38, R60). */
export type CancelSuperseded = {
  readonly type: 'CancelSuperseded';
  /** ID of the command: an injective text of its cause (R40). */
  readonly commandId: string;
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent to tell. */
  readonly agentId: string;
  /** The task to cancel. */
  readonly serverTaskId: string;
  /** Number of the attempt. */
  readonly attempt: number;
  /** Stream time of the issue, ms since the epoch (R16). */
  readonly issuedAt: number;
};

/** A card body that differs from the one in force (R6). */
export type CardAccepted = {
  readonly type: 'CardAccepted';
  /** The agent. */
  readonly agentId: string;
  /** SHA-256 as hex of the RFC 8785 form of the body. */
  readonly hash: string;
  /** What it promises. */
  readonly terms: CardTerms;
  /** Version that the card gives itself; never compared (R6). */
  readonly version?: string;
  /** Entity tag of the response (R7). */
  readonly etag?: string;
  /** End of its freshness, ms since the epoch (R7). */
  readonly expiresAt: number;
};

/** A refresh that failed: the last good card stays in force (R7, R8). */
export type CardRefused = {
  readonly type: 'CardRefused';
  /** The agent. */
  readonly agentId: string;
  /** Why, in words. */
  readonly reason: string;
};

/** Not modified, or the same body again (R7). */
export type CardRevalidated = {
  readonly type: 'CardRevalidated';
  /** The agent. */
  readonly agentId: string;
  /** SHA-256 as hex of the RFC 8785 form of the body. */
  readonly hash: string;
  /** Entity tag of the response (R7). */
  readonly etag?: string;
  /** New end of its freshness, ms since the epoch (R7). */
  readonly expiresAt: number;
};

/** A record that was set aside, whole, with the reason (R58, R59). */
export type DeadLetter = {
  readonly type: 'DeadLetter';
  /** Why it was set aside. */
  readonly reason: QuarantineReason;
  /** The reason in words, as exact as it is known. */
  readonly detail: string;
  /** Where it lies. */
  readonly source: Coordinates;
  /** Its append time, ms since the epoch. */
  readonly sourceTime: number;
  /** SHA-256 as hex over its key, value, headers and timestamp. */
  readonly sourceSha256: string;
  /** Its key; absent: it had none. */
  readonly key?: Uint8Array;
  /** Its value; absent: it was a tombstone. */
  readonly value?: Uint8Array;
  /** Its headers. */
  readonly headers: readonly Header[];
  /** Stream time when it was set aside, ms since the epoch (R16). */
  readonly quarantinedAt: number;
};

/** A dispatch did not reach the agent or was refused by it (R37). */
export type DispatchFailed = {
  readonly type: 'DispatchFailed';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The target. */
  readonly agentId: string;
  /** Why, in words; absent where nothing is known. */
  readonly reason?: string;
  /** The command that was executed; absent on the dispatch of a client. */
  readonly commandId?: string;
};

/** An attempt was sent to an agent (R49). One by Holdfast answers the open redispatch. */
export type DispatchObserved = {
  readonly type: 'DispatchObserved';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent it was sent to. */
  readonly agentId: string;
  /** Who sent it. */
  readonly by: Asker;
  /** Skill asked for; absent where the request names none (R18). */
  readonly skillId?: string;
  /** Message ID of the request. */
  readonly messageId?: string;
  /** A2A context ID of the request or its answer. */
  readonly contextId?: string;
  /** Salted hash of the stable identity that asked; absent where none was seen (R25). */
  readonly principal?: string;
  /** Server task ID of the answer; absent where there was none yet. */
  readonly serverTaskId?: string;
  /** The redispatch command that it answers; absent on the one of the client (R60). */
  readonly commandId?: string;
  /** Output modes that the client accepts; empty or absent: it named none (R18). */
  readonly acceptedOutputModes?: readonly string[];
  /** A copy of the request lies in the inputs topic (R34). */
  readonly inputKept: boolean;
  /** The message goes on from an earlier context or refers to other tasks (R34). */
  readonly continues: boolean;
};

/** The dispatcher is about to send: written ahead of the effect (R40). It proves nothing about the agent. */
export type DispatchStarted = {
  readonly type: 'DispatchStarted';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The target. */
  readonly agentId: string;
  /** The command that is executed. */
  readonly commandId: string;
};

/** What real traffic says about an agent; the verifier folds it (R10). */
export type Evidence = {
  readonly type: 'Evidence';
  /** What it says. */
  readonly kind: EvidenceKind;
  /** The agent. */
  readonly agentId: string;
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The server task it was seen on. */
  readonly serverTaskId: string;
  /** The state that was re-observed or lost; absent: none was seen before the loss. */
  readonly state?: TaskState;
  /** Stream time of the decision that found it, ms since the epoch (R16). */
  readonly observedAt: number;
};

/** Evidence from real traffic, folded by the verifier (R10). No verification: nothing was probed. */
export type EvidenceFolded = {
  readonly type: 'EvidenceFolded';
  /** The agent. */
  readonly agentId: string;
  /** Whether the agent still counts as reobservable. */
  readonly reobservable: boolean;
  /** Whether the agent still counts as durable. */
  readonly durable: boolean;
  /** States that were observed and re-observed. */
  readonly observed: readonly TaskState[];
  /** A new probe is due. */
  readonly needsProbe: boolean;
};

/** An answer that carried no task, or no answer at all; what it means is decided by the ledger (R25, R52). */
export type ExchangeObserved = {
  readonly type: 'ExchangeObserved';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent that was asked. */
  readonly agentId: string;
  /** Server task ID that was asked about; absent where none was. */
  readonly serverTaskId?: string;
  /** Protocol binding. */
  readonly binding: Binding;
  /** A2A method name (GetTask, SendMessage, …), whatever the binding spells. */
  readonly method: string;
  /** HTTP status; 0: no answer. */
  readonly httpStatus: number;
  /** Content type of the answer. */
  readonly contentType?: string;
  /** JSON-RPC error code; absent where there was none. */
  readonly rpcErrorCode?: number;
  /** Reason of the A2A error information (TASK_NOT_FOUND, …). */
  readonly reason?: string;
  /** Why there was no whole answer: timeout, reset, … */
  readonly error?: string;
  /** Number of tasks that a ListTasks answer held. */
  readonly found?: number;
  /** Salted hash of the stable identity that asked; absent where none was seen (R25). */
  readonly principal?: string;
  /** Who asked. */
  readonly by: Asker;
};

/** The observer was blind for these agents during a period (R55). */
export type GapObserved = {
  readonly type: 'GapObserved';
  /** The agents. */
  readonly agentIds: readonly string[];
  /** Begin of the period, ms since the epoch. */
  readonly from: number;
  /** End of the period, ms since the epoch. */
  readonly to: number;
};

/** The current record of a unit of work: the store of the ledger, its changelog and its public view. Times are the ones of the ledger (R16). */
export type LedgerEntry = {
  readonly type: 'LedgerEntry';
  /** When it wants to be woken, by the policy in force when it was written, ms since the epoch; null: never. */
  readonly dueAt: number | null;
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** Salted hash of the identity that the unit belongs to; absent where none was seen (R49). */
  readonly principal?: string;
  /** Coordinates of its first observation, partition/offset: makes command IDs unique over reuse of the correlation ID. */
  readonly born: string;
  /** Skill of the unit; absent: unknown (R18). */
  readonly skillId?: string;
  /** Output modes that the client accepts; empty: it named none (R18). */
  readonly acceptedOutputModes: readonly string[];
  /** A copy of the request lies in the inputs topic (R34). */
  readonly inputKept: boolean;
  /** The unit went on from an earlier context or refers to other tasks (R34). */
  readonly continues: boolean;
  /** The last valid state; null: none was seen. */
  readonly state: TaskState | null;
  /** Number of the attempt whose word decided; absent where the unit is open or something else decided. */
  readonly decidedBy?: number;
  /** What other than a word of an agent decided; absent: nothing did. */
  readonly cause?: DecisionCause;
  /** When it was decided, ms since the epoch. */
  readonly terminalAt?: number;
  /** Attempts in order of dispatch. */
  readonly attempts: readonly Attempt[];
  /** Server tasks in order of first sight. */
  readonly serverTasks: readonly ServerTask[];
  /** Artifacts of all attempts (R24). */
  readonly artifacts: readonly Artifact[];
  /** Number of losses so far. */
  readonly losses: number;
  /** The loss it has not left yet; present: the unit is indeterminate (R2). */
  readonly loss?: Loss;
  /** Agents that lost it (R33). */
  readonly lostBy: readonly LossOfAgent[];
  /** When news was last seen, ms since the epoch (R46). */
  readonly newsAt: number;
  /** Silence was asked about since the last news (R46). */
  readonly silenceAsked: boolean;
  /** Marks that call an operator. */
  readonly marks: readonly Mark[];
  /** What deferred observations wait for; absent: none wait (R8). */
  readonly deferral?: Deferral;
  /** Hashes of ID and content of the last thousand events (R17). */
  readonly seenEvents: readonly string[];
  /** The last hundred violations (R56). */
  readonly violations: readonly RecordedViolation[];
  /** Counters. */
  readonly counts: UnitCounts;
  /** When something was last said about it, ms since the epoch (R56). */
  readonly lastWordAt: number;
  /** The kept input was let go (R34). */
  readonly inputDropped: boolean;
};

/** Where the task of a ledger partition is: the last changelog record of every transaction, under an internal key, so that position, state and outputs are committed or aborted together. */
export type LedgerPosition = {
  readonly type: 'LedgerPosition';
  /** Offset of the task-events record to be processed next (R17). */
  readonly source: bigint;
  /** Offset of the agents record to be folded next. */
  readonly global: bigint;
  /** How far the walk for the agents record at the global position has come; absent: none is under way. */
  readonly walk?: Walk;
  /** Stream time, ms since the epoch (R16). */
  readonly now: number;
  /** State of the partition as a whole. */
  readonly shared: LedgerShared;
  /** SHA-256 as hex of the verdict last written; empty: none was. */
  readonly digest: string;
  /** Made up once for each life of the changelog: tells that it was deleted and created again. */
  readonly incarnation: string;
};

/** The agent answered with a message and no task (R51). */
export type MessageObserved = {
  readonly type: 'MessageObserved';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent that answered. */
  readonly agentId: string;
  /** Message ID of the answer. */
  readonly messageId?: string;
  /** A2A context ID of the answer. */
  readonly contextId?: string;
};

/** The word of an operator about a unit (R61). */
export type OperatorDecided = {
  readonly type: 'OperatorDecided';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** What was decided. */
  readonly action: OperatorAction;
  /** Who decided. */
  readonly actor?: string;
  /** Why, in words. */
  readonly reason?: string;
  /** The target of a redispatch; absent for other actions. */
  readonly agentId?: string;
  /** The terminal state that a resolved record gets; absent for other actions. */
  readonly state?: string;
};

/** The effective configuration that decisions depend on, from here on. */
export type PolicyChanged = {
  readonly type: 'PolicyChanged';
  /** Version that verdicts name (R42). */
  readonly version: string;
  /** The policy. */
  readonly policy: Policy;
};

/** Ask an agent for a task; without a server task ID, search by the context (R32, R46, R52). */
export type QueryTask = {
  readonly type: 'QueryTask';
  /** ID of the command: an injective text of its cause (R40). */
  readonly commandId: string;
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent to ask. */
  readonly agentId: string;
  /** The task to ask for; absent: search by the context. */
  readonly serverTaskId?: string;
  /** A2A context ID to search by. */
  readonly contextId?: string;
  /** Why it is asked. */
  readonly reason: QueryReason;
  /** Stream time of the issue, ms since the epoch (R16). */
  readonly issuedAt: number;
};

/** Send the input of a unit to another agent (R34). Executed only while its loss stands (R60). */
export type RedispatchTask = {
  readonly type: 'RedispatchTask';
  /** ID of the command: an injective text of its cause (R40). */
  readonly commandId: string;
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The target. */
  readonly agentId: string;
  /** Number of the attempt that it begins. */
  readonly attempt: number;
  /** Number of the loss it answers. */
  readonly loss: number;
  /** The agent that lost the unit: asked once more first (R36). */
  readonly lostBy: string;
  /** Server task IDs under which it was lost. */
  readonly lostTaskIds: readonly string[];
  /** The state that the target must have verified (R33). */
  readonly requiredState: TaskState;
  /** For the message that is sent: injective in attempt and record key (R34). */
  readonly messageId: string;
  /** Who has to approve it first; absent: nobody (R41). */
  readonly awaits?: Approver;
  /** Whether it was issued before under this ID. */
  readonly again: Again;
  /** Everybody considered, candidates first (R33). */
  readonly considered: readonly Considered[];
  /** Stream time of the issue, ms since the epoch (R16). */
  readonly issuedAt: number;
};

/** Fetch the card of an agent anew (R8). The verifier merges requests per agent. */
export type RefreshCard = {
  readonly type: 'RefreshCard';
  /** ID of the command: an injective text of its cause (R40). */
  readonly commandId: string;
  /** The agent. */
  readonly agentId: string;
  /** Stream time of the issue, ms since the epoch (R16). */
  readonly issuedAt: number;
};

/** A stream ended (R32). */
export type StreamClosed = {
  readonly type: 'StreamClosed';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent it came from. */
  readonly agentId: string;
  /** Server task ID it was about; absent where none was seen. */
  readonly serverTaskId?: string;
  /** It was ended by the agent, not broken. */
  readonly clean: boolean;
};

/** What a client sent, as a redispatch sends it again (R34). */
export type TaskInput = {
  readonly type: 'TaskInput';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent it was first sent to. */
  readonly agentId: string;
  /** Skill asked for; absent where the request names none. */
  readonly skillId?: string;
  /** The SendMessage request as JSON, in the 1.0 shape. */
  readonly request: string;
  /** When it was kept, ms since the epoch. */
  readonly keptAt: number;
};

/** The not-found of the A2A protocol itself, as an observer classified it (R25). */
export type TaskNotFoundObserved = {
  readonly type: 'TaskNotFoundObserved';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent that answered. */
  readonly agentId: string;
  /** Server task ID that was asked about. */
  readonly serverTaskId: string;
  /** A2A method name that it answered. */
  readonly method: string;
  /** Salted hash of the stable identity that asked; absent where none was seen (R25). */
  readonly principal?: string;
  /** Who asked. */
  readonly by: Asker;
};

/** A state of a task, as an agent said it. */
export type TaskStateObserved = {
  readonly type: 'TaskStateObserved';
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent that spoke. */
  readonly agentId: string;
  /** Server task ID it spoke about. */
  readonly serverTaskId: string;
  /** A2A context ID of the word; absent where it had none. */
  readonly contextId?: string;
  /** Correlation ID that the agent echoed in its lifecycle metadata (R54). */
  readonly metadataCorrelationId?: string;
  /** Record key of the unit to which this server task ID was bound before, as the gateway knows it (R54). */
  readonly boundTo?: string;
  /** The road by which the word arrived. */
  readonly via: Via;
  /** The state as spelled on the wire, whatever the spelling; absent where it was absent there (R3). */
  readonly state?: string;
  /** Timestamp of the status, ms since the epoch; data, never order (R16). */
  readonly statusTimestamp?: number;
  /** Message ID of the status message; absent where there was none. */
  readonly messageId?: string;
  /** Reason of the lifecycle metadata, where another Holdfast wrote it (R2). */
  readonly lifecycleReason?: string;
};

/** One decision, always exactly one record: the audit trail. */
export type Verdict = {
  readonly type: 'Verdict';
  /** What was concluded. */
  readonly verdict: VerdictWord;
  /** The violation, where it is one. */
  readonly code?: ViolationCode;
  /** Why the record was set aside, where it was. */
  readonly quarantine?: QuarantineReason;
  /** The contract error that this decision raised, where it did (R34, R35, R37). */
  readonly contractError?: ContractErrorCode;
  /** The state a worker must have verified, with a contract error (R35). */
  readonly requiredState?: TaskState;
  /** The rule that decided, R…. */
  readonly rule: string;
  /** In a sentence, naming agents, tasks and states as observed (R45). */
  readonly reason: string;
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit; absent where the record names none. */
  readonly correlationId?: string;
  /** The agent that the decision is about. */
  readonly agentId?: string;
  /** The server task that the decision is about. */
  readonly serverTaskId?: string;
  /** Number of the attempt that the decision is about. */
  readonly attempt?: number;
  /** The last valid state of the unit after the decision; absent: none was seen. */
  readonly state?: TaskState;
  /** The unit is indeterminate after the decision (R2). */
  readonly indeterminate: boolean;
  /** Whether the media types judged were declared or inferred (R20). */
  readonly mediaTypes?: MediaTypeSource;
  /** Whether the skill of the unit was known (R18). */
  readonly skillKnown?: boolean;
  /** IDs of the commands that the decision issued. */
  readonly commandIds: readonly string[];
  /** What made the ledger decide. */
  readonly trigger: TriggerKind;
  /** Offset of the agents record that triggered it; absent for other triggers. */
  readonly triggerOffset?: bigint;
  /** The timer that triggered it; absent for other triggers. */
  readonly timer?: TimerName;
  /** When that timer was due, ms since the epoch. */
  readonly due?: number;
  /** Where the observation judged lies; absent for a decision without one. */
  readonly cause?: Coordinates;
  /** SHA-256 as hex over key, value, headers and timestamp of the observation. */
  readonly inputSha256?: string;
  /** Offset up to which the agents topic was read; -1: nothing was. */
  readonly agentsOffset: bigint;
  /** Hash of the card in force. */
  readonly cardHash?: string;
  /** Offset of the verification in force on the agents topic. */
  readonly verificationRevision?: bigint;
  /** Version of the policy in force (R42). */
  readonly policyVersion: string;
  /** Stream time of the decision, ms since the epoch (R16). */
  readonly decidedAt: number;
  /** SHA-256 as hex of the verdict before it in the partition; empty for the first. */
  readonly previousDigest: string;
};

/** A violation or a contract error once more, for those who only want to be alerted. */
export type Violation = {
  readonly type: 'Violation';
  /** What it is. */
  readonly code: AlertCode;
  /** Tenant of the unit; absent: none. */
  readonly tenant?: string;
  /** Correlation ID of the unit: opaque, never folded or trimmed. */
  readonly correlationId: string;
  /** The agent that it is about. */
  readonly agentId?: string;
  /** The server task that it is about. */
  readonly serverTaskId?: string;
  /** Number of the attempt that it is about. */
  readonly attempt?: number;
  /** The state a worker must have verified, with a contract error (R35). */
  readonly requiredState?: TaskState;
  /** The rule that decided, R…. */
  readonly rule: string;
  /** In a sentence, naming agents, tasks and states as observed (R45). */
  readonly reason: string;
  /** Where the observation judged lies; absent for a decision without one. */
  readonly cause?: Coordinates;
  /** Stream time of the decision, ms since the epoch (R16). */
  readonly decidedAt: number;
};

/** Every record that is written to a topic, by name. */
export type Records = {
  readonly AgentConfigured: AgentConfigured;
  readonly AgentRemoved: AgentRemoved;
  readonly AgentVerified: AgentVerified;
  readonly ArtifactObserved: ArtifactObserved;
  readonly CancelRequested: CancelRequested;
  readonly CancelSuperseded: CancelSuperseded;
  readonly CardAccepted: CardAccepted;
  readonly CardRefused: CardRefused;
  readonly CardRevalidated: CardRevalidated;
  readonly DeadLetter: DeadLetter;
  readonly DispatchFailed: DispatchFailed;
  readonly DispatchObserved: DispatchObserved;
  readonly DispatchStarted: DispatchStarted;
  readonly Evidence: Evidence;
  readonly EvidenceFolded: EvidenceFolded;
  readonly ExchangeObserved: ExchangeObserved;
  readonly GapObserved: GapObserved;
  readonly LedgerEntry: LedgerEntry;
  readonly LedgerPosition: LedgerPosition;
  readonly MessageObserved: MessageObserved;
  readonly OperatorDecided: OperatorDecided;
  readonly PolicyChanged: PolicyChanged;
  readonly QueryTask: QueryTask;
  readonly RedispatchTask: RedispatchTask;
  readonly RefreshCard: RefreshCard;
  readonly StreamClosed: StreamClosed;
  readonly TaskInput: TaskInput;
  readonly TaskNotFoundObserved: TaskNotFoundObserved;
  readonly TaskStateObserved: TaskStateObserved;
  readonly Verdict: Verdict;
  readonly Violation: Violation;
};

export type RecordName = keyof Records;

/** The Avro schemas as JSON, each complete in itself, as they are registered. */
export const SCHEMAS: Readonly<Record<RecordName, string>> = {
  AgentConfigured:
    '{"type":"record","name":"AgentConfigured","namespace":"holdfast.v1","doc":"The configuration of an agent by the operator; the latest replaces the one before.","discriminant":"type","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"provider","doc":"Organisation that provides it (R42).","type":["null","string"],"default":null},{"name":"tenants","doc":"Tenants it serves; absent: all.","type":["null",{"type":"array","items":"string"}],"default":null},{"name":"configuredStates","doc":"Advertised states, where the card lists none (R4).","type":["null",{"type":"array","items":{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}}],"default":null},{"name":"defaultSkill","doc":"Skill of a request that names none (R18).","type":["null","string"],"default":null},{"name":"durable","doc":"Declared durable by the operator (R9).","type":"boolean"},{"name":"serviceIdentity","doc":"Questions of Holdfast itself have an identity there (R25).","type":"boolean"},{"name":"contract","doc":"Whether violations are refused; absent: as the policy says (R41).","type":["null",{"type":"enum","name":"ContractMode","namespace":"holdfast.v1","doc":"Whether violations are passed on and recorded, or refused at the gateway (R41).","symbols":["OBSERVE","ENFORCE"],"default":"OBSERVE","words":{"OBSERVE":"observe","ENFORCE":"enforce"}}],"default":null},{"name":"recovery","doc":"How lost tasks are recovered; absent: as the policy says (R41).","type":["null",{"type":"enum","name":"Recovery","namespace":"holdfast.v1","doc":"How lost tasks are recovered (R41). A way that the reader does not know counts as manual: nothing is sent without an operator.","symbols":["OFF","MANUAL","ALWAYS"],"default":"MANUAL","words":{"OFF":"off","MANUAL":"manual","ALWAYS":"always"}}],"default":null}]}',
  AgentRemoved:
    '{"type":"record","name":"AgentRemoved","namespace":"holdfast.v1","doc":"Never a candidate again; its last contracts go on judging (R57).","discriminant":"type","fields":[{"name":"agentId","doc":"The agent.","type":"string"}]}',
  AgentVerified:
    '{"type":"record","name":"AgentVerified","namespace":"holdfast.v1","doc":"A verification: what probes showed, apart from the card (R9, R43).","discriminant":"type","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"states","doc":"States that were confirmed.","type":{"type":"array","items":{"type":"record","name":"VerifiedState","namespace":"holdfast.v1","doc":"A state that was confirmed, and how (R9).","fields":[{"name":"state","doc":"The state.","type":{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}},{"name":"basis","doc":"How it was confirmed.","type":{"type":"enum","name":"Basis","namespace":"holdfast.v1","doc":"How a verified state came to count as verified (R9). A basis that the reader does not know counts as assumed: it judges, it never makes a candidate.","symbols":["PROBED","OBSERVED","DECLARED","ASSUMED"],"default":"ASSUMED","words":{"PROBED":"probed","OBSERVED":"observed","DECLARED":"declared","ASSUMED":"assumed"}}}]}}},{"name":"refuted","doc":"States of which a probe showed that they do not hold; not assumed either (R13).","type":{"type":"array","items":"holdfast.v1.TaskState"}},{"name":"modes","doc":"Concrete media types that were emitted.","type":{"type":"array","items":"string"}},{"name":"reobservable","doc":"Seen again through a fresh view of a client; absent: as before (R9).","type":["null","boolean"],"default":null},{"name":"durable","doc":"Seen again after a restart of the agent; absent: as before (R9).","type":["null","boolean"],"default":null},{"name":"cardHash","doc":"Hash of the card it was verified against; absent: no card was known.","type":["null","string"],"default":null},{"name":"expiresAt","doc":"End of its validity, ms since the epoch (R9).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  ArtifactObserved:
    '{"type":"record","name":"ArtifactObserved","namespace":"holdfast.v1","doc":"An artifact or chunks of one, without the bodies (R18, R23).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that spoke.","type":"string"},{"name":"serverTaskId","doc":"Server task ID it spoke about.","type":"string"},{"name":"contextId","doc":"A2A context ID of the word; absent where it had none.","type":["null","string"],"default":null},{"name":"metadataCorrelationId","doc":"Correlation ID that the agent echoed in its lifecycle metadata (R54).","type":["null","string"],"default":null},{"name":"boundTo","doc":"Record key of the unit to which this server task ID was bound before, as the gateway knows it (R54).","type":["null","string"],"default":null},{"name":"via","doc":"The road by which the word arrived.","type":{"type":"enum","name":"Via","namespace":"holdfast.v1","doc":"The road by which a word of an agent arrived (R14). A road that the reader does not know counts as a push, which may be older than a loss (R36).","symbols":["STATUS_UPDATE","SNAPSHOT","POLL","PUSH","SEND_RESPONSE","LIST"],"default":"PUSH","words":{"STATUS_UPDATE":"status-update","SNAPSHOT":"snapshot","POLL":"poll","PUSH":"push","SEND_RESPONSE":"send-response","LIST":"list"}}},{"name":"artifactId","doc":"Artifact ID.","type":"string"},{"name":"append","doc":"It goes on from what was sent before (R21).","type":"boolean"},{"name":"lastChunk","doc":"Nothing follows (R21).","type":"boolean"},{"name":"parts","doc":"Its parts, in order.","type":{"type":"array","items":{"type":"record","name":"PartObserved","namespace":"holdfast.v1","doc":"A part of an artifact without its body (R23).","fields":[{"name":"kind","doc":"Kind of the part.","type":{"type":"enum","name":"PartKind","namespace":"holdfast.v1","doc":"The kind of a part. One that the reader does not know counts as raw: no media type is inferred for it (R20).","symbols":["TEXT","DATA","RAW","URL"],"default":"RAW","words":{"TEXT":"text","DATA":"data","RAW":"raw","URL":"url"}}},{"name":"mediaType","doc":"Media type as declared; absent where none was (R20).","type":["null","string"],"default":null},{"name":"bytes","doc":"Length of the body in bytes; absent where it was not measured.","type":["null","long"],"default":null}]}}},{"name":"chunks","doc":"Number of wire chunks observed together (R23).","type":"int"},{"name":"digest","doc":"SHA-256 as hex of this content; absent where it was not computed.","type":["null","string"],"default":null},{"name":"assembled","doc":"SHA-256 as hex of the artifact as it stands with this content, where that differs from the digest.","type":["null","string"],"default":null}]}',
  CancelRequested:
    '{"type":"record","name":"CancelRequested","namespace":"holdfast.v1","doc":"The client asked to cancel (R53).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null}]}',
  CancelSuperseded:
    '{"type":"record","name":"CancelSuperseded","namespace":"holdfast.v1","doc":"Tell an attempt that no longer counts to stop (R38, R60).","discriminant":"type","fields":[{"name":"commandId","doc":"ID of the command: an injective text of its cause (R40).","type":"string"},{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent to tell.","type":"string"},{"name":"serverTaskId","doc":"The task to cancel.","type":"string"},{"name":"attempt","doc":"Number of the attempt.","type":"int"},{"name":"issuedAt","doc":"Stream time of the issue, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  CardAccepted:
    '{"type":"record","name":"CardAccepted","namespace":"holdfast.v1","doc":"A card body that differs from the one in force (R6).","discriminant":"type","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"hash","doc":"SHA-256 as hex of the RFC 8785 form of the body.","type":"string"},{"name":"terms","doc":"What it promises.","type":{"type":"record","name":"CardTerms","namespace":"holdfast.v1","doc":"What a card promises, as far as it is judged (R4, R5).","fields":[{"name":"states","doc":"States from the lifecycle extension of the card; absent where it lists none (R4).","type":["null",{"type":"array","items":{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}}],"default":null},{"name":"defaultOutputModes","doc":"Default output modes, as media types (R5).","type":{"type":"array","items":"string"}},{"name":"skills","doc":"Skills of the card.","type":{"type":"array","items":{"type":"record","name":"Skill","namespace":"holdfast.v1","doc":"A skill of a card, as far as it is judged.","fields":[{"name":"id","doc":"ID of the skill.","type":"string"},{"name":"outputModes","doc":"Output modes that replace the default ones of the card; empty or absent: the default ones hold (R5).","type":["null",{"type":"array","items":"string"}],"default":null}]}}},{"name":"provider","doc":"Organisation that provides the agent; absent where the card names none (R42).","type":["null","string"],"default":null}]}},{"name":"version","doc":"Version that the card gives itself; never compared (R6).","type":["null","string"],"default":null},{"name":"etag","doc":"Entity tag of the response (R7).","type":["null","string"],"default":null},{"name":"expiresAt","doc":"End of its freshness, ms since the epoch (R7).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  CardRefused:
    '{"type":"record","name":"CardRefused","namespace":"holdfast.v1","doc":"A refresh that failed: the last good card stays in force (R7, R8).","discriminant":"type","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"reason","doc":"Why, in words.","type":"string"}]}',
  CardRevalidated:
    '{"type":"record","name":"CardRevalidated","namespace":"holdfast.v1","doc":"Not modified, or the same body again (R7).","discriminant":"type","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"hash","doc":"SHA-256 as hex of the RFC 8785 form of the body.","type":"string"},{"name":"etag","doc":"Entity tag of the response (R7).","type":["null","string"],"default":null},{"name":"expiresAt","doc":"New end of its freshness, ms since the epoch (R7).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  DeadLetter:
    '{"type":"record","name":"DeadLetter","namespace":"holdfast.v1","doc":"A record that was set aside, whole, with the reason (R58, R59).","discriminant":"type","fields":[{"name":"reason","doc":"Why it was set aside.","type":{"type":"enum","name":"QuarantineReason","namespace":"holdfast.v1","doc":"Why a record was set aside (R58, R59). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["UNDECODABLE","UNKNOWN_SCHEMA","MISROUTED","TOO_LARGE","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"UNDECODABLE":"undecodable","UNKNOWN_SCHEMA":"unknown-schema","MISROUTED":"misrouted","TOO_LARGE":"too-large"}}},{"name":"detail","doc":"The reason in words, as exact as it is known.","type":"string"},{"name":"source","doc":"Where it lies.","type":{"type":"record","name":"Coordinates","namespace":"holdfast.v1","doc":"Where a record lies. Two reads of the same coordinates are one record (R17).","fields":[{"name":"topic","doc":"Topic name.","type":"string"},{"name":"partition","doc":"Partition number.","type":"int"},{"name":"offset","doc":"Offset in the partition.","type":{"type":"long","logicalType":"kafka-offset"}}]}},{"name":"sourceTime","doc":"Its append time, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"sourceSha256","doc":"SHA-256 as hex over its key, value, headers and timestamp.","type":"string"},{"name":"key","doc":"Its key; absent: it had none.","type":["null","bytes"],"default":null},{"name":"value","doc":"Its value; absent: it was a tombstone.","type":["null","bytes"],"default":null},{"name":"headers","doc":"Its headers.","type":{"type":"array","items":{"type":"record","name":"Header","namespace":"holdfast.v1","doc":"A header of a Kafka record.","fields":[{"name":"name","doc":"Name of the header.","type":"string"},{"name":"value","doc":"Its bytes.","type":"bytes"}]}}},{"name":"quarantinedAt","doc":"Stream time when it was set aside, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  DispatchFailed:
    '{"type":"record","name":"DispatchFailed","namespace":"holdfast.v1","doc":"A dispatch did not reach the agent or was refused by it (R37).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The target.","type":"string"},{"name":"reason","doc":"Why, in words; absent where nothing is known.","type":["null","string"],"default":null},{"name":"commandId","doc":"The command that was executed; absent on the dispatch of a client.","type":["null","string"],"default":null}]}',
  DispatchObserved:
    '{"type":"record","name":"DispatchObserved","namespace":"holdfast.v1","doc":"An attempt was sent to an agent (R49). One by Holdfast answers the open redispatch.","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent it was sent to.","type":"string"},{"name":"by","doc":"Who sent it.","type":{"type":"enum","name":"Asker","namespace":"holdfast.v1","doc":"Who asked: the client, or Holdfast under its service identity (R25). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["CLIENT","HOLDFAST","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"CLIENT":"client","HOLDFAST":"holdfast"}}},{"name":"skillId","doc":"Skill asked for; absent where the request names none (R18).","type":["null","string"],"default":null},{"name":"messageId","doc":"Message ID of the request.","type":["null","string"],"default":null},{"name":"contextId","doc":"A2A context ID of the request or its answer.","type":["null","string"],"default":null},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null},{"name":"serverTaskId","doc":"Server task ID of the answer; absent where there was none yet.","type":["null","string"],"default":null},{"name":"commandId","doc":"The redispatch command that it answers; absent on the one of the client (R60).","type":["null","string"],"default":null},{"name":"acceptedOutputModes","doc":"Output modes that the client accepts; empty or absent: it named none (R18).","type":["null",{"type":"array","items":"string"}],"default":null},{"name":"inputKept","doc":"A copy of the request lies in the inputs topic (R34).","type":"boolean"},{"name":"continues","doc":"The message goes on from an earlier context or refers to other tasks (R34).","type":"boolean"}]}',
  DispatchStarted:
    '{"type":"record","name":"DispatchStarted","namespace":"holdfast.v1","doc":"The dispatcher is about to send: written ahead of the effect (R40). It proves nothing about the agent.","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The target.","type":"string"},{"name":"commandId","doc":"The command that is executed.","type":"string"}]}',
  Evidence:
    '{"type":"record","name":"Evidence","namespace":"holdfast.v1","doc":"What real traffic says about an agent; the verifier folds it (R10).","discriminant":"type","fields":[{"name":"kind","doc":"What it says.","type":{"type":"enum","name":"EvidenceKind","namespace":"holdfast.v1","doc":"What real traffic said about an agent (R10). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["STATE_REOBSERVED","TASK_LOST","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"STATE_REOBSERVED":"state-reobserved","TASK_LOST":"task-lost"}}},{"name":"agentId","doc":"The agent.","type":"string"},{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"serverTaskId","doc":"The server task it was seen on.","type":"string"},{"name":"state","doc":"The state that was re-observed or lost; absent: none was seen before the loss.","type":["null",{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}],"default":null},{"name":"observedAt","doc":"Stream time of the decision that found it, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  EvidenceFolded:
    '{"type":"record","name":"EvidenceFolded","namespace":"holdfast.v1","doc":"Evidence from real traffic, folded by the verifier (R10). No verification: nothing was probed.","discriminant":"type","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"reobservable","doc":"Whether the agent still counts as reobservable.","type":"boolean"},{"name":"durable","doc":"Whether the agent still counts as durable.","type":"boolean"},{"name":"observed","doc":"States that were observed and re-observed.","type":{"type":"array","items":{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}}},{"name":"needsProbe","doc":"A new probe is due.","type":"boolean"}]}',
  ExchangeObserved:
    '{"type":"record","name":"ExchangeObserved","namespace":"holdfast.v1","doc":"An answer that carried no task, or no answer at all; what it means is decided by the ledger (R25, R52).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that was asked.","type":"string"},{"name":"serverTaskId","doc":"Server task ID that was asked about; absent where none was.","type":["null","string"],"default":null},{"name":"binding","doc":"Protocol binding.","type":{"type":"enum","name":"Binding","namespace":"holdfast.v1","doc":"The A2A protocol binding of an exchange. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["JSONRPC","HTTP_JSON","GRPC","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"JSONRPC":"JSONRPC","HTTP_JSON":"HTTP+JSON","GRPC":"GRPC"}}},{"name":"method","doc":"A2A method name (GetTask, SendMessage, …), whatever the binding spells.","type":"string"},{"name":"httpStatus","doc":"HTTP status; 0: no answer.","type":"int"},{"name":"contentType","doc":"Content type of the answer.","type":["null","string"],"default":null},{"name":"rpcErrorCode","doc":"JSON-RPC error code; absent where there was none.","type":["null","long"],"default":null},{"name":"reason","doc":"Reason of the A2A error information (TASK_NOT_FOUND, …).","type":["null","string"],"default":null},{"name":"error","doc":"Why there was no whole answer: timeout, reset, …","type":["null","string"],"default":null},{"name":"found","doc":"Number of tasks that a ListTasks answer held.","type":["null","int"],"default":null},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null},{"name":"by","doc":"Who asked.","type":{"type":"enum","name":"Asker","namespace":"holdfast.v1","doc":"Who asked: the client, or Holdfast under its service identity (R25). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["CLIENT","HOLDFAST","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"CLIENT":"client","HOLDFAST":"holdfast"}}}]}',
  GapObserved:
    '{"type":"record","name":"GapObserved","namespace":"holdfast.v1","doc":"The observer was blind for these agents during a period (R55).","discriminant":"type","fields":[{"name":"agentIds","doc":"The agents.","type":{"type":"array","items":"string"}},{"name":"from","doc":"Begin of the period, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"to","doc":"End of the period, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  LedgerEntry:
    '{"type":"record","name":"LedgerEntry","namespace":"holdfast.v1","doc":"The current record of a unit of work: the store of the ledger, its changelog and its public view. Times are the ones of the ledger (R16).","discriminant":"type","fields":[{"name":"dueAt","doc":"When it wants to be woken, by the policy in force when it was written, ms since the epoch; null: never.","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null,"absent":"null"},{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"principal","doc":"Salted hash of the identity that the unit belongs to; absent where none was seen (R49).","type":["null","string"],"default":null},{"name":"born","doc":"Coordinates of its first observation, partition/offset: makes command IDs unique over reuse of the correlation ID.","type":"string"},{"name":"skillId","doc":"Skill of the unit; absent: unknown (R18).","type":["null","string"],"default":null},{"name":"acceptedOutputModes","doc":"Output modes that the client accepts; empty: it named none (R18).","type":{"type":"array","items":"string"}},{"name":"inputKept","doc":"A copy of the request lies in the inputs topic (R34).","type":"boolean"},{"name":"continues","doc":"The unit went on from an earlier context or refers to other tasks (R34).","type":"boolean"},{"name":"state","doc":"The last valid state; null: none was seen.","type":["null",{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}],"default":null,"absent":"null"},{"name":"decidedBy","doc":"Number of the attempt whose word decided; absent where the unit is open or something else decided.","type":["null","int"],"default":null},{"name":"cause","doc":"What other than a word of an agent decided; absent: nothing did.","type":["null",{"type":"enum","name":"DecisionCause","namespace":"holdfast.v1","doc":"What other than an agent word decided a unit (R42, R53, R61). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["TASK_NOT_FOUND_TRUSTED","CANCELED_WHILE_INDETERMINATE","RESOLVED_BY_OPERATOR","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"TASK_NOT_FOUND_TRUSTED":"task-not-found-trusted","CANCELED_WHILE_INDETERMINATE":"canceled-while-indeterminate","RESOLVED_BY_OPERATOR":"resolved-by-operator"}}],"default":null},{"name":"terminalAt","doc":"When it was decided, ms since the epoch.","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},{"name":"attempts","doc":"Attempts in order of dispatch.","type":{"type":"array","items":{"type":"record","name":"Attempt","namespace":"holdfast.v1","doc":"One dispatch of a unit to one agent. Times are the ones of the ledger (R16).","fields":[{"name":"number","doc":"1, 2, … in order of dispatch.","type":"int"},{"name":"agentId","doc":"The agent it was dispatched to.","type":"string"},{"name":"by","doc":"Who began it.","type":{"type":"enum","name":"AttemptOrigin","namespace":"holdfast.v1","doc":"Who began an attempt; seen: first seen in flight, nobody dispatched it through Holdfast (R50). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["CLIENT","HOLDFAST","SEEN","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"CLIENT":"client","HOLDFAST":"holdfast","SEEN":"seen"}}},{"name":"status","doc":"How far it came.","type":{"type":"enum","name":"AttemptStatus","namespace":"holdfast.v1","doc":"issued: commanded, has not spoken; bound: sent, by a dispatch or a first word; failed: did not get through; void: its loss was left before it was bound (R60). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["ISSUED","BOUND","FAILED","VOID","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"ISSUED":"issued","BOUND":"bound","FAILED":"failed","VOID":"void"}}},{"name":"answersLoss","doc":"Number of the loss it answers; absent on the one of the client.","type":["null","int"],"default":null},{"name":"principal","doc":"Salted hash of the identity that began it; absent where none was seen (R25).","type":["null","string"],"default":null},{"name":"contextId","doc":"The context that the client gave it; what an agent makes up is its tasks\' own (R54).","type":["null","string"],"default":null},{"name":"messageIds","doc":"Message IDs under which it was sent.","type":{"type":"array","items":"string"}},{"name":"dispatchedAt","doc":"When it was dispatched, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"state","doc":"Its own last valid state; null: none yet.","type":["null","holdfast.v1.TaskState"],"default":null,"absent":"null"},{"name":"ended","doc":"The terminal state that ended it, whether or not that decided the unit; null: none (R38).","type":["null","holdfast.v1.TaskState"],"default":null,"absent":"null"},{"name":"answered","doc":"It was answered by a message and no task (R51).","type":"boolean"},{"name":"closedByViolation","doc":"Its terminal state was refused: its last word all the same (R48).","type":"boolean"},{"name":"sendUnknownAt","doc":"When the outcome of its send became unknown, ms since the epoch; absent: it is known (R52).","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},{"name":"seenAt","doc":"When a state of it was last seen, refused ones included, ms since the epoch (R55).","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},{"name":"seen","doc":"Snapshots (state@timestamp) and news (t:…, m:…) already seen; the last hundred (R46, R47).","type":{"type":"array","items":"string"}},{"name":"cancelAsked","doc":"It was told to stop (R38).","type":"boolean"}]}}},{"name":"serverTasks","doc":"Server tasks in order of first sight.","type":{"type":"array","items":{"type":"record","name":"ServerTask","namespace":"holdfast.v1","doc":"A server task of an attempt, in order of first sight.","fields":[{"name":"agentId","doc":"The agent that gave the ID.","type":"string"},{"name":"id","doc":"Server task ID.","type":"string"},{"name":"attempt","doc":"Number of the attempt.","type":"int"},{"name":"lost","doc":"The agent does not know it any more (R29).","type":"boolean"},{"name":"contextId","doc":"The context that it answers for, once it said so (R54).","type":["null","string"],"default":null}]}}},{"name":"artifacts","doc":"Artifacts of all attempts (R24).","type":{"type":"array","items":{"type":"record","name":"Artifact","namespace":"holdfast.v1","doc":"One artifact of one attempt; bodies are not kept (R23, R24).","fields":[{"name":"attempt","doc":"Number of the attempt.","type":"int"},{"name":"artifactId","doc":"Artifact ID as the agent gave it.","type":"string"},{"name":"mediaTypes","doc":"Media types of its parts.","type":{"type":"array","items":"string"}},{"name":"chunks","doc":"Number of wire chunks it was assembled of.","type":"int"},{"name":"length","doc":"Length of its bodies in bytes.","type":"long"},{"name":"digest","doc":"SHA-256 of the content as assembled; absent where it is not known.","type":["null","string"],"default":null},{"name":"chunkDigests","doc":"SHA-256 of the chunks it was assembled of; the last hundred.","type":{"type":"array","items":"string"}},{"name":"sealed","doc":"Its last chunk was seen (R21).","type":"boolean"},{"name":"late","doc":"Attached after the terminal state (R22).","type":"boolean"}]}}},{"name":"losses","doc":"Number of losses so far.","type":"int"},{"name":"loss","doc":"The loss it has not left yet; present: the unit is indeterminate (R2).","type":["null",{"type":"record","name":"Loss","namespace":"holdfast.v1","doc":"The loss that a unit has not left yet, and its reconciliation pass (R29).","fields":[{"name":"number","doc":"1, 2, … in order of loss.","type":"int"},{"name":"attempt","doc":"Number of the attempt that was lost.","type":"int"},{"name":"agentId","doc":"The agent that lost it.","type":"string"},{"name":"at","doc":"When it was lost, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"requiredState","doc":"The state that a candidate must have verified (R33).","type":"holdfast.v1.TaskState"},{"name":"contractErrors","doc":"Contract errors raised already, each at most once per loss (R34, R35).","type":{"type":"array","items":{"type":"enum","name":"ContractErrorCode","namespace":"holdfast.v1","doc":"Why a lost unit cannot be redispatched (R34, R35, R37). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["NO_CAPABLE_WORKER","ATTEMPTS_EXHAUSTED","INPUT_NOT_RETAINED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"NO_CAPABLE_WORKER":"no-capable-worker","ATTEMPTS_EXHAUSTED":"attempts-exhausted","INPUT_NOT_RETAINED":"input-not-retained"}}}},{"name":"redispatch","doc":"The open redispatch; absent: none.","type":["null",{"type":"record","name":"RedispatchOpen","namespace":"holdfast.v1","doc":"A redispatch that was issued and not settled yet.","fields":[{"name":"commandId","doc":"ID of the command (R40).","type":"string"},{"name":"attempt","doc":"Number of the attempt it begins.","type":"int"},{"name":"agentId","doc":"The target.","type":"string"},{"name":"issuedAt","doc":"Issued, released or issued again, ms since the epoch: the deadline counts from it (R60).","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"awaitsApproval","doc":"It waits for the approval of an operator (R41).","type":"boolean"}]}],"default":null},{"name":"held","doc":"An operator took it over: nothing is issued by itself (R61).","type":"boolean"},{"name":"reexamineAt","doc":"Parked, and to be looked at again at this time, ms since the epoch (R35).","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null}]}],"default":null},{"name":"lostBy","doc":"Agents that lost it (R33).","type":{"type":"array","items":{"type":"record","name":"LossOfAgent","namespace":"holdfast.v1","doc":"An agent that lost the unit (R33).","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"agentsOffset","doc":"Offset of the agents topic that was read at its last loss; -1: nothing was.","type":{"type":"long","logicalType":"kafka-offset"}}]}}},{"name":"newsAt","doc":"When news was last seen, ms since the epoch (R46).","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"silenceAsked","doc":"Silence was asked about since the last news (R46).","type":"boolean"},{"name":"marks","doc":"Marks that call an operator.","type":{"type":"array","items":{"type":"enum","name":"Mark","namespace":"holdfast.v1","doc":"A mark that calls an operator (R35, R46). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["STALLED","NO_CANDIDATE","NEEDS_INPUT","ATTEMPTS_EXHAUSTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"STALLED":"stalled","NO_CANDIDATE":"no-candidate","NEEDS_INPUT":"needs-input","ATTEMPTS_EXHAUSTED":"attempts-exhausted"}}}},{"name":"deferral","doc":"What deferred observations wait for; absent: none wait (R8).","type":["null",{"type":"record","name":"Deferral","namespace":"holdfast.v1","doc":"What the deferred observations of a unit wait for (R8).","fields":[{"name":"agentId","doc":"The agent whose evidence is out of date.","type":"string"},{"name":"awaits","doc":"What is waited for.","type":{"type":"enum","name":"AwaitedEvidence","namespace":"holdfast.v1","doc":"The evidence that a deferred observation waits for (R8). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["CARD","VERIFICATION","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"CARD":"card","VERIFICATION":"verification"}}},{"name":"agentsOffset","doc":"Offset of the agents topic that was read when the wait began; -1: nothing was.","type":{"type":"long","logicalType":"kafka-offset"}},{"name":"cardHash","doc":"Hash of the card in force when the wait began; absent: there was none.","type":["null","string"],"default":null},{"name":"until","doc":"When it is judged without an answer, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"queue","doc":"The observations that wait, in order of arrival.","type":{"type":"array","items":{"type":"record","name":"DeferredObservation","namespace":"holdfast.v1","doc":"An observation that waits for evidence, with all that is needed to judge it later as it would have been (R8).","fields":[{"name":"observation","doc":"The observation.","type":{"type":"record","name":"ObservedFact","namespace":"holdfast.v1","doc":"One observation of any type: exactly one field is present. A record of fields and not a union, so that a type of observation can be added compatibly.","choice":true,"fields":[{"name":"dispatchObserved","doc":"The observation, where it is a DispatchObserved.","type":["null",{"type":"record","name":"DispatchObserved","namespace":"holdfast.v1","doc":"An attempt was sent to an agent (R49). One by Holdfast answers the open redispatch.","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent it was sent to.","type":"string"},{"name":"by","doc":"Who sent it.","type":{"type":"enum","name":"Asker","namespace":"holdfast.v1","doc":"Who asked: the client, or Holdfast under its service identity (R25). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["CLIENT","HOLDFAST","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"CLIENT":"client","HOLDFAST":"holdfast"}}},{"name":"skillId","doc":"Skill asked for; absent where the request names none (R18).","type":["null","string"],"default":null},{"name":"messageId","doc":"Message ID of the request.","type":["null","string"],"default":null},{"name":"contextId","doc":"A2A context ID of the request or its answer.","type":["null","string"],"default":null},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null},{"name":"serverTaskId","doc":"Server task ID of the answer; absent where there was none yet.","type":["null","string"],"default":null},{"name":"commandId","doc":"The redispatch command that it answers; absent on the one of the client (R60).","type":["null","string"],"default":null},{"name":"acceptedOutputModes","doc":"Output modes that the client accepts; empty or absent: it named none (R18).","type":["null",{"type":"array","items":"string"}],"default":null},{"name":"inputKept","doc":"A copy of the request lies in the inputs topic (R34).","type":"boolean"},{"name":"continues","doc":"The message goes on from an earlier context or refers to other tasks (R34).","type":"boolean"}]}],"default":null},{"name":"dispatchStarted","doc":"The observation, where it is a DispatchStarted.","type":["null",{"type":"record","name":"DispatchStarted","namespace":"holdfast.v1","doc":"The dispatcher is about to send: written ahead of the effect (R40). It proves nothing about the agent.","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The target.","type":"string"},{"name":"commandId","doc":"The command that is executed.","type":"string"}]}],"default":null},{"name":"dispatchFailed","doc":"The observation, where it is a DispatchFailed.","type":["null",{"type":"record","name":"DispatchFailed","namespace":"holdfast.v1","doc":"A dispatch did not reach the agent or was refused by it (R37).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The target.","type":"string"},{"name":"reason","doc":"Why, in words; absent where nothing is known.","type":["null","string"],"default":null},{"name":"commandId","doc":"The command that was executed; absent on the dispatch of a client.","type":["null","string"],"default":null}]}],"default":null},{"name":"taskStateObserved","doc":"The observation, where it is a TaskStateObserved.","type":["null",{"type":"record","name":"TaskStateObserved","namespace":"holdfast.v1","doc":"A state of a task, as an agent said it.","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that spoke.","type":"string"},{"name":"serverTaskId","doc":"Server task ID it spoke about.","type":"string"},{"name":"contextId","doc":"A2A context ID of the word; absent where it had none.","type":["null","string"],"default":null},{"name":"metadataCorrelationId","doc":"Correlation ID that the agent echoed in its lifecycle metadata (R54).","type":["null","string"],"default":null},{"name":"boundTo","doc":"Record key of the unit to which this server task ID was bound before, as the gateway knows it (R54).","type":["null","string"],"default":null},{"name":"via","doc":"The road by which the word arrived.","type":{"type":"enum","name":"Via","namespace":"holdfast.v1","doc":"The road by which a word of an agent arrived (R14). A road that the reader does not know counts as a push, which may be older than a loss (R36).","symbols":["STATUS_UPDATE","SNAPSHOT","POLL","PUSH","SEND_RESPONSE","LIST"],"default":"PUSH","words":{"STATUS_UPDATE":"status-update","SNAPSHOT":"snapshot","POLL":"poll","PUSH":"push","SEND_RESPONSE":"send-response","LIST":"list"}}},{"name":"state","doc":"The state as spelled on the wire, whatever the spelling; absent where it was absent there (R3).","type":["null","string"],"default":null},{"name":"statusTimestamp","doc":"Timestamp of the status, ms since the epoch; data, never order (R16).","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},{"name":"messageId","doc":"Message ID of the status message; absent where there was none.","type":["null","string"],"default":null},{"name":"lifecycleReason","doc":"Reason of the lifecycle metadata, where another Holdfast wrote it (R2).","type":["null","string"],"default":null}]}],"default":null},{"name":"artifactObserved","doc":"The observation, where it is a ArtifactObserved.","type":["null",{"type":"record","name":"ArtifactObserved","namespace":"holdfast.v1","doc":"An artifact or chunks of one, without the bodies (R18, R23).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that spoke.","type":"string"},{"name":"serverTaskId","doc":"Server task ID it spoke about.","type":"string"},{"name":"contextId","doc":"A2A context ID of the word; absent where it had none.","type":["null","string"],"default":null},{"name":"metadataCorrelationId","doc":"Correlation ID that the agent echoed in its lifecycle metadata (R54).","type":["null","string"],"default":null},{"name":"boundTo","doc":"Record key of the unit to which this server task ID was bound before, as the gateway knows it (R54).","type":["null","string"],"default":null},{"name":"via","doc":"The road by which the word arrived.","type":"holdfast.v1.Via"},{"name":"artifactId","doc":"Artifact ID.","type":"string"},{"name":"append","doc":"It goes on from what was sent before (R21).","type":"boolean"},{"name":"lastChunk","doc":"Nothing follows (R21).","type":"boolean"},{"name":"parts","doc":"Its parts, in order.","type":{"type":"array","items":{"type":"record","name":"PartObserved","namespace":"holdfast.v1","doc":"A part of an artifact without its body (R23).","fields":[{"name":"kind","doc":"Kind of the part.","type":{"type":"enum","name":"PartKind","namespace":"holdfast.v1","doc":"The kind of a part. One that the reader does not know counts as raw: no media type is inferred for it (R20).","symbols":["TEXT","DATA","RAW","URL"],"default":"RAW","words":{"TEXT":"text","DATA":"data","RAW":"raw","URL":"url"}}},{"name":"mediaType","doc":"Media type as declared; absent where none was (R20).","type":["null","string"],"default":null},{"name":"bytes","doc":"Length of the body in bytes; absent where it was not measured.","type":["null","long"],"default":null}]}}},{"name":"chunks","doc":"Number of wire chunks observed together (R23).","type":"int"},{"name":"digest","doc":"SHA-256 as hex of this content; absent where it was not computed.","type":["null","string"],"default":null},{"name":"assembled","doc":"SHA-256 as hex of the artifact as it stands with this content, where that differs from the digest.","type":["null","string"],"default":null}]}],"default":null},{"name":"messageObserved","doc":"The observation, where it is a MessageObserved.","type":["null",{"type":"record","name":"MessageObserved","namespace":"holdfast.v1","doc":"The agent answered with a message and no task (R51).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that answered.","type":"string"},{"name":"messageId","doc":"Message ID of the answer.","type":["null","string"],"default":null},{"name":"contextId","doc":"A2A context ID of the answer.","type":["null","string"],"default":null}]}],"default":null},{"name":"taskNotFoundObserved","doc":"The observation, where it is a TaskNotFoundObserved.","type":["null",{"type":"record","name":"TaskNotFoundObserved","namespace":"holdfast.v1","doc":"The not-found of the A2A protocol itself, as an observer classified it (R25).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that answered.","type":"string"},{"name":"serverTaskId","doc":"Server task ID that was asked about.","type":"string"},{"name":"method","doc":"A2A method name that it answered.","type":"string"},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null},{"name":"by","doc":"Who asked.","type":"holdfast.v1.Asker"}]}],"default":null},{"name":"exchangeObserved","doc":"The observation, where it is a ExchangeObserved.","type":["null",{"type":"record","name":"ExchangeObserved","namespace":"holdfast.v1","doc":"An answer that carried no task, or no answer at all; what it means is decided by the ledger (R25, R52).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that was asked.","type":"string"},{"name":"serverTaskId","doc":"Server task ID that was asked about; absent where none was.","type":["null","string"],"default":null},{"name":"binding","doc":"Protocol binding.","type":{"type":"enum","name":"Binding","namespace":"holdfast.v1","doc":"The A2A protocol binding of an exchange. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["JSONRPC","HTTP_JSON","GRPC","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"JSONRPC":"JSONRPC","HTTP_JSON":"HTTP+JSON","GRPC":"GRPC"}}},{"name":"method","doc":"A2A method name (GetTask, SendMessage, …), whatever the binding spells.","type":"string"},{"name":"httpStatus","doc":"HTTP status; 0: no answer.","type":"int"},{"name":"contentType","doc":"Content type of the answer.","type":["null","string"],"default":null},{"name":"rpcErrorCode","doc":"JSON-RPC error code; absent where there was none.","type":["null","long"],"default":null},{"name":"reason","doc":"Reason of the A2A error information (TASK_NOT_FOUND, …).","type":["null","string"],"default":null},{"name":"error","doc":"Why there was no whole answer: timeout, reset, …","type":["null","string"],"default":null},{"name":"found","doc":"Number of tasks that a ListTasks answer held.","type":["null","int"],"default":null},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null},{"name":"by","doc":"Who asked.","type":"holdfast.v1.Asker"}]}],"default":null},{"name":"streamClosed","doc":"The observation, where it is a StreamClosed.","type":["null",{"type":"record","name":"StreamClosed","namespace":"holdfast.v1","doc":"A stream ended (R32).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent it came from.","type":"string"},{"name":"serverTaskId","doc":"Server task ID it was about; absent where none was seen.","type":["null","string"],"default":null},{"name":"clean","doc":"It was ended by the agent, not broken.","type":"boolean"}]}],"default":null},{"name":"cancelRequested","doc":"The observation, where it is a CancelRequested.","type":["null",{"type":"record","name":"CancelRequested","namespace":"holdfast.v1","doc":"The client asked to cancel (R53).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null}]}],"default":null},{"name":"operatorDecided","doc":"The observation, where it is a OperatorDecided.","type":["null",{"type":"record","name":"OperatorDecided","namespace":"holdfast.v1","doc":"The word of an operator about a unit (R61).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"action","doc":"What was decided.","type":{"type":"enum","name":"OperatorAction","namespace":"holdfast.v1","doc":"What an operator decided (R61). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["APPROVE","VOID","REDISPATCH","RESOLVE","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"APPROVE":"approve","VOID":"void","REDISPATCH":"redispatch","RESOLVE":"resolve"}}},{"name":"actor","doc":"Who decided.","type":["null","string"],"default":null},{"name":"reason","doc":"Why, in words.","type":["null","string"],"default":null},{"name":"agentId","doc":"The target of a redispatch; absent for other actions.","type":["null","string"],"default":null},{"name":"state","doc":"The terminal state that a resolved record gets; absent for other actions.","type":["null","string"],"default":null}]}],"default":null}]}},{"name":"coordinates","doc":"Where it lies.","type":{"type":"record","name":"Coordinates","namespace":"holdfast.v1","doc":"Where a record lies. Two reads of the same coordinates are one record (R17).","fields":[{"name":"topic","doc":"Topic name.","type":"string"},{"name":"partition","doc":"Partition number.","type":"int"},{"name":"offset","doc":"Offset in the partition.","type":{"type":"long","logicalType":"kafka-offset"}}]}},{"name":"time","doc":"Its append time, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"inputSha256","doc":"SHA-256 as hex over key, value, headers and timestamp of its record.","type":"string"}]}}}]}],"default":null},{"name":"seenEvents","doc":"Hashes of ID and content of the last thousand events (R17).","type":{"type":"array","items":"string"}},{"name":"violations","doc":"The last hundred violations (R56).","type":{"type":"array","items":{"type":"record","name":"RecordedViolation","namespace":"holdfast.v1","doc":"A violation of a unit, with where its observation lies (R56).","fields":[{"name":"code","doc":"What was violated.","type":{"type":"enum","name":"ViolationCode","namespace":"holdfast.v1","doc":"A breach of what an agent promised (domain vocabulary, section 12). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["STATE_NOT_ADVERTISED","STATE_NOT_VERIFIED","UNKNOWN_STATE","STATE_MISSING","TERMINAL_CHANGE","MODE_NOT_ADVERTISED","MODE_NOT_VERIFIED","MODE_NOT_ACCEPTED","MEDIA_TYPE_MALFORMED","MEDIA_TYPE_MISSING","ARTIFACT_UNKNOWN","ARTIFACT_SEALED","CORRELATION_CLAIMED","CORRELATION_REUSED","TASK_IDENTITY_CONFLICT","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"STATE_NOT_ADVERTISED":"state-not-advertised","STATE_NOT_VERIFIED":"state-not-verified","UNKNOWN_STATE":"unknown-state","STATE_MISSING":"state-missing","TERMINAL_CHANGE":"terminal-change","MODE_NOT_ADVERTISED":"mode-not-advertised","MODE_NOT_VERIFIED":"mode-not-verified","MODE_NOT_ACCEPTED":"mode-not-accepted","MEDIA_TYPE_MALFORMED":"media-type-malformed","MEDIA_TYPE_MISSING":"media-type-missing","ARTIFACT_UNKNOWN":"artifact-unknown","ARTIFACT_SEALED":"artifact-sealed","CORRELATION_CLAIMED":"correlation-claimed","CORRELATION_REUSED":"correlation-reused","TASK_IDENTITY_CONFLICT":"task-identity-conflict"}}},{"name":"partition","doc":"Partition of the observation.","type":"int"},{"name":"offset","doc":"Offset of the observation.","type":{"type":"long","logicalType":"kafka-offset"}},{"name":"at","doc":"When it was found, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}}]}}},{"name":"counts","doc":"Counters.","type":{"type":"record","name":"UnitCounts","namespace":"holdfast.v1","doc":"Counters of a unit, beyond what is kept one by one (R56).","fields":[{"name":"violations","doc":"Violations found.","type":"int"},{"name":"redispatches","doc":"Redispatches issued.","type":"int"},{"name":"queries","doc":"Questions put to agents.","type":"int"},{"name":"eventIdConflicts","doc":"Events with a known ID and other content (R17).","type":"int"}]}},{"name":"lastWordAt","doc":"When something was last said about it, ms since the epoch (R56).","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"inputDropped","doc":"The kept input was let go (R34).","type":"boolean"}]}',
  LedgerPosition:
    '{"type":"record","name":"LedgerPosition","namespace":"holdfast.v1","doc":"Where the task of a ledger partition is: the last changelog record of every transaction, under an internal key, so that position, state and outputs are committed or aborted together.","discriminant":"type","fields":[{"name":"source","doc":"Offset of the task-events record to be processed next (R17).","type":{"type":"long","logicalType":"kafka-offset"}},{"name":"global","doc":"Offset of the agents record to be folded next.","type":{"type":"long","logicalType":"kafka-offset"}},{"name":"walk","doc":"How far the walk for the agents record at the global position has come; absent: none is under way.","type":["null",{"type":"record","name":"Walk","namespace":"holdfast.v1","doc":"How far a walk over the units that an agent change affects has come.","fields":[{"name":"offset","doc":"Offset of the agents record that is walked for.","type":{"type":"long","logicalType":"kafka-offset"}},{"name":"index","doc":"Number of the index among those affected.","type":"int"},{"name":"after","doc":"The last key looked at.","type":"string"},{"name":"rank","doc":"Keys of this walk that something followed for.","type":"int"}]}],"default":null},{"name":"now","doc":"Stream time, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"shared","doc":"State of the partition as a whole.","type":{"type":"record","name":"LedgerShared","namespace":"holdfast.v1","doc":"State of a ledger partition as a whole.","fields":[{"name":"waits","doc":"Questions to the verifier, one entry an agent (R8).","type":{"type":"array","items":{"type":"record","name":"AgentWaits","namespace":"holdfast.v1","doc":"What a partition waits for, or has waited for in vain, of one agent (R8).","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"card","doc":"Its card; absent: not waited for.","type":["null",{"type":"record","name":"Wait","namespace":"holdfast.v1","doc":"An open question to the verifier, asked once per partition and agent (R8).","fields":[{"name":"since","doc":"When it was asked, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"agentsOffset","doc":"Offset of the agents topic that was read then; -1: nothing was.","type":{"type":"long","logicalType":"kafka-offset"}}]}],"default":null},{"name":"verification","doc":"Its verification; absent: not waited for.","type":["null","holdfast.v1.Wait"],"default":null}]},"mapKey":"agentId"}}]}},{"name":"digest","doc":"SHA-256 as hex of the verdict last written; empty: none was.","type":"string"},{"name":"incarnation","doc":"Made up once for each life of the changelog: tells that it was deleted and created again.","type":"string"}]}',
  MessageObserved:
    '{"type":"record","name":"MessageObserved","namespace":"holdfast.v1","doc":"The agent answered with a message and no task (R51).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that answered.","type":"string"},{"name":"messageId","doc":"Message ID of the answer.","type":["null","string"],"default":null},{"name":"contextId","doc":"A2A context ID of the answer.","type":["null","string"],"default":null}]}',
  OperatorDecided:
    '{"type":"record","name":"OperatorDecided","namespace":"holdfast.v1","doc":"The word of an operator about a unit (R61).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"action","doc":"What was decided.","type":{"type":"enum","name":"OperatorAction","namespace":"holdfast.v1","doc":"What an operator decided (R61). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["APPROVE","VOID","REDISPATCH","RESOLVE","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"APPROVE":"approve","VOID":"void","REDISPATCH":"redispatch","RESOLVE":"resolve"}}},{"name":"actor","doc":"Who decided.","type":["null","string"],"default":null},{"name":"reason","doc":"Why, in words.","type":["null","string"],"default":null},{"name":"agentId","doc":"The target of a redispatch; absent for other actions.","type":["null","string"],"default":null},{"name":"state","doc":"The terminal state that a resolved record gets; absent for other actions.","type":["null","string"],"default":null}]}',
  PolicyChanged:
    '{"type":"record","name":"PolicyChanged","namespace":"holdfast.v1","doc":"The effective configuration that decisions depend on, from here on.","discriminant":"type","fields":[{"name":"version","doc":"Version that verdicts name (R42).","type":"string"},{"name":"policy","doc":"The policy.","type":{"type":"record","name":"Policy","namespace":"holdfast.v1","doc":"The effective configuration that decisions depend on. Durations in ms.","fields":[{"name":"deferTimeoutMs","doc":"How long an observation waits for evidence, ms (R8).","type":"long"},{"name":"refreshBackoffMs","doc":"How long the last good card convicts after a failed refresh, ms (R8).","type":"long"},{"name":"staleAfterMs","doc":"Silence after which an agent is asked, ms (R46).","type":"long"},{"name":"stalledAfterMs","doc":"Silence after which a unit is marked stalled, ms (R46).","type":"long"},{"name":"indeterminateAfterMs","doc":"Time without a candidate after which the operator is called, ms (R35).","type":"long"},{"name":"maxAttempts","doc":"Attempts in all, the one of the client included (R37).","type":"int"},{"name":"dispatchDeadlineMs","doc":"Time after which an unanswered redispatch is issued again, ms (R60).","type":"long"},{"name":"sendDeadlineMs","doc":"Time after which a send of unknown outcome counts as lost, ms (R52).","type":"long"},{"name":"inputRetentionMs","doc":"How long a kept input outlives the terminal state, ms (R34).","type":"long"},{"name":"retainForMs","doc":"How long a terminal record outlives its last word, ms (R56).","type":"long"},{"name":"reexaminePerSecond","doc":"Units looked at again per second and agent once it can take them (R35).","type":"double"},{"name":"trust","doc":"Whether a TaskNotFound may be terminal (R42).","type":{"type":"enum","name":"TrustMode","namespace":"holdfast.v1","doc":"Whether a TaskNotFound may be terminal (R42).","symbols":["VERIFY","HOMOGENEOUS_DURABLE"],"default":"VERIFY","words":{"VERIFY":"verify","HOMOGENEOUS_DURABLE":"homogeneous-durable"}}},{"name":"recovery","doc":"How lost tasks are recovered; absent: always inside a substitution group, else manual (R41).","type":["null",{"type":"enum","name":"Recovery","namespace":"holdfast.v1","doc":"How lost tasks are recovered (R41). A way that the reader does not know counts as manual: nothing is sent without an operator.","symbols":["OFF","MANUAL","ALWAYS"],"default":"MANUAL","words":{"OFF":"off","MANUAL":"manual","ALWAYS":"always"}}],"default":null},{"name":"contract","doc":"Whether violations are refused (R41).","type":{"type":"enum","name":"ContractMode","namespace":"holdfast.v1","doc":"Whether violations are passed on and recorded, or refused at the gateway (R41).","symbols":["OBSERVE","ENFORCE"],"default":"OBSERVE","words":{"OBSERVE":"observe","ENFORCE":"enforce"}}},{"name":"unverified","doc":"What becomes of a dispatch to an agent that was never verified (R12).","type":{"type":"enum","name":"UnverifiedMode","namespace":"holdfast.v1","doc":"What becomes of a dispatch to an agent that was never verified (R12).","symbols":["PROBE_FIRST","TRUST","REFUSE"],"default":"PROBE_FIRST","words":{"PROBE_FIRST":"probe-first","TRUST":"trust","REFUSE":"refuse"}}},{"name":"assume","doc":"States that no probe can force: verified by assumption while advertised; empty is strict (R13).","type":{"type":"array","items":{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}}},{"name":"preference","doc":"Agent IDs, most preferred first (R33).","type":{"type":"array","items":"string"}},{"name":"substitutionGroups","doc":"Agent IDs that may stand in for each other, by group; empty: none is configured (R33).","type":{"type":"array","items":{"type":"array","items":"string"}}}]}}]}',
  QueryTask:
    '{"type":"record","name":"QueryTask","namespace":"holdfast.v1","doc":"Ask an agent for a task; without a server task ID, search by the context (R32, R46, R52).","discriminant":"type","fields":[{"name":"commandId","doc":"ID of the command: an injective text of its cause (R40).","type":"string"},{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent to ask.","type":"string"},{"name":"serverTaskId","doc":"The task to ask for; absent: search by the context.","type":["null","string"],"default":null},{"name":"contextId","doc":"A2A context ID to search by.","type":["null","string"],"default":null},{"name":"reason","doc":"Why it is asked.","type":{"type":"enum","name":"QueryReason","namespace":"holdfast.v1","doc":"Why an agent is asked for a task (R29, R32, R46, R52). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["STREAM_CLOSED","SILENCE","LIVE_SIBLING","SEND_OUTCOME_UNKNOWN","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"STREAM_CLOSED":"stream-closed","SILENCE":"silence","LIVE_SIBLING":"live-sibling","SEND_OUTCOME_UNKNOWN":"send-outcome-unknown"}}},{"name":"issuedAt","doc":"Stream time of the issue, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  RedispatchTask:
    '{"type":"record","name":"RedispatchTask","namespace":"holdfast.v1","doc":"Send the input of a unit to another agent (R34). Executed only while its loss stands (R60).","discriminant":"type","fields":[{"name":"commandId","doc":"ID of the command: an injective text of its cause (R40).","type":"string"},{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The target.","type":"string"},{"name":"attempt","doc":"Number of the attempt that it begins.","type":"int"},{"name":"loss","doc":"Number of the loss it answers.","type":"int"},{"name":"lostBy","doc":"The agent that lost the unit: asked once more first (R36).","type":"string"},{"name":"lostTaskIds","doc":"Server task IDs under which it was lost.","type":{"type":"array","items":"string"}},{"name":"requiredState","doc":"The state that the target must have verified (R33).","type":{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}},{"name":"messageId","doc":"For the message that is sent: injective in attempt and record key (R34).","type":"string"},{"name":"awaits","doc":"Who has to approve it first; absent: nobody (R41).","type":["null",{"type":"enum","name":"Approver","namespace":"holdfast.v1","doc":"Who has to approve a command before it is executed (R41). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["OPERATOR","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"OPERATOR":"operator"}}],"default":null},{"name":"again","doc":"Whether it was issued before under this ID.","type":{"type":"enum","name":"Again","namespace":"holdfast.v1","doc":"Whether a command was issued before under its ID, and why it is issued again (R60). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["NO","APPROVED","UNANSWERED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"NO":"no","APPROVED":"approved","UNANSWERED":"unanswered"}}},{"name":"considered","doc":"Everybody considered, candidates first (R33).","type":{"type":"array","items":{"type":"record","name":"Considered","namespace":"holdfast.v1","doc":"An agent that was considered and what it lacks (R33).","fields":[{"name":"agentId","doc":"The agent.","type":"string"},{"name":"lacks","doc":"What it lacks, as words; empty: it is a candidate.","type":{"type":"array","items":"string"}}]}}},{"name":"issuedAt","doc":"Stream time of the issue, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  RefreshCard:
    '{"type":"record","name":"RefreshCard","namespace":"holdfast.v1","doc":"Fetch the card of an agent anew (R8). The verifier merges requests per agent.","discriminant":"type","fields":[{"name":"commandId","doc":"ID of the command: an injective text of its cause (R40).","type":"string"},{"name":"agentId","doc":"The agent.","type":"string"},{"name":"issuedAt","doc":"Stream time of the issue, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  StreamClosed:
    '{"type":"record","name":"StreamClosed","namespace":"holdfast.v1","doc":"A stream ended (R32).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent it came from.","type":"string"},{"name":"serverTaskId","doc":"Server task ID it was about; absent where none was seen.","type":["null","string"],"default":null},{"name":"clean","doc":"It was ended by the agent, not broken.","type":"boolean"}]}',
  TaskInput:
    '{"type":"record","name":"TaskInput","namespace":"holdfast.v1","doc":"What a client sent, as a redispatch sends it again (R34).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent it was first sent to.","type":"string"},{"name":"skillId","doc":"Skill asked for; absent where the request names none.","type":["null","string"],"default":null},{"name":"request","doc":"The SendMessage request as JSON, in the 1.0 shape.","type":"string"},{"name":"keptAt","doc":"When it was kept, ms since the epoch.","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
  TaskNotFoundObserved:
    '{"type":"record","name":"TaskNotFoundObserved","namespace":"holdfast.v1","doc":"The not-found of the A2A protocol itself, as an observer classified it (R25).","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that answered.","type":"string"},{"name":"serverTaskId","doc":"Server task ID that was asked about.","type":"string"},{"name":"method","doc":"A2A method name that it answered.","type":"string"},{"name":"principal","doc":"Salted hash of the stable identity that asked; absent where none was seen (R25).","type":["null","string"],"default":null},{"name":"by","doc":"Who asked.","type":{"type":"enum","name":"Asker","namespace":"holdfast.v1","doc":"Who asked: the client, or Holdfast under its service identity (R25). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["CLIENT","HOLDFAST","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"CLIENT":"client","HOLDFAST":"holdfast"}}}]}',
  TaskStateObserved:
    '{"type":"record","name":"TaskStateObserved","namespace":"holdfast.v1","doc":"A state of a task, as an agent said it.","discriminant":"type","fields":[{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that spoke.","type":"string"},{"name":"serverTaskId","doc":"Server task ID it spoke about.","type":"string"},{"name":"contextId","doc":"A2A context ID of the word; absent where it had none.","type":["null","string"],"default":null},{"name":"metadataCorrelationId","doc":"Correlation ID that the agent echoed in its lifecycle metadata (R54).","type":["null","string"],"default":null},{"name":"boundTo","doc":"Record key of the unit to which this server task ID was bound before, as the gateway knows it (R54).","type":["null","string"],"default":null},{"name":"via","doc":"The road by which the word arrived.","type":{"type":"enum","name":"Via","namespace":"holdfast.v1","doc":"The road by which a word of an agent arrived (R14). A road that the reader does not know counts as a push, which may be older than a loss (R36).","symbols":["STATUS_UPDATE","SNAPSHOT","POLL","PUSH","SEND_RESPONSE","LIST"],"default":"PUSH","words":{"STATUS_UPDATE":"status-update","SNAPSHOT":"snapshot","POLL":"poll","PUSH":"push","SEND_RESPONSE":"send-response","LIST":"list"}}},{"name":"state","doc":"The state as spelled on the wire, whatever the spelling; absent where it was absent there (R3).","type":["null","string"],"default":null},{"name":"statusTimestamp","doc":"Timestamp of the status, ms since the epoch; data, never order (R16).","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},{"name":"messageId","doc":"Message ID of the status message; absent where there was none.","type":["null","string"],"default":null},{"name":"lifecycleReason","doc":"Reason of the lifecycle metadata, where another Holdfast wrote it (R2).","type":["null","string"],"default":null}]}',
  Verdict:
    '{"type":"record","name":"Verdict","namespace":"holdfast.v1","doc":"One decision, always exactly one record: the audit trail.","discriminant":"type","fields":[{"name":"verdict","doc":"What was concluded.","type":{"type":"enum","name":"VerdictWord","namespace":"holdfast.v1","doc":"What the ledger concluded about one observation; decided: a decision without one (domain vocabulary, section 12). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["ACCEPTED","IDEMPOTENT","VIOLATION","STALE","IGNORED","DEFERRED","TERMINAL_OK","INDETERMINATE","TRUSTED_TERMINAL","QUARANTINED","DECIDED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"ACCEPTED":"accepted","IDEMPOTENT":"idempotent","VIOLATION":"violation","STALE":"stale","IGNORED":"ignored","DEFERRED":"deferred","TERMINAL_OK":"terminal-ok","INDETERMINATE":"indeterminate","TRUSTED_TERMINAL":"trusted-terminal","QUARANTINED":"quarantined","DECIDED":"decided"}}},{"name":"code","doc":"The violation, where it is one.","type":["null",{"type":"enum","name":"ViolationCode","namespace":"holdfast.v1","doc":"A breach of what an agent promised (domain vocabulary, section 12). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["STATE_NOT_ADVERTISED","STATE_NOT_VERIFIED","UNKNOWN_STATE","STATE_MISSING","TERMINAL_CHANGE","MODE_NOT_ADVERTISED","MODE_NOT_VERIFIED","MODE_NOT_ACCEPTED","MEDIA_TYPE_MALFORMED","MEDIA_TYPE_MISSING","ARTIFACT_UNKNOWN","ARTIFACT_SEALED","CORRELATION_CLAIMED","CORRELATION_REUSED","TASK_IDENTITY_CONFLICT","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"STATE_NOT_ADVERTISED":"state-not-advertised","STATE_NOT_VERIFIED":"state-not-verified","UNKNOWN_STATE":"unknown-state","STATE_MISSING":"state-missing","TERMINAL_CHANGE":"terminal-change","MODE_NOT_ADVERTISED":"mode-not-advertised","MODE_NOT_VERIFIED":"mode-not-verified","MODE_NOT_ACCEPTED":"mode-not-accepted","MEDIA_TYPE_MALFORMED":"media-type-malformed","MEDIA_TYPE_MISSING":"media-type-missing","ARTIFACT_UNKNOWN":"artifact-unknown","ARTIFACT_SEALED":"artifact-sealed","CORRELATION_CLAIMED":"correlation-claimed","CORRELATION_REUSED":"correlation-reused","TASK_IDENTITY_CONFLICT":"task-identity-conflict"}}],"default":null},{"name":"quarantine","doc":"Why the record was set aside, where it was.","type":["null",{"type":"enum","name":"QuarantineReason","namespace":"holdfast.v1","doc":"Why a record was set aside (R58, R59). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["UNDECODABLE","UNKNOWN_SCHEMA","MISROUTED","TOO_LARGE","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"UNDECODABLE":"undecodable","UNKNOWN_SCHEMA":"unknown-schema","MISROUTED":"misrouted","TOO_LARGE":"too-large"}}],"default":null},{"name":"contractError","doc":"The contract error that this decision raised, where it did (R34, R35, R37).","type":["null",{"type":"enum","name":"ContractErrorCode","namespace":"holdfast.v1","doc":"Why a lost unit cannot be redispatched (R34, R35, R37). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["NO_CAPABLE_WORKER","ATTEMPTS_EXHAUSTED","INPUT_NOT_RETAINED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"NO_CAPABLE_WORKER":"no-capable-worker","ATTEMPTS_EXHAUSTED":"attempts-exhausted","INPUT_NOT_RETAINED":"input-not-retained"}}],"default":null},{"name":"requiredState","doc":"The state a worker must have verified, with a contract error (R35).","type":["null",{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}],"default":null},{"name":"rule","doc":"The rule that decided, R….","type":"string"},{"name":"reason","doc":"In a sentence, naming agents, tasks and states as observed (R45).","type":"string"},{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit; absent where the record names none.","type":["null","string"],"default":null},{"name":"agentId","doc":"The agent that the decision is about.","type":["null","string"],"default":null},{"name":"serverTaskId","doc":"The server task that the decision is about.","type":["null","string"],"default":null},{"name":"attempt","doc":"Number of the attempt that the decision is about.","type":["null","int"],"default":null},{"name":"state","doc":"The last valid state of the unit after the decision; absent: none was seen.","type":["null","holdfast.v1.TaskState"],"default":null},{"name":"indeterminate","doc":"The unit is indeterminate after the decision (R2).","type":"boolean"},{"name":"mediaTypes","doc":"Whether the media types judged were declared or inferred (R20).","type":["null",{"type":"enum","name":"MediaTypeSource","namespace":"holdfast.v1","doc":"Whether the media types judged were declared by the agent or inferred (R20). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["DECLARED","INFERRED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"DECLARED":"declared","INFERRED":"inferred"}}],"default":null},{"name":"skillKnown","doc":"Whether the skill of the unit was known (R18).","type":["null","boolean"],"default":null},{"name":"commandIds","doc":"IDs of the commands that the decision issued.","type":{"type":"array","items":"string"}},{"name":"trigger","doc":"What made the ledger decide.","type":{"type":"enum","name":"TriggerKind","namespace":"holdfast.v1","doc":"What made the ledger decide: an observation itself, a record of the agents topic, or a due time. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["OBSERVATION","AGENTS","TIMER","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"OBSERVATION":"observation","AGENTS":"agents","TIMER":"timer"}}},{"name":"triggerOffset","doc":"Offset of the agents record that triggered it; absent for other triggers.","type":["null",{"type":"long","logicalType":"kafka-offset"}],"default":null},{"name":"timer","doc":"The timer that triggered it; absent for other triggers.","type":["null",{"type":"enum","name":"TimerName","namespace":"holdfast.v1","doc":"A timer that decides by itself. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["DEFERRAL","SILENCE","STALLED","SEND_DEADLINE","DISPATCH_DEADLINE","INDETERMINATE_MARK","REEXAMINATION","INPUT_RETENTION","RETENTION","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"DEFERRAL":"deferral","SILENCE":"silence","STALLED":"stalled","SEND_DEADLINE":"send-deadline","DISPATCH_DEADLINE":"dispatch-deadline","INDETERMINATE_MARK":"indeterminate-mark","REEXAMINATION":"reexamination","INPUT_RETENTION":"input-retention","RETENTION":"retention"}}],"default":null},{"name":"due","doc":"When that timer was due, ms since the epoch.","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},{"name":"cause","doc":"Where the observation judged lies; absent for a decision without one.","type":["null",{"type":"record","name":"Coordinates","namespace":"holdfast.v1","doc":"Where a record lies. Two reads of the same coordinates are one record (R17).","fields":[{"name":"topic","doc":"Topic name.","type":"string"},{"name":"partition","doc":"Partition number.","type":"int"},{"name":"offset","doc":"Offset in the partition.","type":{"type":"long","logicalType":"kafka-offset"}}]}],"default":null},{"name":"inputSha256","doc":"SHA-256 as hex over key, value, headers and timestamp of the observation.","type":["null","string"],"default":null},{"name":"agentsOffset","doc":"Offset up to which the agents topic was read; -1: nothing was.","type":{"type":"long","logicalType":"kafka-offset"}},{"name":"cardHash","doc":"Hash of the card in force.","type":["null","string"],"default":null},{"name":"verificationRevision","doc":"Offset of the verification in force on the agents topic.","type":["null",{"type":"long","logicalType":"kafka-offset"}],"default":null},{"name":"policyVersion","doc":"Version of the policy in force (R42).","type":"string"},{"name":"decidedAt","doc":"Stream time of the decision, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"previousDigest","doc":"SHA-256 as hex of the verdict before it in the partition; empty for the first.","type":"string"}]}',
  Violation:
    '{"type":"record","name":"Violation","namespace":"holdfast.v1","doc":"A violation or a contract error once more, for those who only want to be alerted.","discriminant":"type","fields":[{"name":"code","doc":"What it is.","type":{"type":"enum","name":"AlertCode","namespace":"holdfast.v1","doc":"A violation code or a contract error code. UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["STATE_NOT_ADVERTISED","STATE_NOT_VERIFIED","UNKNOWN_STATE","STATE_MISSING","TERMINAL_CHANGE","MODE_NOT_ADVERTISED","MODE_NOT_VERIFIED","MODE_NOT_ACCEPTED","MEDIA_TYPE_MALFORMED","MEDIA_TYPE_MISSING","ARTIFACT_UNKNOWN","ARTIFACT_SEALED","CORRELATION_CLAIMED","CORRELATION_REUSED","TASK_IDENTITY_CONFLICT","NO_CAPABLE_WORKER","ATTEMPTS_EXHAUSTED","INPUT_NOT_RETAINED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"STATE_NOT_ADVERTISED":"state-not-advertised","STATE_NOT_VERIFIED":"state-not-verified","UNKNOWN_STATE":"unknown-state","STATE_MISSING":"state-missing","TERMINAL_CHANGE":"terminal-change","MODE_NOT_ADVERTISED":"mode-not-advertised","MODE_NOT_VERIFIED":"mode-not-verified","MODE_NOT_ACCEPTED":"mode-not-accepted","MEDIA_TYPE_MALFORMED":"media-type-malformed","MEDIA_TYPE_MISSING":"media-type-missing","ARTIFACT_UNKNOWN":"artifact-unknown","ARTIFACT_SEALED":"artifact-sealed","CORRELATION_CLAIMED":"correlation-claimed","CORRELATION_REUSED":"correlation-reused","TASK_IDENTITY_CONFLICT":"task-identity-conflict","NO_CAPABLE_WORKER":"no-capable-worker","ATTEMPTS_EXHAUSTED":"attempts-exhausted","INPUT_NOT_RETAINED":"input-not-retained"}}},{"name":"tenant","doc":"Tenant of the unit; absent: none.","type":["null","string"],"default":null},{"name":"correlationId","doc":"Correlation ID of the unit: opaque, never folded or trimmed.","type":"string"},{"name":"agentId","doc":"The agent that it is about.","type":["null","string"],"default":null},{"name":"serverTaskId","doc":"The server task that it is about.","type":["null","string"],"default":null},{"name":"attempt","doc":"Number of the attempt that it is about.","type":["null","int"],"default":null},{"name":"requiredState","doc":"The state a worker must have verified, with a contract error (R35).","type":["null",{"type":"enum","name":"TaskState","namespace":"holdfast.v1","doc":"A canonical A2A task state (R1). UNRECOGNISED is what an older reader sees of a newer symbol; nobody writes it.","symbols":["SUBMITTED","WORKING","INPUT_REQUIRED","AUTH_REQUIRED","COMPLETED","FAILED","CANCELED","REJECTED","UNRECOGNISED"],"default":"UNRECOGNISED","words":{"SUBMITTED":"submitted","WORKING":"working","INPUT_REQUIRED":"input-required","AUTH_REQUIRED":"auth-required","COMPLETED":"completed","FAILED":"failed","CANCELED":"canceled","REJECTED":"rejected"}}],"default":null},{"name":"rule","doc":"The rule that decided, R….","type":"string"},{"name":"reason","doc":"In a sentence, naming agents, tasks and states as observed (R45).","type":"string"},{"name":"cause","doc":"Where the observation judged lies; absent for a decision without one.","type":["null",{"type":"record","name":"Coordinates","namespace":"holdfast.v1","doc":"Where a record lies. Two reads of the same coordinates are one record (R17).","fields":[{"name":"topic","doc":"Topic name.","type":"string"},{"name":"partition","doc":"Partition number.","type":"int"},{"name":"offset","doc":"Offset in the partition.","type":{"type":"long","logicalType":"kafka-offset"}}]}],"default":null},{"name":"decidedAt","doc":"Stream time of the decision, ms since the epoch (R16).","type":{"type":"long","logicalType":"timestamp-millis"}}]}',
};
