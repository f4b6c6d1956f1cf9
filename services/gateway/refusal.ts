import { HoldfastError } from '../../infra/errors.js';
import { AgentUnreachableError } from '../../infra/http/agent-directory.js';
import type { AnswerError, Reply } from './operation.js';

/** Codes of JSON-RPC and A2A that the gateway itself says (SPEC sections 5.4 and 9.5). */
export const TASK_NOT_FOUND = -32001;
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const TASK_NOT_CANCELABLE = -32002;
export const UNSUPPORTED_OPERATION = -32004;
export const INVALID_AGENT_RESPONSE = -32006;
export const VERSION_NOT_SUPPORTED = -32009;
/** Of the range that JSON-RPC leaves to servers: the task is indeterminate (R39). */
export const TASK_INDETERMINATE = -32090;

type ErrorReply = Reply & { readonly kind: 'error' };

/** Domain of reasons that are ours and not the protocol's. */
const HOLDFAST_DOMAIN = 'holdfast';
const A2A_DOMAIN = 'a2a-protocol.org';

/** The `data` of an error: an ErrorInfo, as SPEC section 9.5 wants it. Its metadata are texts. */
const errorInfo = (reason: string, domain: string, metadata: Readonly<Record<string, string>> = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata,
});

export const refused = (code: number, message: string, status = 200): ErrorReply => ({
  kind: 'error',
  error: { code, message },
  status,
});

/** An error of the protocol itself, with its reason. */
export const protocolError = (code: number, reason: string, message: string): ErrorReply => ({
  kind: 'error',
  error: { code, message, data: [errorInfo(reason, A2A_DOMAIN)] },
});

/** "Not now": the same request may succeed later. */
export const tryAgain = (
  code: number,
  reason: string,
  message: string,
  { status = 200, seconds = 2, metadata = {} }: TryAgain = {},
): ErrorReply => ({
  kind: 'error',
  error: {
    code,
    message,
    data: [
      errorInfo(reason, HOLDFAST_DOMAIN, { ...metadata, retryable: 'true' }),
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` },
    ],
  },
  status,
  retryAfter: seconds,
});
type TryAgain = {
  readonly status?: number;
  readonly seconds?: number;
  readonly metadata?: Readonly<Record<string, string>>;
};

/** The log could not be written in time: nothing is passed that is not on record (DESIGN.md). */
export class WriteAheadError extends HoldfastError {
  constructor(cause: unknown) {
    super('what was observed could not be written down', {
      code: 'HOLDFAST_GATEWAY_WRITE_AHEAD',
      retryable: true,
      cause,
    });
  }
}

/** What a client is told when the gateway itself fails. */
export const failureOf = (error: unknown): ErrorReply => {
  if (error instanceof WriteAheadError)
    return tryAgain(INTERNAL_ERROR, 'WRITE_AHEAD_FAILED', error.message, { status: 503, seconds: 5 });
  if (error instanceof AgentUnreachableError)
    return tryAgain(INTERNAL_ERROR, 'AGENT_UNREACHABLE', error.message, { status: 502, seconds: 5 });
  return refused(INTERNAL_ERROR, 'the gateway failed', 500);
};

/** Whether an error of the agent's is a TaskNotFound. */
export const isNotFound = (error: AnswerError | undefined): error is AnswerError => error?.code === TASK_NOT_FOUND;

/** What an agent answered that is no answer, by the word of the HTTP client. */
const NO_ANSWERS: ReadonlyMap<string, string> = new Map([
  ['too-large', 'it is too large'],
  ['too-complex', 'its JSON is nested too deeply, or has too many objects'],
  ['encoded', 'it is in an encoding that was not asked for'],
  ['batch', 'A2A has no batches'],
  ['other-id', 'it answers another request'],
]);

/** The agent gave no answer, or not a whole one (`error`: the word of the HTTP client). */
export const noAnswer = (agentId: string, error: string): ErrorReply => {
  const fault = NO_ANSWERS.get(error);
  if (fault !== undefined) return invalidAnswer(`agent ${agentId} gave no answer that can be used: ${fault}`);
  return tryAgain(INTERNAL_ERROR, 'AGENT_UNREACHABLE', `agent ${agentId} gave no answer: ${error}`, {
    status: error === 'timeout' ? 504 : 502,
    seconds: 5,
  });
};

/** What the agent answered is nothing that A2A knows. */
export const invalidAnswer = (message: string): ErrorReply => ({
  ...protocolError(INVALID_AGENT_RESPONSE, 'INVALID_AGENT_RESPONSE', message),
  status: 502,
});
