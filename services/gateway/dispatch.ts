/** A message without a task ID: a dispatch (RULES.md section 2). It is on record before it goes out (R40, R49). */
import type { SentMessage } from '../../topology/a2a/request.js';
import type { UnitOfWork } from '../../topology/a2a/word-observations.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { DispatchObserved } from '../../topology/observation.js';
import { isTerminal } from '../../topology/task/task-state.js';
import type { JsonObject } from '../../topology/a2a/json.js';
import { isDoubtful, settleDoubt } from './doubt.js';
import { question } from './question.js';
import { correlationOf, withCorrelation } from './correlation.js';
import { clientHeaders } from './forwarded-headers.js';
import type { Gateway } from './gateway.js';
import { mayAsk, type KnownUnit } from './identity-map.js';
import type { Client, Operation, Reply } from './operation.js';
import { INTERNAL_ERROR, INVALID_PARAMS, refused, tryAgain, WriteAheadError } from './refusal.js';
import { relay } from './relay.js';
import { answerRepeat } from './repeated-message.js';
import type { NamesOf } from './rename.js';

/** Above it a request is not kept: one record must hold it (R23). */
const MAX_INPUT_BYTES = 900_000;

/**
 * Writes the input and the dispatch, then forwards the message with its correlation ID.
 * @throws WriteAheadError, AgentUnreachableError
 */
export const dispatch = async (op: Operation, client: Client, gateway: Gateway): Promise<Reply> => {
  const { message } = op.read;
  if (message === undefined) return refused(INVALID_PARAMS, 'a message is wanted');
  // Before anything is written: what cannot be sent anywhere is no dispatch.
  await gateway.parts.agents.endpoint(op.agentId);
  const unit = unitOf(op, message);
  const before = await gateway.identity.unit(unit);
  const known = await answerRepeat(op, message, before, client, gateway);
  if (known !== undefined) return known;
  if ((await gateway.hold.admit(op.agentId)) === 'refused')
    return tryAgain(INTERNAL_ERROR, 'AGENT_NOT_VERIFIED', `agent ${op.agentId} was never verified`, {
      status: 503,
      seconds: 30,
    });
  const params = withCorrelation(op.params, unit.correlationId);
  const inputKept = await keepInput(op, message, unit, params, before, gateway);
  await gateway.recorder.write([await observed(op, message, unit, inputKept, gateway)]);
  const { reply } = await relay(
    op,
    {
      unit,
      agentId: op.agentId,
      asker: { by: 'client', ...principalOf(op) },
      params,
      headers: clientHeaders(op.headers),
      namesOf: namesAfter(before, op),
    },
    client,
    gateway,
  );
  const now = await gateway.identity.unit(unit);
  const taskId = now?.names.taskId;
  if (now === undefined || taskId === undefined || !isDoubtful(op, reply, now, gateway)) return reply;
  const about: Operation = { ...op, read: { ...op.read, serverTaskId: taskId } };
  return settleDoubt(about, reply, now, client, gateway, (again) => question(again, client, gateway));
};

const principalOf = ({ principal }: Operation) => (principal === undefined ? {} : { principal });

const unitOf = (op: Operation, { messageId }: SentMessage): UnitOfWork => {
  const tenant = op.read.tenant === undefined ? {} : { tenant: op.read.tenant };
  const sending = {
    agentId: op.agentId,
    ...principalOf(op),
    ...tenant,
    ...(messageId === undefined ? {} : { messageId }),
  };
  return { ...tenant, correlationId: correlationOf(op.params, sending) };
};

/**
 * Keeps what a redispatch would send (R34). Not for a unit that has ended, nor over the input of another principal's unit
 * whose correlation ID was taken (R49), nor beyond what a record holds. @throws WriteAheadError
 */
const keepInput = async (
  op: Operation,
  { lifecycle: { skillId } }: SentMessage,
  unit: UnitOfWork,
  params: JsonObject,
  before: KnownUnit | undefined,
  { parts: { log } }: Gateway,
): Promise<boolean> => {
  const isOver = before?.entry !== undefined && isTerminal(before.entry.state);
  const request = JSON.stringify(params);
  if (isOver || (before !== undefined && !mayAsk(before, op.principal))) return false;
  if (Buffer.byteLength(request) > MAX_INPUT_BYTES) return false;
  try {
    await log.keepInput({
      type: 'TaskInput',
      ...unit,
      agentId: op.agentId,
      ...(skillId === undefined ? {} : { skillId }),
      request,
      keptAt: Date.now(),
    });
    return true;
  } catch (error) {
    throw new WriteAheadError(error);
  }
};

const observed = async (
  op: Operation,
  { acceptedOutputModes, contextId, lifecycle, messageId, referenceTaskIds }: SentMessage,
  unit: UnitOfWork,
  inputKept: boolean,
  { identity }: Gateway,
): Promise<DispatchObserved> => {
  const key = recordKey(unit.tenant, unit.correlationId);
  const isContextUsed = contextId !== undefined && (await identity.isContextUsed(unit.tenant, contextId, key));
  return {
    type: 'DispatchObserved',
    ...unit,
    agentId: op.agentId,
    by: 'client',
    ...(lifecycle.skillId === undefined ? {} : { skillId: lifecycle.skillId }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(contextId === undefined ? {} : { contextId }),
    ...principalOf(op),
    ...(acceptedOutputModes.length === 0 ? {} : { acceptedOutputModes }),
    inputKept,
    continues: referenceTaskIds.length > 0 || isContextUsed,
  };
};

/**
 * The client's own retry, or its next attempt at the unit, goes on under the first names. After the end it is new work that
 * took an old correlation ID (R49), and of somebody else's unit nothing is known to the client: then IDs stay.
 */
const namesAfter = (before: KnownUnit | undefined, op: Operation): NamesOf => {
  const isOwn = before !== undefined && mayAsk(before, op.principal);
  const isOver = before?.entry !== undefined && isTerminal(before.entry.state);
  return () => (isOwn && !isOver ? before.names : undefined);
};
