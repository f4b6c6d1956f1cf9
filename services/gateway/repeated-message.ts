import { recoveryOf } from '../../topology/reconciliation/candidates.js';
import type { SentMessage } from '../../topology/a2a/request.js';
import type { Gateway } from './gateway.js';
import { mayAsk, type KnownUnit } from './identity-map.js';
import { taskIndeterminate } from './indeterminate.js';
import { takeUp } from './lost-task.js';
import type { Client, Operation, Reply } from './operation.js';
import { question } from './question.js';
import { isNotFound } from './refusal.js';
import { standingOf } from './standing.js';

/**
 * The client's message again, the same one, about a unit of which a task is known (R49): while the task is lost it is being
 * taken care of (R39), else it is answered by the task that speaks for the unit now. Sent on, it would begin work that
 * nobody waits for. `undefined`: it is to be sent.
 */
export const answerRepeat = async (
  op: Operation,
  { messageId }: SentMessage,
  before: KnownUnit | undefined,
  client: Client,
  gateway: Gateway,
): Promise<Reply | undefined> => {
  const isRepeat = before?.sent.some((one) => one.agentId === op.agentId && one.messageId === messageId);
  if (before === undefined || isRepeat !== true || !mayAsk(before, op.principal)) return undefined;
  const { contracts } = gateway.parts;
  const taskId = before.names.taskId ?? '';
  const standing = standingOf(before, { agentId: op.agentId, taskId, principal: op.principal }, contracts);
  if (standing.kind === 'lost')
    return taskIndeterminate({ unit: before, asked: taskId, agentId: standing.agentId, metAt: Date.now() });
  // What an agent has forgotten, and nobody looks after, the client can only send again.
  if (taskId === '' || recoveryOf(contracts.current, op.agentId) === 'off') return undefined;
  const about: Operation = { ...op, read: { ...op.read, serverTaskId: taskId } };
  const reply = await takeUp(about, client, (again) => question(again, client, gateway));
  return reply.kind === 'error' && isNotFound(reply.error) ? undefined : reply;
};
