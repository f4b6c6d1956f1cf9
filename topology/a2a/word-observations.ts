import type { ArtifactObserved, Asker, ExchangeObserved, TaskStateObserved, Via } from '../observation.js';
import { isTerminal, readTaskState } from '../task/task-state.js';
import type { BodyAnswer, StreamAnswer, WireArtifact, WireBinding, WireObservation } from './exchange.js';
import { isOverlong, omitAbsent } from './json.js';
import { isSend, type Dialect } from './method.js';
import type { ReadError } from './error.js';
import type { ReadArtifact, Speaker, Status, TaskWord, Word } from './task.js';

/** The unit that an exchange is about, as its observer knows it. */
export type UnitOfWork = { readonly tenant?: string; readonly correlationId: string };

/** Who asked, and the hash of the identity under which (R25). */
export type AskedBy = { readonly by: Asker; readonly principal?: string };

/** What every observation of an exchange has in common. */
export type Witness = {
  readonly unit: UnitOfWork;
  readonly agentId: string;
  readonly asker: AskedBy;
  readonly binding: WireBinding;
  readonly dialect: Dialect;
  readonly method: string;
};

/** A word, the task it is taken to be about, and the road it came by. */
type Heard = { readonly speaker: Speaker; readonly serverTaskId: string; readonly via: Via };

const spoken = ({ unit, agentId }: Witness, { speaker, serverTaskId, via }: Heard) => ({
  ...unit,
  agentId,
  serverTaskId,
  via,
  ...omitAbsent({ contextId: speaker.contextId, metadataCorrelationId: speaker.correlationId }),
});

const stateObserved = (witness: Witness, heard: Heard, status: Status): TaskStateObserved => ({
  type: 'TaskStateObserved',
  ...spoken(witness, heard),
  ...omitAbsent({
    state: status.state,
    statusTimestamp: status.timestamp,
    messageId: status.messageId,
    lifecycleReason: status.lifecycle.phase,
  }),
});

type Chunk = Pick<ArtifactObserved, 'append' | 'lastChunk'>;

const artifactObserved = (witness: Witness, heard: Heard, artifact: ReadArtifact, chunk: Chunk): WireArtifact => ({
  type: 'ArtifactObserved',
  ...spoken(witness, heard),
  artifactId: artifact.artifactId,
  append: chunk.append,
  lastChunk: chunk.lastChunk,
  parts: artifact.parts.map(({ part }) => part),
  chunks: 1,
  content: artifact.parts.map(({ content }) => content),
});

/** The wire marks no chunk of a snapshot as the last, also of a finished task: a late chunk may still follow (R22). */
const WHOLE: Chunk = { append: false, lastChunk: false };

/**
 * A snapshot says state and artifacts at once, but the log has an order. Artifacts of a terminal snapshot come before
 * its state: behind it they would be judged as late (R22), which was our ordering and not the agent's. Otherwise the
 * state comes first: it says that the task lives (R36), and what it holds is judged by that.
 */
const taskObserved = (witness: Witness, heard: Heard, { status, artifacts }: TaskWord): readonly WireObservation[] => {
  const state = stateObserved(witness, heard, status);
  const emitted = artifacts.map((artifact) => artifactObserved(witness, heard, artifact, WHOLE));
  const read = readTaskState(status.state);
  return read.kind === 'state' && isTerminal(read.state) ? [...emitted, state] : [state, ...emitted];
};

/** The task that a word names, to say more of; none whose ID is too long to be one. */
export const taskNamedBy = ({ speaker: { serverTaskId } }: Word): string | undefined =>
  serverTaskId === undefined || isOverlong(serverTaskId) ? undefined : serverTaskId;

/**
 * What a word says. `about`: the task that was asked about or that the stream is about, for a word that names none;
 * without either the word is about nothing and says nothing. A Message closes an attempt only where it is the answer to
 * a dispatch and no task is in sight (R51): in the course of a task it is conversation, and no observation.
 */
export const observeWord = (
  witness: Witness,
  word: Word,
  via: Via,
  about: string | undefined,
): readonly WireObservation[] => {
  const { speaker } = word;
  const serverTaskId = speaker.serverTaskId ?? about;
  if (word.type === 'message') {
    if (serverTaskId !== undefined || !isSend(witness.method)) return [];
    const { messageId } = word;
    const ids = omitAbsent({ messageId, contextId: speaker.contextId });
    return [{ type: 'MessageObserved', ...witness.unit, agentId: witness.agentId, ...ids }];
  }
  // A dispatch that is answered by what is no ID left none (R52); a question is answered by a word about another task.
  if (serverTaskId === undefined || (about === undefined && isOverlong(serverTaskId))) return [];
  const heard: Heard = { speaker, serverTaskId, via };
  switch (word.type) {
    case 'task':
      return taskObserved(witness, heard, word);
    case 'status-update':
      return [stateObserved(witness, heard, word.status)];
    case 'artifact-update':
      return [artifactObserved(witness, heard, word.artifact, word)];
  }
};

type AnswerHead = Pick<BodyAnswer | StreamAnswer, 'status' | 'contentType' | 'error'>;

/**
 * An error beside words of the same answer is not the whole of it: the words stand, the task that they name may live on,
 * and it was not the task that a dispatch asked about. So it is no TaskNotFound (R25).
 */
export const besideWords = (answer: AnswerHead): AnswerHead => ({
  ...answer,
  error: answer.error ?? 'error-beside-words',
});

type Answered = {
  readonly serverTaskId?: string | undefined;
  readonly answer: AnswerHead;
  readonly readError?: ReadError | undefined;
  readonly found?: number | undefined;
};

/** The exchange itself, for the decider to say what it means (R25, R52). */
export const exchangeObserved = (
  { unit, agentId, asker, binding, method }: Witness,
  { serverTaskId, answer, readError, found }: Answered,
): ExchangeObserved => ({
  type: 'ExchangeObserved',
  ...unit,
  agentId,
  binding,
  method,
  httpStatus: answer.status,
  by: asker.by,
  ...omitAbsent({
    serverTaskId,
    contentType: answer.contentType,
    rpcErrorCode: readError?.rpcErrorCode,
    reason: readError?.reason,
    error: answer.error,
    found,
    principal: asker.principal,
  }),
});
