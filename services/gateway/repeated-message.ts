import type { SentMessage } from '../../topology/a2a/request.js';
import type { Gateway } from './gateway.js';
import type { KnownUnit } from './identity-map.js';
import { taskIndeterminate } from './indeterminate.js';
import { takeUp } from './lost-task.js';
import type { Client, Operation, Reply } from './operation.js';
import { question } from './question.js';
import { standingOf } from './standing.js';

/**
 * The client's message again, the same one (R49), about a unit that another agent took over meanwhile: while it is lost it
 * is being taken care of (R39), after that it is answered by the task that speaks for it now. Sent on, it would begin work
 * that nobody waits for. `undefined`: it is to be sent.
 */
export const answerRepeat = async (
  op: Operation,
  { messageId }: SentMessage,
  before: KnownUnit | undefined,
  client: Client,
  gateway: Gateway,
): Promise<Reply | undefined> => {
  const taskId = before?.names.taskId ?? '';
  const isRepeat = before?.entry?.attempts.some(
    ({ agentId, messageIds }) => agentId === op.agentId && messageId !== undefined && messageIds.includes(messageId),
  );
  if (before === undefined || isRepeat !== true) return undefined;
  const asked = { agentId: op.agentId, taskId, principal: op.principal };
  const standing = standingOf(before, asked, gateway.parts.contracts);
  if (standing.kind === 'lost')
    return taskIndeterminate({ unit: before, asked: taskId, agentId: standing.agentId, metAt: Date.now() });
  if (standing.kind !== 'open' || standing.target.by !== 'holdfast') return undefined;
  const about: Operation = { ...op, read: { ...op.read, serverTaskId: taskId } };
  return takeUp(about, client, (again) => question(again, client, gateway));
};
