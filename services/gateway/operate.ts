import { dispatch } from './dispatch.js';
import { clientHeaders } from './forwarded-headers.js';
import type { Gateway } from './gateway.js';
import { listTasks } from './list-tasks.js';
import type { Client, Operation, Reply } from './operation.js';
import { question } from './question.js';
import { INVALID_PARAMS, refused } from './refusal.js';
import { relay } from './relay.js';

/**
 * What the gateway does with an operation, whatever binding it came by.
 * @throws WriteAheadError, AgentUnreachableError: `failureOf` says what the client is told
 */
export const operate = async (op: Operation, client: Client, gateway: Gateway): Promise<Reply> => {
  switch (op.method) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return op.read.serverTaskId === undefined
        ? gateway.dispatches.share(op, client, (all) => dispatch(op, all, gateway))
        : question(op, client, gateway);
    case 'ListTasks':
      return listTasks(op, gateway);
    case 'GetExtendedAgentCard':
      return extendedCard(op, client, gateway);
    default:
      return op.read.serverTaskId === undefined
        ? refused(INVALID_PARAMS, 'the request names no task')
        : question(op, client, gateway);
  }
};

/** As the agent's public card: what it offers is offered at the gateway. */
const extendedCard = async (op: Operation, client: Client, gateway: Gateway): Promise<Reply> => {
  const { reply } = await relay(
    op,
    {
      agentId: op.agentId,
      asker: { by: 'client' },
      params: op.params,
      headers: clientHeaders(op.headers),
      namesOf: () => undefined,
    },
    client,
    gateway,
  );
  return reply.kind === 'result'
    ? { ...reply, result: gateway.parts.agents.atGateway(op.agentId, reply.result) }
    : reply;
};
