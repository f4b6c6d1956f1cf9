import type { Via } from '../observation.js';
import type { WireBinding } from './exchange.js';
import { readHttpError, readRpcError, type ReadError } from './error.js';
import { field, isObject, own, parseJson, text } from './json.js';
import type { A2aMethod, Dialect } from './method.js';
import type { SseEvent } from './stream.js';
import { readArtifactUpdate, readMessage, readStatusUpdate, readTask, type Word } from './task.js';

/**
 * What the answer to an operation holds, and by which road its tasks came (R14). `task`: a bare Task. `choice`: one of
 * task, message, status update, artifact update, as in every stream event. An answer to a cancellation is asked for like
 * one to GetTask, so it is a `poll`. Operations that are not here speak of no task's life.
 */
type AnswerForm = { readonly holds: 'task' | 'choice' | 'list'; readonly via: Via };
export const ANSWERS: Readonly<Partial<Record<string, AnswerForm>>> = {
  SendMessage: { holds: 'choice', via: 'send-response' },
  SendStreamingMessage: { holds: 'choice', via: 'send-response' },
  SubscribeToTask: { holds: 'choice', via: 'snapshot' },
  GetTask: { holds: 'task', via: 'poll' },
  CancelTask: { holds: 'task', via: 'poll' },
  ListTasks: { holds: 'list', via: 'list' },
} satisfies Partial<Record<A2aMethod, AnswerForm>>;

type Reader = (value: unknown, dialect: Dialect) => Word;
const status: Reader = (update) => readStatusUpdate(update);
const message: Reader = (one) => readMessage(one);

/** 1.0 and 0.3 HTTP+JSON wrap the word in its name, 0.3 JSON-RPC tells it by `kind`; `msg` is the proto name of 0.3. */
const WRAPPERS: readonly (readonly [string, Reader])[] = [
  ['task', readTask],
  ['statusUpdate', status],
  ['artifactUpdate', readArtifactUpdate],
  ['message', message],
  ['msg', message],
];
const KINDS: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
  ['task', readTask],
  ['status-update', status],
  ['artifact-update', readArtifactUpdate],
  ['message', message],
]);

const isBareTask = (value: unknown): boolean =>
  text(field(value, 'id')) !== undefined && isObject(field(value, 'status'));

/**
 * The words of one stream event, push body or send answer. There should be one; where a body can be read in several ways
 * every reading is taken, for nobody knows which the client will take.
 */
export const readChoice = (value: unknown, dialect: Dialect): readonly Word[] => {
  if (!isObject(value)) return [];
  const byKind = KINDS.get(own(value, 'kind'));
  const bare = byKind ?? (isBareTask(value) ? readTask : undefined);
  const wrapped = WRAPPERS.flatMap(([name, read]) => {
    const inner = field(value, name);
    return isObject(inner) ? [read(inner, dialect)] : [];
  });
  return bare === undefined ? wrapped : [bare(value, dialect), ...wrapped];
};

/** A bare Task, if only its ID or its status can be told: what it lacks is the judge's business (R3). */
const readBareTask = (value: unknown, dialect: Dialect): readonly Word[] => {
  const isTask = text(field(value, 'id')) !== undefined || isObject(field(value, 'status'));
  const wrapped = field(value, 'task');
  if (isTask) return [readTask(value, dialect)];
  return isObject(wrapped) ? [readTask(wrapped, dialect)] : [];
};

/** Tasks of one list that are read; the protocol's own pages hold 100 at most. */
const MAX_LISTED = 1_000;

/** The words in the answer to an operation. */
export const readAnswer = (method: string, value: unknown, dialect: Dialect): readonly Word[] => {
  switch (ANSWERS[method]?.holds) {
    case 'task':
      return readBareTask(value, dialect);
    case 'choice':
      return readChoice(value, dialect);
    case 'list': {
      const tasks = field(value, 'tasks');
      const listed = Array.isArray(tasks) ? tasks.slice(0, MAX_LISTED).filter(isObject) : [];
      return listed.map((task) => readTask(task, dialect));
    }
    case undefined:
      return [];
  }
};

/**
 * How many tasks a list held. `undefined`: nobody knows, because it is no list, or because an empty page says that there
 * are more; "none" must not be concluded from that (R52).
 */
export const countListed = (value: unknown): number | undefined => {
  const tasks = field(value, 'tasks');
  if (!isObject(value) || (tasks !== undefined && !Array.isArray(tasks))) return undefined;
  const found = tasks?.length ?? 0;
  return found === 0 && text(field(value, 'nextPageToken')) !== undefined ? undefined : found;
};

/** A body or stream event opened: what it holds, and its error. One with both is taken at both words. */
export type Opened = { readonly value?: unknown; readonly error?: ReadError };

const openEnvelope = (body: unknown): Opened => {
  const error = own(body, 'error');
  return { value: own(body, 'result'), ...(error !== undefined && { error: readRpcError(error) }) };
};

/** JSON-RPC has its errors in the envelope, under any status; HTTP+JSON speaks of tasks under 2xx only. */
export const openBody = (binding: WireBinding, httpStatus: number, body: unknown): Opened => {
  if (binding === 'JSONRPC') return openEnvelope(body);
  return httpStatus >= 200 && httpStatus < 300 ? { value: body } : { error: readHttpError(body) };
};

/** An event of a stream; its type `error` makes it one, whatever stands in it. */
export const openEvent = (binding: WireBinding, { event, data }: SseEvent): Opened => {
  const body = parseJson(data);
  const opened = binding === 'JSONRPC' ? openEnvelope(body) : { value: body };
  if (opened.error !== undefined) return opened;
  const isError = event === 'error' || (binding === 'HTTP+JSON' && isObject(own(body, 'error')));
  return isError ? { ...opened, error: binding === 'JSONRPC' ? {} : readHttpError(body) } : opened;
};
