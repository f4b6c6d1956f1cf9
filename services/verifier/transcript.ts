import { createHash } from 'node:crypto';
import type { WireArtifact, WireObservation } from '../../topology/a2a/exchange.js';
import { isRefused, isTaskNotFound } from '../../topology/a2a/not-found.js';
import type { PartContent } from '../../topology/a2a/part.js';
import { mediaTypeOf } from '../../topology/artifact/output-modes.js';
import type { ExchangeObserved, TaskStateObserved } from '../../topology/observation.js';
import { readTaskState, STATE_CLASS, type TaskState } from '../../topology/task/task-state.js';

/** An artifact as it stands, as far as two views of it are compared. */
type Artifact = { readonly mediaTypes: readonly string[]; readonly content: readonly PartContent[] };

/** A state as the agent said it: the same state with the same timestamp is the same snapshot (R47). */
type Said = { readonly state: TaskState; readonly timestamp?: number };

/** Where the task stood, and whether a fresh client view showed the same (R9, R43). */
export type Check = { readonly state: TaskState; readonly found: 'same' | 'different' | 'not-found' };

/**
 * How it ended. `settled`: the task came to where it ends or asks for what is not given. `lost`: the agent does not know it
 * any more. `message`: it was answered without a task (R51). `refused`: the agent did not take it. `unfinished`: nobody
 * knows. `unreached`: nothing was begun.
 */
export type End = 'settled' | 'lost' | 'message' | 'refused' | 'unfinished' | 'unreached';

/** What was seen of one canary task. A value: what is heard makes a new one. */
export type Transcript = {
  readonly taskId?: string;
  readonly contextId?: string;
  /** Every state that was seen, by whatever road, in order. */
  readonly states: readonly TaskState[];
  /** Media types of the parts that were seen. */
  readonly emitted: readonly string[];
  /** Where the task stands. */
  readonly said?: Said;
  readonly artifacts: ReadonlyMap<string, Artifact>;
  /** The snapshot that was answered: a stream repeats it first, and that is no news (R47). */
  readonly answered?: Said;
  readonly checks: readonly Check[];
  readonly end?: End;
  /** What the last exchange without a task said, for people. */
  readonly trouble?: string;
};

export const BLANK: Transcript = { states: [], emitted: [], artifacts: new Map(), checks: [] };

/** Whether the task waits or has ended: nothing more comes by itself. */
export const isSettled = ({ said }: Transcript): boolean => said !== undefined && STATE_CLASS[said.state] !== 'active';

/** Adds what one observation says. Words of other tasks than the canary's say nothing about it. */
export const hear = (transcript: Transcript, seen: WireObservation): Transcript => {
  switch (seen.type) {
    case 'TaskStateObserved':
      return isOurs(transcript, seen) ? hearState(bound(transcript, seen), seen) : transcript;
    case 'ArtifactObserved':
      return isOurs(transcript, seen) ? hearArtifact(bound(transcript, seen), seen) : transcript;
    case 'MessageObserved':
      return transcript.taskId === undefined ? { ...transcript, end: 'message' } : transcript;
    case 'ExchangeObserved':
      return hearTrouble(transcript, seen);
    case 'StreamClosed':
      return transcript;
  }
};

export const hearAll = (transcript: Transcript, seen: readonly WireObservation[]): Transcript =>
  seen.reduce(hear, transcript);

/** From here on the agent has been answered: where it stood before is not where it stands. */
export const answering = ({ said, ...transcript }: Transcript): Transcript => ({
  ...transcript,
  ...(said === undefined ? {} : { answered: said }),
});

/** Compares where the task stands with what a client sees that knows nothing of it (R43). */
export const compareViews = (known: Transcript, fresh: readonly WireObservation[]): Check['found'] | 'unclear' => {
  if (fresh.some((seen) => seen.type === 'ExchangeObserved' && isTaskNotFound(seen))) return 'not-found';
  const view = hearAll({ ...BLANK, ...(known.taskId === undefined ? {} : { taskId: known.taskId }) }, fresh);
  if (view.said === undefined) return 'unclear';
  // More than was streamed may be there: a stream that was left early did not say all. Less or other may not.
  const held = [...known.artifacts].every(([id, artifact]) => digestOf(view.artifacts.get(id)) === digestOf(artifact));
  return view.said.state === known.said?.state && held ? 'same' : 'different';
};

type Spoken = TaskStateObserved | WireArtifact;

const isOurs = ({ taskId }: Transcript, { serverTaskId }: Spoken): boolean =>
  taskId === undefined || taskId === serverTaskId;

const bound = (transcript: Transcript, { serverTaskId, contextId }: Spoken): Transcript => ({
  ...transcript,
  taskId: serverTaskId,
  ...(contextId === undefined ? {} : { contextId }),
});

const hearState = (transcript: Transcript, seen: TaskStateObserved): Transcript => {
  const read = readTaskState(seen.state);
  if (read.kind !== 'state') return transcript;
  const said: Said = {
    state: read.state,
    ...(seen.statusTimestamp === undefined ? {} : { timestamp: seen.statusTimestamp }),
  };
  const { answered, said: before, states, ...rest } = transcript;
  if (before === undefined && answered?.state === said.state && answered.timestamp === said.timestamp)
    return transcript;
  return { ...rest, said, states: states.at(-1) === said.state ? states : [...states, said.state] };
};

const hearArtifact = (transcript: Transcript, seen: WireArtifact): Transcript => {
  const mediaTypes = seen.parts.map(mediaTypeOf);
  const before = seen.append ? transcript.artifacts.get(seen.artifactId) : undefined;
  const artifact: Artifact = {
    mediaTypes: [...(before?.mediaTypes ?? []), ...mediaTypes],
    content: [...(before?.content ?? []), ...seen.content],
  };
  return {
    ...transcript,
    emitted: [...new Set([...transcript.emitted, ...mediaTypes])],
    artifacts: new Map([...transcript.artifacts, [seen.artifactId, artifact]]),
  };
};

const hearTrouble = (transcript: Transcript, seen: ExchangeObserved): Transcript => {
  const { httpStatus, error, rpcErrorCode, reason } = seen;
  const said = error ?? reason ?? (rpcErrorCode === undefined ? undefined : `error ${rpcErrorCode}`);
  const trouble = said ?? `HTTP ${httpStatus}`;
  if (transcript.taskId !== undefined) return { ...transcript, trouble };
  if (isRefused(seen)) return { ...transcript, trouble, end: 'refused' };
  return { ...transcript, trouble, end: httpStatus === 0 && error === 'refused' ? 'unreached' : 'unfinished' };
};

/** Over the bytes as assembled, so that chunks and the whole agree (R21), and the types that they were declared as. */
const digestOf = (artifact: Artifact | undefined): string | undefined => {
  if (artifact === undefined) return undefined;
  const hash = createHash('sha256').update(JSON.stringify([...new Set(artifact.mediaTypes)]));
  for (const { encoding, body } of artifact.content) hash.update(Buffer.from(body, encoding));
  return hash.digest('hex');
};
