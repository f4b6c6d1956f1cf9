/** What a client asks about a task that it has, or says to it. The task may be somebody else's by now, or lost. */
import { clientHeaders, harmlessHeaders } from './forwarded-headers.js';
import { seenCorrelation } from './correlation.js';
import { isDoubtful, settleDoubt } from './doubt.js';
import type { Gateway } from './gateway.js';
import type { KnownUnit } from './identity-map.js';
import { decidedTask, type LostTask } from './indeterminate.js';
import { answerLost } from './lost-task.js';
import { askedTask, isAboutPush, type Client, type Operation, type Reply } from './operation.js';
import { protocolError, TASK_NOT_CANCELABLE, UNSUPPORTED_OPERATION } from './refusal.js';
import type { Leg } from './leg.js';
import { relay } from './relay.js';
import { addressRequest } from './rename.js';
import { afterNotFound, standingOf, type Standing } from './standing.js';
import type { Target } from './unit-target.js';

/** A task can move while it is asked for. Each round follows it once; a client that is told "not now" asks again. */
const ROUNDS = 3;

/**
 * Puts a question to whoever speaks for the task now, and answers what no agent can. A TaskNotFound reaches the client only
 * where it is the whole truth: otherwise the ledger decides first what it means (R25, R39).
 * @throws WriteAheadError, AgentUnreachableError
 */
export const question = (op: Operation, client: Client, gateway: Gateway): Promise<Reply> =>
  inRounds(op, client, gateway, ROUNDS);

const inRounds = async (op: Operation, client: Client, gateway: Gateway, rounds: number): Promise<Reply> => {
  const { contracts, settings } = gateway.parts;
  const asked = { agentId: op.agentId, taskId: askedTask(op), principal: op.principal };
  const find = () => gateway.identity.unitOfTask(op.agentId, op.read.tenant, asked.taskId, op.principal);
  const answer = (lost: LostTask, left: number): Promise<Reply> =>
    answerLost(op, lost, client, gateway, left > 1 ? (again) => inRounds(again, client, gateway, left - 1) : undefined);
  for (let left = rounds; ; left -= 1) {
    const unit = await find();
    const standing = standingOf(unit, asked, contracts);
    if (unit !== undefined && standing.kind === 'lost')
      return answer({ unit, asked: asked.taskId, agentId: standing.agentId, metAt: Date.now() }, left);
    if (unit !== undefined && standing.kind === 'decided') return answerDecided(op, unit, standing, asked.taskId);
    const target = standing.kind === 'open' ? standing.target : hereOf(op);
    const leg = legTo(op, target, standing.kind === 'open' ? unit : undefined, gateway);
    const { reply, lost } = await relay(op, leg, client, gateway);
    if (lost === undefined) {
      if (unit === undefined || !isDoubtful(op, reply, unit, gateway)) return reply;
      const again = left > 1 ? (other: Operation) => inRounds(other, client, gateway, left - 1) : undefined;
      return settleDoubt(op, reply, unit, client, gateway, again);
    }
    await gateway.progress.decided(lost, settings.verdictWaitMs);
    const now = await find();
    const outcome = afterNotFound(now, asked, target, contracts);
    if (outcome === 'passed' || now === undefined) return reply;
    if (outcome === 'lost' || left <= 1)
      return answer({ unit: now, asked: asked.taskId, agentId: target.agentId, metAt: Date.now() }, left);
  }
};

const hereOf = (op: Operation): Target => ({ agentId: op.agentId, serverTaskId: askedTask(op), by: 'client' });

/** A unit that is the client's is asked for under its public names; anything else as the client put it. */
const legTo = (op: Operation, target: Target, unit: KnownUnit | undefined, gateway: Gateway): Leg => {
  const asked = askedTask(op);
  const { tenant } = op.read;
  const own = target.by === 'client' && target.agentId === op.agentId;
  const named = unit?.unit ?? {
    correlationId: seenCorrelation(op.agentId, tenant, asked),
    ...(tenant === undefined ? {} : { tenant }),
  };
  return {
    // What is said of push configurations says nothing of the task.
    ...(isAboutPush(op.method) ? {} : { unit: named, guessed: unit === undefined }),
    agentId: target.agentId,
    asker:
      target.by === 'holdfast'
        ? { by: 'holdfast' }
        : { by: 'client', ...(op.principal === undefined ? {} : { principal: op.principal }) },
    params: unit === undefined ? op.params : addressRequest(op, asked, unit.names, target),
    headers: own
      ? clientHeaders(op.headers)
      : {
          ...harmlessHeaders(op.headers),
          ...(target.by === 'holdfast' ? gateway.parts.serviceIdentity(target.agentId) : {}),
        },
    namesOf: (serverTaskId) => (isOwnTask(unit, target, serverTaskId) ? unit?.names : undefined),
  };
};

/** Another task's ID in the answer stays what it is: it is not what was asked for. */
const isOwnTask = (unit: KnownUnit | undefined, target: Target, serverTaskId: string): boolean =>
  serverTaskId === target.serverTaskId ||
  (unit?.entry?.serverTasks ?? []).some(({ agentId, id }) => agentId === target.agentId && id === serverTaskId);

/** The task has ended by a word that no agent knows of. */
const answerDecided = (
  op: Operation,
  unit: KnownUnit,
  { at, state }: Standing & { readonly kind: 'decided' },
  asked: string,
): Reply => {
  if (op.method === 'GetTask' || (op.method === 'CancelTask' && state === 'canceled'))
    return { kind: 'result', result: decidedTask(unit, asked, state, at) };
  return op.method === 'CancelTask'
    ? protocolError(TASK_NOT_CANCELABLE, 'TASK_NOT_CANCELABLE', `the task has ended: ${state}`)
    : protocolError(UNSUPPORTED_OPERATION, 'UNSUPPORTED_OPERATION', `the task has ended: ${state}`);
};
