import type { Asker, Observation } from '../observation.js';
import type { Coordinates } from '../kit/coordinates.js';
import type { ContractErrorCode, Mark, ViolationCode } from '../vocabulary.js';
import type { TaskState } from './task-state.js';

/**
 * `issued`: a redispatch was commanded and has not spoken. `bound`: sent, by a dispatch or a first word. `failed`: the
 * dispatch did not get through. `void`: its loss was left before it was bound; should it speak, it supersedes nothing (R60).
 */
export type AttemptStatus = 'issued' | 'bound' | 'failed' | 'void';

/** One dispatch of the unit to one agent. Times in ms, the ledger's own (R16). */
export type Attempt = {
  readonly number: number;
  readonly agentId: string;
  /** `seen`: first seen in flight, nobody dispatched it through us (R50). */
  readonly by: Asker | 'seen';
  readonly status: AttemptStatus;
  /** Number of the loss it answers; absent on the client's own. */
  readonly answersLoss?: number;
  readonly principal?: string;
  /** The context that the client gave it; what an agent makes up is its tasks' own. */
  readonly contextId?: string;
  readonly messageIds: readonly string[];
  readonly dispatchedAt: number;
  /** Its own last valid state; `null`: none yet. */
  readonly state: TaskState | null;
  /** The terminal state that ended it, whether or not that decided the unit (R38). */
  readonly ended: TaskState | null;
  readonly answered: boolean;
  /** Its terminal state was refused: its last word all the same (R48). */
  readonly closedByViolation: boolean;
  /** When the outcome of its send became unknown (R52). */
  readonly sendUnknownAt?: number;
  /** When a state of it was last seen, refused ones included (R55). */
  readonly seenAt?: number;
  /** Snapshots (`state@timestamp`) and news (`t:…`, `m:…`) already seen; the last hundred (R46, R47). */
  readonly seen: readonly string[];
  readonly cancelAsked: boolean;
};

/** A server task of an attempt, in order of first sight. */
export type ServerTask = {
  readonly agentId: string;
  readonly id: string;
  readonly attempt: number;
  readonly lost: boolean;
  /** The context that it answers for, once it said so (R54). */
  readonly contextId?: string;
};

/** One artifact of one attempt; bodies are not kept (R23, R24). */
export type Artifact = {
  readonly attempt: number;
  readonly artifactId: string;
  readonly mediaTypes: readonly string[];
  readonly chunks: number;
  /** Bytes. */
  readonly length: number;
  /** SHA-256 as assembled, where known. */
  readonly digest?: string;
  /** SHA-256 of the chunks it was assembled of; the last hundred. */
  readonly chunkDigests: readonly string[];
  readonly sealed: boolean;
  /** Attached after the terminal state (R22). */
  readonly late: boolean;
};

export type RedispatchOpen = {
  readonly commandId: string;
  readonly attempt: number;
  readonly agentId: string;
  /** Issued, released or issued again: what the deadline counts from. */
  readonly issuedAt: number;
  /** Waits for an operator's approval (R41). */
  readonly awaitsApproval: boolean;
};

/** The loss that the unit has not left yet, and its reconciliation pass (R29). */
export type Loss = {
  readonly number: number;
  readonly attempt: number;
  readonly agentId: string;
  readonly at: number;
  readonly requiredState: TaskState;
  /** Raised already: each at most once per loss (R34, R35). */
  readonly contractErrors: readonly ContractErrorCode[];
  readonly redispatch?: RedispatchOpen;
  /** The operator took it over: nothing is issued by itself (R61). */
  readonly held: boolean;
  /** Parked, and to be looked at again at this time (R35). */
  readonly reexamineAt?: number;
};

export type RecordedViolation = {
  readonly code: ViolationCode;
  readonly partition: number;
  readonly offset: bigint;
  readonly at: number;
};

/** An observation that waits for evidence, with all that is needed to judge it later as it would have been (R8). */
export type DeferredObservation = {
  readonly observation: Observation;
  readonly coordinates: Coordinates;
  readonly time: number;
  readonly inputSha256: string;
};

export type Deferral = {
  readonly agentId: string;
  readonly awaits: 'card' | 'verification';
  /** What was in force when the wait began. */
  readonly agentsOffset: bigint;
  readonly cardHash?: string;
  readonly until: number;
  readonly queue: readonly DeferredObservation[];
};

export type DecisionCause = 'task-not-found-trusted' | 'canceled-while-indeterminate' | 'resolved-by-operator';

/** The ledger's record of one unit of work. */
export type UnitRecord = {
  readonly tenant?: string;
  readonly correlationId: string;
  /** Whom the unit belongs to (R49). */
  readonly principal?: string;
  /** Coordinates of its first observation, `<partition>/<offset>`: makes command IDs unique over reuse of the ID. */
  readonly born: string;
  readonly skillId?: string;
  readonly acceptedOutputModes: readonly string[];
  readonly inputKept: boolean;
  readonly continues: boolean;

  /** The last valid state; `null`: none seen. */
  readonly state: TaskState | null;
  /** Attempt whose word decided; absent where the unit is open or something else decided (`cause`). */
  readonly decidedBy?: number;
  readonly cause?: DecisionCause;
  readonly terminalAt?: number;

  readonly attempts: readonly Attempt[];
  readonly serverTasks: readonly ServerTask[];
  readonly artifacts: readonly Artifact[];

  readonly losses: number;
  /** Present: the unit is indeterminate (R2). */
  readonly loss?: Loss;
  /** Agents that lost it, with the agents-topic offset read at their last loss (R33). */
  readonly lostBy: readonly { readonly agentId: string; readonly agentsOffset: bigint }[];

  readonly newsAt: number;
  /** Silence was asked about since the last news (R46). */
  readonly silenceAsked: boolean;
  readonly marks: readonly Mark[];

  readonly deferral?: Deferral;
  /** `<id hash><content hash>` of the last thousand events (R17). */
  readonly seenEvents: readonly string[];
  readonly violations: readonly RecordedViolation[];
  readonly counts: {
    readonly violations: number;
    readonly redispatches: number;
    readonly queries: number;
    readonly eventIdConflicts: number;
  };
  readonly lastWordAt: number;
  readonly inputDropped: boolean;
};

/** The phase that is shown for a unit (R2): `indeterminate` is the ledger's own. */
export const isIndeterminate = (record: UnitRecord): boolean => record.loss !== undefined;

/** The attempt that speaks for the unit: the latest one that was bound and not voided (RULES.md section 2). */
export const currentAttempt = (record: UnitRecord): Attempt | undefined =>
  record.attempts.findLast((attempt) => attempt.status === 'bound');

export const attemptNumbered = (record: UnitRecord, number: number): Attempt | undefined =>
  record.attempts.find((attempt) => attempt.number === number);

/** Numbers grow for ever: a message ID is made of one (R34), and void attempts may have been let go. */
export const nextAttemptNumber = ({ attempts }: UnitRecord): number => (attempts.at(-1)?.number ?? 0) + 1;

export const serverTasksOf = (record: UnitRecord, attempt: Attempt): readonly ServerTask[] =>
  record.serverTasks.filter((task) => task.attempt === attempt.number);

export const liveTasksOf = (record: UnitRecord, attempt: Attempt): readonly ServerTask[] =>
  serverTasksOf(record, attempt).filter((task) => !task.lost);

/** The context in which an attempt is carried on: the client's, else that of its first task. */
export const contextOf = (record: UnitRecord, attempt: Attempt): string | undefined =>
  attempt.contextId ?? serverTasksOf(record, attempt).find(({ contextId }) => contextId !== undefined)?.contextId;

/** Could still be at work: spoken to, its last word not said, not lost (R38, R48, R56). */
export const isOpen = (record: UnitRecord, attempt: Attempt): boolean =>
  (attempt.status === 'bound' || attempt.status === 'void') &&
  attempt.ended === null &&
  !attempt.answered &&
  !attempt.closedByViolation &&
  liveTasksOf(record, attempt).length > 0;

/** Why nothing more is expected although no terminal state is recorded (R48, R51). */
export const closedAs = (record: UnitRecord): 'closed-by-violation' | 'answered' | null => {
  const current = currentAttempt(record);
  if (current === undefined || record.decidedBy !== undefined || record.cause !== undefined) return null;
  if (current.answered) return 'answered';
  return current.closedByViolation ? 'closed-by-violation' : null;
};

/**
 * The artifact that stands for its ID (R24): the deciding attempt's, while undecided the current attempt's, else the
 * latest attempt's that has one. Where an earlier attempt wrote the very same content, that is the same artifact.
 */
export const canonicalArtifacts = (record: UnitRecord): readonly Artifact[] => {
  const preferred = record.decidedBy ?? currentAttempt(record)?.number;
  const byId = new Map<string, Artifact[]>();
  for (const artifact of record.artifacts)
    byId.set(artifact.artifactId, [...(byId.get(artifact.artifactId) ?? []), artifact]);
  return [...byId.values()].flatMap((versions) => {
    const ordered = versions.toSorted((a, b) => a.attempt - b.attempt);
    const chosen = ordered.find(({ attempt }) => attempt === preferred) ?? ordered.at(-1);
    const first = ordered.find(({ digest }) => digest !== undefined && digest === chosen?.digest);
    return first ?? chosen ?? [];
  });
};
