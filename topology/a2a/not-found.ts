import type { ExchangeObserved } from '../observation.js';
import { A2A_ERRORS } from './error.js';
import { isAboutTask, isSend } from './method.js';

const TASK_NOT_FOUND = A2A_ERRORS[0];
const INTERNAL_ERROR = -32603;

/**
 * R25, first half: the protocol's own not-found, in whole, in answer to a question about a task or a message to one. Who
 * asked whom is judged elsewhere. The HTTP status is not looked at: over JSON-RPC it is 200, and a bare 404, a proxy's
 * page, -32603 or 5xx have neither code nor reason. What follows other words in a stream (`error`) is no whole answer:
 * the stream's end leads to a question of its own (R32).
 */
export const isTaskNotFound = (exchange: ExchangeObserved): boolean =>
  isAboutTask(exchange.method, exchange.serverTaskId) && exchange.error === undefined && saysNotFound(exchange);

const saysNotFound = ({ binding, rpcErrorCode, reason }: ExchangeObserved): boolean => {
  const hasCode = rpcErrorCode === TASK_NOT_FOUND.rpcErrorCode;
  switch (binding) {
    case 'JSONRPC':
      return hasCode;
    // 0.3 has no reason and puts the code into the body.
    case 'HTTP+JSON':
      return reason === TASK_NOT_FOUND.reason || (reason === undefined && hasCode);
    case 'GRPC':
      return reason === TASK_NOT_FOUND.reason;
  }
};

/** A dispatch that left no task ID. A message to a task is none, and a stream that named its task left one (R52). */
const isUnboundDispatch = ({ method, serverTaskId }: ExchangeObserved): boolean =>
  isSend(method) && (serverTaskId === undefined || serverTaskId === '');

type Outcome = 'refused' | 'unknown';

/** Code or reason before status, for statuses changed within 1.0. */
const outcomeOf = ({ httpStatus, rpcErrorCode, reason, error }: ExchangeObserved): Outcome => {
  // A status line of 4xx refuses also where the rest of the answer was torn off.
  if (httpStatus === 0 || (error !== undefined && httpStatus < 400)) return 'unknown';
  const known = A2A_ERRORS.find((one) => one.reason === reason || one.rpcErrorCode === rpcErrorCode);
  if (known !== undefined) return known.refuses ? 'refused' : 'unknown';
  // The Python SDK answers it while it stores a FAILED task whose ID nobody learns.
  if (rpcErrorCode === INTERNAL_ERROR) return 'unknown';
  if (httpStatus >= 500) return 'unknown';
  return rpcErrorCode !== undefined || httpStatus >= 400 ? 'refused' : 'unknown';
};

/**
 * R52: a dispatch of which nobody knows whether the agent took it, and that left no task ID: no answer or not a whole
 * one, 5xx, -32603, an answer that holds neither task nor message (a proxy's page under 200).
 */
export const isOutcomeUnknown = (exchange: ExchangeObserved): boolean =>
  isUnboundDispatch(exchange) && outcomeOf(exchange) === 'unknown';

/** R37: a dispatch that was definitely refused: 4xx, or an error of the protocol that says so. */
export const isRefused = (exchange: ExchangeObserved): boolean =>
  isUnboundDispatch(exchange) && outcomeOf(exchange) === 'refused';
