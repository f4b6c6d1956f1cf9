import { isObject, own, parseJson, type JsonObject } from '../../topology/a2a/json.js';
import { readRpcMethod, type A2aMethod } from '../../topology/a2a/method.js';
import type { AnswerError } from './operation.js';
import { INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, VERSION_NOT_SUPPORTED } from './refusal.js';

export type RpcId = string | number | null;

/** A JSON-RPC 2.0 request for an operation of A2A 1.0. */
export type RpcRequest = {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: A2aMethod;
  readonly params: JsonObject;
};
export type RpcFault = { readonly kind: 'fault'; readonly id: RpcId; readonly error: AnswerError };

const fault = (id: RpcId, code: number, message: string): RpcFault => ({ kind: 'fault', id, error: { code, message } });

const idOf = (body: unknown): RpcId | undefined => {
  const id = own(body, 'id');
  if (id === undefined) return null;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
};

/** Reads a request body. Total: what is none is a fault, under the ID where one can be read (JSON-RPC section 5). */
export const readRpcRequest = (text: string): RpcRequest | RpcFault => {
  const body = parseJson(text);
  if (body === undefined) return fault(null, PARSE_ERROR, 'the body is no JSON, or too complex');
  if (Array.isArray(body)) return fault(null, INVALID_REQUEST, 'A2A has no batches');
  const id = idOf(body);
  if (!isObject(body) || id === undefined) return fault(null, INVALID_REQUEST, 'the body is no JSON-RPC request');
  if (own(body, 'jsonrpc') !== '2.0') return fault(id, INVALID_REQUEST, 'jsonrpc must be "2.0"');
  const name = own(body, 'method');
  if (typeof name !== 'string') return fault(id, INVALID_REQUEST, 'method must be a text');
  const read = readRpcMethod(name);
  // The names of 0.3 belong to a version that is not spoken here.
  if (read?.dialect !== '1.0') return fault(id, METHOD_NOT_FOUND, `there is no method ${JSON.stringify(name)}`);
  const params = own(body, 'params') ?? {};
  if (!isObject(params)) return fault(id, INVALID_PARAMS, 'params must be an object');
  return { kind: 'request', id, method: read.method, params };
};

/** A2A-Version must be 1.x; missing it is 0.3 (SPEC section 3.6). */
export const versionFault = (version: string): AnswerError | undefined =>
  /^1(\.\d+)?$/.test(version)
    ? undefined
    : {
        code: VERSION_NOT_SUPPORTED,
        message: `A2A version ${JSON.stringify(version)} is not supported, only 1.0 is`,
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'VERSION_NOT_SUPPORTED',
            domain: 'a2a-protocol.org',
            metadata: {},
          },
        ],
      };

export const resultEnvelope = (id: RpcId, result: unknown): JsonObject => ({ jsonrpc: '2.0', id, result });
export const errorEnvelope = (id: RpcId, error: AnswerError): JsonObject => ({ jsonrpc: '2.0', id, error });
