/**
 * The words of an agent (task, status update, artifact update, message) in the three shapes of the wire: 1.0 ProtoJSON,
 * 0.3 JSON-RPC with `kind`, 0.3 HTTP+JSON with proto enum names. They agree in all field names read here, so one reader
 * does; only parts differ.
 */
import { field, id, isObject, omitAbsent, spelling, subjectId } from './json.js';
import { readLifecycle, type Lifecycle } from './lifecycle.js';
import type { Dialect } from './method.js';
import { readParts, unreadablePart, type ReadPart } from './part.js';
import { readTimestamp } from './timestamp.js';

/** Of which task a word speaks. What it does not name is absent. */
export type Speaker = {
  readonly serverTaskId?: string;
  readonly contextId?: string;
  readonly correlationId?: string;
};

/** What a status says, of a task or an update. */
export type Status = {
  /** As spelled; absent where it was absent (R3). */
  readonly state?: string;
  /** ms since the epoch; absent where missing or no RFC 3339 timestamp. */
  readonly timestamp?: number;
  readonly messageId?: string;
  readonly lifecycle: Lifecycle;
};

/** An artifact or a chunk of one. */
export type ReadArtifact = { readonly artifactId: string; readonly parts: readonly ReadPart[] };

/** A whole task as it stands (a snapshot). */
export type TaskWord = {
  readonly type: 'task';
  readonly speaker: Speaker;
  readonly status: Status;
  readonly artifacts: readonly ReadArtifact[];
};
/** A change of state. */
export type StatusWord = { readonly type: 'status-update'; readonly speaker: Speaker; readonly status: Status };
/** A chunk of an artifact. */
export type ArtifactWord = {
  readonly type: 'artifact-update';
  readonly speaker: Speaker;
  readonly artifact: ReadArtifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
};
/** A message, which is no artifact (R51). */
export type MessageWord = { readonly type: 'message'; readonly speaker: Speaker; readonly messageId?: string };
/** One of the four things that an agent can say. */
export type Word = TaskWord | StatusWord | ArtifactWord | MessageWord;

const speakerOf = (word: unknown, idField: 'id' | 'taskId', lifecycle: Lifecycle): Speaker =>
  omitAbsent({
    serverTaskId: subjectId(field(word, idField)),
    contextId: subjectId(field(word, 'contextId')),
    correlationId: lifecycle.correlationId,
  });

/** The metadata of the word itself counts before that of its status and of the status message. */
const readStatus = (word: unknown): Status => {
  const status = field(word, 'status');
  const message = field(status, 'message');
  return omitAbsent({
    state: spelling(field(status, 'state')),
    timestamp: readTimestamp(field(status, 'timestamp')),
    messageId: id(field(message, 'messageId')),
    lifecycle: readLifecycle(field(word, 'metadata'), field(status, 'metadata'), field(message, 'metadata')),
  });
};

/**
 * An artifact without a readable ID has the empty one; what is no artifact at all is one unreadable part of it, so that
 * the guard refuses it instead of never seeing it.
 */
const readArtifact = (value: unknown, dialect: Dialect): ReadArtifact => ({
  artifactId: subjectId(field(value, 'artifactId')) ?? '',
  parts: isObject(value) ? readParts(field(value, 'parts'), dialect) : [unreadablePart(value)],
});

/** Of one task: each is a record of its own. Of the rest nothing is said: nothing about it was judged. */
const MAX_ARTIFACTS = 1_000;

const readArtifacts = (artifacts: unknown, dialect: Dialect): readonly ReadArtifact[] => {
  if (artifacts === undefined) return [];
  const all: readonly unknown[] = Array.isArray(artifacts) ? artifacts : [artifacts];
  return all.slice(0, MAX_ARTIFACTS).map((one) => readArtifact(one, dialect));
};

/** A whole task, bare. `history` is what was said, not what was observed, and is not read. */
export const readTask = (task: unknown, dialect: Dialect): TaskWord => {
  const status = readStatus(task);
  return {
    type: 'task',
    speaker: speakerOf(task, 'id', status.lifecycle),
    status,
    artifacts: readArtifacts(field(task, 'artifacts'), dialect),
  };
};

/** A status update. The `final` of 0.3 ends a stream and no task, and is not read. */
export const readStatusUpdate = (update: unknown): StatusWord => {
  const status = readStatus(update);
  return { type: 'status-update', speaker: speakerOf(update, 'taskId', status.lifecycle), status };
};

/** ProtoJSON leaves out `false`: a missing `append` or `lastChunk` is one. */
export const readArtifactUpdate = (update: unknown, dialect: Dialect): ArtifactWord => ({
  type: 'artifact-update',
  speaker: speakerOf(
    update,
    'taskId',
    readLifecycle(field(update, 'metadata'), field(field(update, 'artifact'), 'metadata')),
  ),
  artifact: readArtifact(field(update, 'artifact'), dialect),
  append: field(update, 'append') === true,
  lastChunk: field(update, 'lastChunk') === true,
});

/** A message of the agent: who speaks, never what. */
export const readMessage = (message: unknown): MessageWord => ({
  type: 'message',
  speaker: speakerOf(message, 'taskId', readLifecycle(field(message, 'metadata'))),
  ...omitAbsent({ messageId: id(field(message, 'messageId')) }),
});
