/** Answers about a task that is indeterminate (R2, R39, R53). */
import { own } from '../../topology/a2a/json.js';
import { readTaskState, isTerminal } from '../../topology/task/task-state.js';
import type { Gateway } from './gateway.js';
import { INDETERMINATE_STATE, indeterminateTask, taskIndeterminate, type LostTask } from './indeterminate.js';
import { isLost } from './standing.js';
import { askedTask, isStreaming, type Client, type Operation, type Reply } from './operation.js';

/** Puts a question about a task that may have been found again. */
export type AskAgain = (op: Operation) => Promise<Reply>;

/** Without `askAgain` it has been asked often enough. @throws WriteAheadError, AgentUnreachableError */
export const answerLost = async (
  op: Operation,
  lost: LostTask,
  client: Client,
  gateway: Gateway,
  askAgain: AskAgain | undefined,
): Promise<Reply> => {
  switch (op.method) {
    case 'GetTask':
      return { kind: 'result', result: indeterminateTask(lost) };
    case 'CancelTask':
      return cancelLost(op, lost, gateway, askAgain);
    case 'SubscribeToTask':
      return followLost(op, lost, client, gateway, askAgain);
    default:
      return taskIndeterminate(lost);
  }
};

/** The client's wish is final while nobody has the task: the ledger is told, and its verdict waited for (R53). */
const cancelLost = async (
  op: Operation,
  lost: LostTask,
  gateway: Gateway,
  askAgain: AskAgain | undefined,
): Promise<Reply> => {
  const { recorder, progress, identity, parts } = gateway;
  const [told] = await recorder.write([
    { type: 'CancelRequested', ...lost.unit.unit, ...(op.principal === undefined ? {} : { principal: op.principal }) },
  ]);
  const isDecided = told !== undefined && (await progress.decided(told.place, parts.settings.verdictWaitMs));
  const now = await identity.unit(lost.unit.unit);
  // Canceled, or somebody has the task again and can be told to stop.
  if (isDecided && askAgain !== undefined && now?.entry !== undefined && now.entry.loss === undefined)
    return askAgain(op);
  return taskIndeterminate(now === undefined ? lost : { ...lost, unit: now });
};

/**
 * A subscription to a lost task: first the task as it is known to be, then, once somebody has it again, the task as it is
 * there, and what follows if it has not ended. The stream stays open as long as the client wants it.
 */
const followLost = async (
  op: Operation,
  lost: LostTask,
  client: Client,
  gateway: Gateway,
  askAgain: AskAgain | undefined,
): Promise<Reply> => {
  await client.openStream().result({ task: indeterminateTask(lost) });
  const isFound = await gateway.progress.until(
    lost.unit.key,
    (entry) => entry === undefined || !isLost(entry),
    client.gone,
  );
  if (!isFound || askAgain === undefined) return { kind: 'streamed' };
  return takeUp(op, client, askAgain);
};

/** The task as it stands where it is now, and, where a stream is wanted, what follows if it has not ended. */
export const takeUp = async (op: Operation, client: Client, askAgain: AskAgain): Promise<Reply> => {
  const reply = await askAgain(aboutTask(op, 'GetTask'));
  if (reply.kind !== 'result') return reply;
  const shown = { task: reply.result };
  if (!isStreaming(op.method)) return { kind: 'result', result: shown };
  const state = stateIn(reply.result);
  // Following a lost task begins with that.
  if (state !== INDETERMINATE_STATE) await client.openStream().result(shown);
  const read = readTaskState(state);
  const isOver = read.kind === 'state' && isTerminal(read.state);
  return isOver ? { kind: 'streamed' } : askAgain(aboutTask(op, 'SubscribeToTask'));
};

/** A question of ours about the task that an operation is about. */
export const aboutTask = (op: Operation, method: 'GetTask' | 'SubscribeToTask'): Operation => {
  const { tenant } = op.read;
  const params = { ...(tenant === undefined ? {} : { tenant }), id: askedTask(op) };
  return { ...op, method, read: { ...op.read, method }, params };
};

const stateIn = (task: unknown): string | undefined => {
  const state = own(own(task, 'status'), 'state');
  return typeof state === 'string' ? state : undefined;
};
