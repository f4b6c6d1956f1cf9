/** Answers about a task that is indeterminate (R2, R39, R53). */
import { own } from '../../topology/a2a/json.js';
import { readTaskState, isTerminal } from '../../topology/task/task-state.js';
import type { Gateway } from './gateway.js';
import { indeterminateTask, taskIndeterminate, type LostTask } from './indeterminate.js';
import { askedTask, type Client, type Operation, type Reply } from './operation.js';

/** Asks again, once the task is not lost any more. */
export type AskAgain = (op: Operation, client: Client, gateway: Gateway) => Promise<Reply>;

/** @throws WriteAheadError, AgentUnroutableError */
export const answerLost = async (
  op: Operation,
  lost: LostTask,
  client: Client,
  gateway: Gateway,
  askAgain: AskAgain,
): Promise<Reply> => {
  switch (op.method) {
    case 'GetTask':
      return { kind: 'result', result: indeterminateTask(lost) };
    case 'CancelTask':
      return cancelLost(op, lost, client, gateway, askAgain);
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
  client: Client,
  gateway: Gateway,
  askAgain: AskAgain,
): Promise<Reply> => {
  const { recorder, progress, identity, parts } = gateway;
  const [told] = await recorder.write([
    { type: 'CancelRequested', ...lost.unit.unit, ...(op.principal === undefined ? {} : { principal: op.principal }) },
  ]);
  if (told !== undefined) await progress.decided(told.place, parts.settings.verdictWaitMs);
  const now = await identity.unit(lost.unit.unit);
  // Canceled, or somebody has the task again and can be told to stop.
  if (now?.entry !== undefined && now.entry.loss === undefined) return askAgain(op, client, gateway);
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
  askAgain: AskAgain,
): Promise<Reply> => {
  const sink = client.openStream();
  await sink.result({ task: indeterminateTask(lost) });
  const isFound = await gateway.progress.until(
    lost.unit.key,
    (entry) => entry === undefined || entry.loss === undefined,
    client.gone,
  );
  if (!isFound) return { kind: 'streamed' };
  const question: Operation = { ...op, method: 'GetTask', read: { ...op.read, method: 'GetTask' } };
  const reply = await askAgain({ ...question, params: { ...tenantOf(op), id: askedTask(op) } }, client, gateway);
  if (reply.kind !== 'result') return reply;
  await sink.result({ task: reply.result });
  const read = readTaskState(stateIn(reply.result));
  return read.kind === 'state' && isTerminal(read.state) ? { kind: 'streamed' } : askAgain(op, client, gateway);
};

const tenantOf = ({ read: { tenant } }: Operation) => (tenant === undefined ? {} : { tenant });

const stateIn = (task: unknown): string | undefined => {
  const state = own(own(task, 'status'), 'state');
  return typeof state === 'string' ? state : undefined;
};
