/** Builders of observations about one unit. What a test does not name is what a well-behaved mesh would say. */
import type {
  ArtifactObserved,
  DispatchObserved,
  ExchangeObserved,
  OperatorDecided,
  TaskNotFoundObserved,
  TaskStateObserved,
} from '../../../topology/observation.js';

export const CORRELATION_ID = 'c-1';
export const PRINCIPAL = 'p-1';

type Rest<T> = Partial<Omit<T, 'type'>>;

export const dispatched = (agentId: string, rest: Rest<DispatchObserved> = {}): DispatchObserved => ({
  type: 'DispatchObserved',
  correlationId: CORRELATION_ID,
  agentId,
  by: 'client',
  principal: PRINCIPAL,
  messageId: 'm-1',
  inputKept: true,
  continues: false,
  ...rest,
});

export const redispatched = (agentId: string, rest: Rest<DispatchObserved> = {}): DispatchObserved => ({
  type: 'DispatchObserved',
  correlationId: CORRELATION_ID,
  agentId,
  by: 'holdfast',
  inputKept: true,
  continues: false,
  ...rest,
});

/** `state` as on the wire; `undefined`: absent there. */
export const said = (
  agentId: string,
  serverTaskId: string,
  state: string | undefined,
  rest: Rest<TaskStateObserved> = {},
): TaskStateObserved => ({
  type: 'TaskStateObserved',
  correlationId: CORRELATION_ID,
  agentId,
  serverTaskId,
  via: 'status-update',
  ...(state === undefined ? {} : { state }),
  ...rest,
});

export const wrote = (agentId: string, serverTaskId: string, rest: Rest<ArtifactObserved> = {}): ArtifactObserved => ({
  type: 'ArtifactObserved',
  correlationId: CORRELATION_ID,
  agentId,
  serverTaskId,
  via: 'status-update',
  artifactId: 'a-1',
  append: false,
  lastChunk: false,
  parts: [{ kind: 'text', mediaType: 'application/json', bytes: 10 }],
  chunks: 1,
  ...rest,
});

export const lostTask = (
  agentId: string,
  serverTaskId: string,
  rest: Rest<TaskNotFoundObserved> = {},
): TaskNotFoundObserved => ({
  type: 'TaskNotFoundObserved',
  correlationId: CORRELATION_ID,
  agentId,
  serverTaskId,
  method: 'GetTask',
  by: 'client',
  principal: PRINCIPAL,
  ...rest,
});

/** No answer to a question about nothing in particular. */
export const exchanged = (agentId: string, rest: Rest<ExchangeObserved> = {}): ExchangeObserved => ({
  type: 'ExchangeObserved',
  correlationId: CORRELATION_ID,
  agentId,
  binding: 'JSONRPC',
  method: 'GetTask',
  httpStatus: 0,
  by: 'client',
  principal: PRINCIPAL,
  ...rest,
});

export const operator = (action: OperatorDecided['action'], rest: Rest<OperatorDecided> = {}): OperatorDecided => ({
  type: 'OperatorDecided',
  correlationId: CORRELATION_ID,
  action,
  ...rest,
});

/** A copy without some of its optional fields. */
export const without = <T extends object, K extends keyof T>(value: T, ...fields: readonly K[]): Omit<T, K> => {
  const copy = { ...value };
  for (const field of fields) Reflect.deleteProperty(copy, field);
  return copy;
};
