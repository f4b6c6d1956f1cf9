/**
 * A TaskNotFound that counts for nothing: beside words of the same answer, in the middle of a stream, to a question about
 * push configurations (R25). To the client it would mean that its task is lost, so it is not passed on as long as the task
 * may live (R39): the task itself is asked for, under the client's own identity, and that answer counts.
 */
import { recoveryOf } from '../../topology/reconciliation/candidates.js';
import { closedAs } from '../../topology/task/unit.js';
import { isTerminal } from '../../topology/task/task-state.js';
import type { Gateway } from './gateway.js';
import { mayAsk, type KnownUnit } from './identity-map.js';
import { taskIndeterminate } from './indeterminate.js';
import { aboutTask, takeUp, type AskAgain } from './lost-task.js';
import { askedTask, isAboutPush, isStreaming, type Client, type Operation, type Reply } from './operation.js';
import { INTERNAL_ERROR, isNotFound, tryAgain } from './refusal.js';
import { isLost } from './standing.js';

/** Whether a reply that nothing was concluded from is a TaskNotFound of a task that may live, to the one whose it is. */
export const isDoubtful = (op: Operation, reply: Reply, unit: KnownUnit | undefined, gateway: Gateway): boolean => {
  if (reply.kind !== 'error' || !isNotFound(reply.error)) return false;
  if (unit === undefined || !mayAsk(unit, op.principal)) return false;
  if (recoveryOf(gateway.parts.contracts.current, op.agentId) === 'off') return false;
  const { entry } = unit;
  return entry === undefined || !(isTerminal(entry.state) || closedAs(entry) !== null);
};

/** Without `askAgain` it has been asked often enough. @throws WriteAheadError, AgentUnreachableError */
export const settleDoubt = async (
  op: Operation,
  doubted: Reply,
  unit: KnownUnit,
  client: Client,
  gateway: Gateway,
  askAgain: AskAgain | undefined,
): Promise<Reply> => {
  if (askAgain === undefined) return contradiction(op.agentId);
  if (isStreaming(op.method) || isDispatch(op)) return takeUp(op, client, askAgain);
  const task = await askAgain(aboutTask(op, 'GetTask'));
  if (op.method === 'GetTask' || task.kind !== 'result') return task;
  const now = (await gateway.identity.unit(unit.unit)) ?? unit;
  if (now.entry !== undefined && isLost(now.entry))
    return taskIndeterminate({ unit: now, asked: askedTask(op), agentId: op.agentId, metAt: Date.now() });
  // The task is there: it is the configuration that is not.
  return isAboutPush(op.method) ? doubted : contradiction(op.agentId);
};

/** The message began the task; what the agent said of it can be had again. */
const isDispatch = ({ method, read }: Operation): boolean =>
  method === 'SendMessage' && read.message?.serverTaskId === undefined;

const contradiction = (agentId: string): Reply =>
  tryAgain(
    INTERNAL_ERROR,
    'AGENT_CONTRADICTS_ITSELF',
    `agent ${agentId} says that it has no such task, and that it has`,
    {
      status: 502,
    },
  );
