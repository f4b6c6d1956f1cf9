import { field, id, isObject } from '../../topology/a2a/json.js';
import { observe } from '../../topology/a2a/observe.js';
import { replyOf } from './agent-answer.js';
import { ArtifactDigests } from './artifact-digest.js';
import { seenCorrelation } from './correlation.js';
import { clientHeaders } from './forwarded-headers.js';
import type { Gateway } from './gateway.js';
import { mayAsk, type KnownUnit } from './identity-map.js';
import type { Operation, Reply } from './operation.js';
import { unitNamedIn } from './recorder.js';
import { ask } from './relay.js';

/**
 * The tasks of one agent, as it lists them to the client. Each is said to be about its own unit, and shown under that
 * unit's public names. @throws WriteAheadError, AgentUnreachableError
 */
export const listTasks = async (op: Operation, gateway: Gateway): Promise<Reply> => {
  const { agentId, params, principal } = op;
  const { tenant } = op.read;
  const { exchange, headers } = await ask(op, { agentId, params, headers: clientHeaders(op.headers) }, gateway);
  const { answer } = exchange;
  const units = new Map<string, KnownUnit>();
  for (const id of 'body' in answer ? listedIds(answer.body) : []) {
    const unit = await gateway.identity.unitOfTask(agentId, tenant, id, principal);
    if (unit !== undefined) units.set(id, unit);
  }
  const nobody = { correlationId: '', ...(tenant === undefined ? {} : { tenant }) };
  const asker = { by: 'client' as const, ...(principal === undefined ? {} : { principal }) };
  const said = observe(exchange, nobody, agentId, asker).flatMap((one) => {
    // What the list is as a whole belongs to no unit.
    if (one.type !== 'TaskStateObserved' && one.type !== 'ArtifactObserved') return [];
    const { serverTaskId } = one;
    const guess = { ...nobody, correlationId: seenCorrelation(agentId, tenant, serverTaskId) };
    return [{ ...one, ...(units.get(serverTaskId)?.unit ?? unitNamedIn([one], guess)) }];
  });
  await gateway.recorder.heard(said, new ArtifactDigests());
  const namesOf = (id: string) => {
    const unit = units.get(id);
    return unit !== undefined && mayAsk(unit, principal) ? unit.names : undefined;
  };
  return { ...replyOf(op.method, { agentId, namesOf }, answer), headers };
};

const listedIds = (body: unknown): readonly string[] => {
  const tasks = field(field(body, 'result'), 'tasks');
  return Array.isArray(tasks) ? tasks.filter(isObject).flatMap((task) => id(field(task, 'id')) ?? []) : [];
};
