import type { WireBinding, WireRequest } from './exchange.js';
import { readHttpPath } from './http-path.js';
import { field, omitAbsent, own, text, texts } from './json.js';
import { readLifecycle, type Lifecycle } from './lifecycle.js';
import { readRpcMethod, UNKNOWN_METHOD, type A2aMethod, type Dialect } from './method.js';

/** What a message that is sent says about the unit it belongs to. */
export type SentMessage = {
  readonly messageId?: string;
  readonly contextId?: string;
  /** The message belongs to this task's unit and is no dispatch. */
  readonly serverTaskId?: string;
  readonly referenceTaskIds: readonly string[];
  /**
   * It names a context or other tasks (R34). A client may also name a context of its own making; an observer that knows
   * this one to be new may overrule.
   */
  readonly continues: boolean;
  readonly acceptedOutputModes: readonly string[];
  /** The answer is held back until the task stops: 1.0 `returnImmediately`, 0.3 `blocking`; both default to this. */
  readonly blocking: boolean;
  /** Under `LIFECYCLE_EXTENSION` in the message's own metadata, the authority; that of the request counts for nothing. */
  readonly lifecycle: Lifecycle;
};

/** What a request says before it is answered. */
export type ReadRequest = {
  readonly binding: WireBinding;
  readonly method: A2aMethod | typeof UNKNOWN_METHOD;
  /** `A2A-Version` as declared; missing or empty is 0.3. As a query parameter no SDK takes it, so neither do we. */
  readonly version: string;
  /** The spelling to expect: a JSON-RPC method name tells it, else the declared version. */
  readonly dialect: Dialect;
  /** The task that the request names. */
  readonly serverTaskId?: string;
  /** The tenant that the request names to the agent. */
  readonly tenant?: string;
  readonly message?: SentMessage;
};

const VERSION_HEADER = 'a2a-version';

const declaredVersion = (headers: WireRequest['headers']): string => {
  const entry = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === VERSION_HEADER)?.[1];
  const value = typeof entry === 'string' ? entry : entry?.[0];
  const version = value?.trim() ?? '';
  return version === '' ? '0.3' : version;
};

const dialectOf = (version: string): Dialect => (/^1(\.|$)/.test(version) ? '1.0' : '0.3');

/** Reads `{message, configuration}`, which is the JSON-RPC parameters and the HTTP body alike, in both versions. */
const readSend = (send: unknown): SentMessage => {
  const message = field(send, 'message');
  const configuration = field(send, 'configuration');
  const contextId = text(field(message, 'contextId'));
  const referenceTaskIds = texts(field(message, 'referenceTaskIds'));
  return omitAbsent({
    messageId: text(field(message, 'messageId')),
    contextId,
    serverTaskId: text(field(message, 'taskId')),
    referenceTaskIds,
    continues: contextId !== undefined || referenceTaskIds.length > 0,
    acceptedOutputModes: texts(field(configuration, 'acceptedOutputModes')),
    blocking: field(configuration, 'returnImmediately') !== true && field(configuration, 'blocking') !== false,
    lifecycle: readLifecycle(field(message, 'metadata')),
  });
};

const messageOf = (method: string, send: unknown): SentMessage | undefined =>
  method === 'SendMessage' || method === 'SendStreamingMessage' ? readSend(send) : undefined;

const readRpc = (body: unknown, version: string): ReadRequest => {
  const params = own(body, 'params');
  const rpc = readRpcMethod(own(body, 'method'));
  const method = rpc?.method ?? UNKNOWN_METHOD;
  const message = messageOf(method, params);
  const asked = rpc?.task === undefined || rpc.task === 'message' ? undefined : text(field(params, rpc.task));
  return {
    binding: 'JSONRPC',
    method,
    version,
    dialect: rpc?.dialect ?? dialectOf(version),
    ...omitAbsent({
      serverTaskId: asked ?? message?.serverTaskId,
      tenant: text(field(params, 'tenant')),
      message,
    }),
  };
};

const readHttp = ({ verb, path, body }: WireRequest, version: string): ReadRequest => {
  const dialect = dialectOf(version);
  const operation = readHttpPath(verb ?? '', path ?? '', dialect);
  const method = operation?.method ?? UNKNOWN_METHOD;
  const message = messageOf(method, body);
  return {
    binding: 'HTTP+JSON',
    method,
    version,
    dialect,
    ...omitAbsent({
      serverTaskId: operation?.serverTaskId ?? message?.serverTaskId,
      tenant: operation?.tenant ?? text(field(body, 'tenant')),
      message,
    }),
  };
};

/** Reads a request of either binding and version. Total: what cannot be read is absent, the method then `Unknown`. */
export const readRequest = (request: WireRequest): ReadRequest => {
  const version = declaredVersion(request.headers);
  return request.binding === 'JSONRPC' ? readRpc(request.body, version) : readHttp(request, version);
};
