import { field, isObject, omitAbsent, own, text } from './json.js';

/** What an error answer says in the terms of A2A; both absent: it says nothing that the protocol defines. */
export type ReadError = {
  /** The A2A or JSON-RPC error code, whatever binding carried it. */
  readonly rpcErrorCode?: number;
  /** Reason of the A2A ErrorInfo. */
  readonly reason?: string;
};

/**
 * The errors of A2A (SPEC section 5.4). HTTP and gRPC statuses are left out on purpose: they changed within 1.0, and
 * nothing on the wire tells which are meant, so code and reason decide. `refuses`: the request had no effect.
 */
export const A2A_ERRORS = [
  { rpcErrorCode: -32001, reason: 'TASK_NOT_FOUND', refuses: true },
  { rpcErrorCode: -32002, reason: 'TASK_NOT_CANCELABLE', refuses: true },
  { rpcErrorCode: -32003, reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED', refuses: true },
  { rpcErrorCode: -32004, reason: 'UNSUPPORTED_OPERATION', refuses: true },
  { rpcErrorCode: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED', refuses: true },
  { rpcErrorCode: -32006, reason: 'INVALID_AGENT_RESPONSE', refuses: false },
  { rpcErrorCode: -32007, reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED', refuses: true },
  { rpcErrorCode: -32008, reason: 'EXTENSION_SUPPORT_REQUIRED', refuses: true },
  { rpcErrorCode: -32009, reason: 'VERSION_NOT_SUPPORTED', refuses: true },
] as const;

const ERROR_INFO = 'google.rpc.ErrorInfo';
const A2A_DOMAIN = 'a2a-protocol.org';

/** The first ErrorInfo of the protocol's own domain: a reason of any other says nothing about A2A (R25). */
const reasonIn = (details: unknown): string | undefined => {
  if (!Array.isArray(details)) return undefined;
  const info: unknown = details.find(
    (detail: unknown) =>
      text(own(detail, '@type'))?.endsWith(`/${ERROR_INFO}`) === true && own(detail, 'domain') === A2A_DOMAIN,
  );
  return text(own(info, 'reason'));
};

const codeIn = (error: unknown): number | undefined => {
  const code = own(error, 'code');
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : undefined;
};

/** The `error` of a JSON-RPC envelope. 0.3 sends no `data`, and 1.0 only should. */
export const readRpcError = (error: unknown): ReadError =>
  omitAbsent({ rpcErrorCode: codeIn(error), reason: reasonIn(own(error, 'data')) });

/**
 * An error body of HTTP+JSON: 1.0 `{error: {code, status, message, details}}`, where `code` is the HTTP status and no A2A
 * code; 0.3 `{code: -32001, message}`. Anything else (a page, a bare status, a proxy's JSON) is no error of the protocol.
 */
export const readHttpError = (body: unknown): ReadError => {
  const error = own(body, 'error');
  if (isObject(error)) return omitAbsent({ reason: reasonIn(field(error, 'details')) });
  const code = codeIn(body);
  return omitAbsent({ rpcErrorCode: code !== undefined && code < 0 ? code : undefined });
};
