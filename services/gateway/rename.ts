/**
 * A client knows its unit by the first task ID and context ID that it was given, whoever works at it now. Here these IDs
 * are exchanged where they are IDs of the protocol, and nowhere else: never in texts, metadata, artifacts or the IDs of
 * other things (messages, push configurations).
 */
import { field, isObject, own, text, type JsonObject } from '../../topology/a2a/json.js';
import type { A2aMethod } from '../../topology/a2a/method.js';
import type { PublicNames, Target } from './unit-target.js';

/** The public names of the unit that a server task belongs to; `undefined`: its IDs stay. */
export type NamesOf = (serverTaskId: string) => PublicNames | undefined;

type Swap = (value: unknown) => unknown;
type Swaps = Readonly<Record<string, Swap>>;
type IdSwaps = { readonly task: Swap; readonly context: Swap };

const swapping =
  (from: string | undefined, to: string | undefined): Swap =>
  (value) =>
    to !== undefined && value === from ? to : value;

/** ProtoJSON may spell a field by its proto name: both are read by clients, so both are written. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The object with some of its fields exchanged, in its own order. What is no object stays. */
const withFields = (value: unknown, swaps: Swaps): unknown => (isObject(value) ? swapped(value, swaps) : value);

const swapped = (value: JsonObject, swaps: Swaps): JsonObject => {
  const both: Swaps = Object.fromEntries(
    Object.entries(swaps).flatMap(([name, swap]) => [
      [name, swap],
      [snake(name), swap],
    ]),
  );
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const swap = Object.hasOwn(both, name) ? both[name] : undefined;
      return [name, swap === undefined ? inner : swap(inner)];
    }),
  );
};

const inEach =
  (swap: Swap): Swap =>
  (value) =>
    Array.isArray(value) ? value.map(swap) : value;

const message = ({ task, context }: IdSwaps): Swap => {
  const swaps = { taskId: task, contextId: context, referenceTaskIds: inEach(task) };
  return (value) => withFields(value, swaps);
};
const status = (ids: IdSwaps): Swap => {
  const swaps = { message: message(ids) };
  return (value) => withFields(value, swaps);
};

/** What of a word is exchanged, by the field that names its task. */
const WORDS = {
  id: (ids: IdSwaps): Swaps => ({
    id: ids.task,
    contextId: ids.context,
    status: status(ids),
    history: inEach(message(ids)),
  }),
  taskId: (ids: IdSwaps): Swaps => ({
    taskId: ids.task,
    contextId: ids.context,
    status: status(ids),
    referenceTaskIds: inEach(ids.task),
  }),
} as const;

/** A task (`id`), or an update, message or push configuration (`taskId`), under its public names. */
const renamed =
  (idField: keyof typeof WORDS, namesOf: NamesOf): Swap =>
  (word) => {
    const serverTaskId = text(field(word, idField));
    const names = serverTaskId === undefined ? undefined : namesOf(serverTaskId);
    if (names === undefined) return word;
    const ids: IdSwaps = {
      task: swapping(serverTaskId, names.taskId),
      context: swapping(text(field(word, 'contextId')), names.contextId),
    };
    return withFields(word, WORDS[idField](ids));
  };

const isBareTask = (value: unknown): boolean => isObject(own(value, 'status')) && text(own(value, 'id')) !== undefined;

/** One of task, message, status update, artifact update, in its wrapper or bare. */
const choice = (value: unknown, namesOf: NamesOf): unknown => {
  if (isBareTask(value)) return renamed('id', namesOf)(value);
  const update = renamed('taskId', namesOf);
  return withFields(value, {
    task: renamed('id', namesOf),
    statusUpdate: update,
    artifactUpdate: update,
    message: update,
  });
};

/** The answer to an operation, or one event of its stream, under public names. */
export const renameAnswer = (method: A2aMethod, result: unknown, namesOf: NamesOf): unknown => {
  switch (method) {
    case 'ListTasks':
      return withFields(result, { tasks: inEach(renamed('id', namesOf)) });
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return renamed('taskId', namesOf)(result);
    case 'ListTaskPushNotificationConfigs':
      return withFields(result, { configs: inEach(renamed('taskId', namesOf)) });
    case 'DeleteTaskPushNotificationConfig':
    case 'GetExtendedAgentCard':
      return result;
    default:
      return choice(result, namesOf);
  }
};

/**
 * A request put to the task that speaks for the unit now. The context goes with the task: where its own is not known yet
 * it is left out, and the agent takes the task's (SPEC section 3.4.3).
 */
export const addressRequest = (
  { method, params }: { readonly method: A2aMethod; readonly params: JsonObject },
  asked: string,
  names: PublicNames,
  target: Target,
): JsonObject => {
  if (target.serverTaskId === asked) return params;
  const task: Swap = (value) => (value === asked || value === names.taskId ? target.serverTaskId : value);
  const context: Swap = (value) =>
    names.contextId === undefined || value === names.contextId ? target.contextId : value;
  switch (method) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return swapped(params, {
        message: (value) => withFields(value, { taskId: task, contextId: context, referenceTaskIds: inEach(task) }),
      });
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask':
      return swapped(params, { id: task });
    default:
      return swapped(params, { taskId: task });
  }
};
