/** The JSON-RPC 1.0 binding towards clients: an HTTP request to an operation, its reply to an HTTP answer. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { field, MAX_ID_LENGTH, own, texts, type JsonObject } from '../../topology/a2a/json.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import { readRequest } from '../../topology/a2a/request.js';
import { EventStream } from './event-stream.js';
import type { Gateway } from './gateway.js';
import { errorEnvelope, readRpcRequest, resultEnvelope, versionFault, type RpcId } from './json-rpc.js';
import { operate } from './operate.js';
import type { AnswerError, Client, Operation, Reply } from './operation.js';
import { principalOf } from './principal.js';
import { failureOf, INVALID_PARAMS, INVALID_REQUEST } from './refusal.js';
import { discardRest, readRequestBody } from './request-body.js';

const JSON_TYPE = 'application/json';

/** Answers one JSON-RPC request, whatever it is. `closing` aborts when streams are to end. */
export const serveJsonRpc = async (
  gateway: Gateway,
  agentId: string,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> => {
  const { agents, settings } = gateway.parts;
  const unread = contentFault(request.headers);
  if (unread !== undefined) {
    await refuseUnread(request, response, unread, 415);
    return;
  }
  const body = await readRequestBody(request, settings.maxBodyBytes);
  if (body.kind === 'torn') return;
  if (body.kind !== 'text') {
    await refuseUnread(request, response, 'the body is too large', 413);
    return;
  }
  const rpc = readRpcRequest(body.text);
  if (rpc.kind === 'fault') {
    refuse(response, rpc.id, rpc.error);
    return;
  }
  const { id, method, params } = rpc;
  const read = readRequest({ binding: 'JSONRPC', headers: request.headers, body: { method, params } });
  const fault = versionFault(read.version);
  if (fault !== undefined) {
    refuse(response, id, fault);
    return;
  }
  if (!agents.knows(agentId)) {
    refuse(response, id, { code: INVALID_REQUEST, message: `no agent is called ${JSON.stringify(agentId)}` }, 404);
    return;
  }
  const overlong = overlongId(params);
  if (overlong !== undefined) {
    refuse(response, id, { code: INVALID_PARAMS, message: `${overlong} is longer than ${MAX_ID_LENGTH} characters` });
    return;
  }
  const principal = whoAsks(request, gateway);
  const { headers } = request;
  const op = { agentId, method, params, read, headers, ...(principal === undefined ? {} : { principal }) };
  await answer(op, id, response, gateway, closing);
};

/** What no record could keep (R59): an ID that was cut would be another. */
const overlongId = (params: JsonObject): string | undefined => {
  const message = field(params, 'message');
  const ours = own(field(message, 'metadata'), LIFECYCLE_EXTENSION);
  const isOverlong = (value: unknown): boolean => typeof value === 'string' && value.length > MAX_ID_LENGTH;
  const named = (of: unknown, names: readonly string[]) => names.find((name) => isOverlong(field(of, name)));
  if (texts(field(message, 'referenceTaskIds')).some(isOverlong)) return 'a reference task ID';
  const modes = texts(field(field(params, 'configuration'), 'acceptedOutputModes'));
  if (modes.join().length > MAX_ID_LENGTH) return 'the list of accepted output modes';
  return (
    named(params, ['id', 'taskId', 'contextId', 'tenant']) ??
    named(message, ['messageId', 'taskId', 'contextId']) ??
    named(ours, ['correlationId', 'skillId'])
  );
};

/** What is said to be something else is not read as JSON: a page in a browser can send that anywhere unasked. */
const contentFault = (headers: IncomingHttpHeaders): string | undefined => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (!/^application\/(json|a2a\+json)\s*(;|$)/i.test(type)) return 'the content type must be application/json';
  return encoding.toLowerCase() === 'identity' ? undefined : 'the body must not be encoded';
};

const answer = async (
  op: Operation,
  id: RpcId,
  response: ServerResponse,
  gateway: Gateway,
  closing: AbortSignal,
): Promise<void> => {
  const hungUp = new AbortController();
  response.on('close', () => {
    hungUp.abort();
  });
  const gone = AbortSignal.any([hungUp.signal, closing]);
  const opened: { stream?: EventStream } = {};
  const writer = {
    result: (result: unknown) => resultEnvelope(id, result),
    error: (error: AnswerError) => errorEnvelope(id, error),
  };
  const client: Client = {
    gone,
    openStream: (headers) => (opened.stream ??= new EventStream(response, writer, gone, headers)),
  };
  const reply = await operate(op, client, gateway).catch((error: unknown) => {
    gateway.parts.logger.warn({ err: error, agentId: op.agentId, method: op.method }, 'an operation failed');
    return failureOf(error);
  });
  const { stream } = opened;
  if (stream === undefined) write(response, id, reply);
  else {
    if (reply.kind === 'result') await stream.result(reply.result);
    if (reply.kind === 'error') await stream.error(reply.error);
    stream.end();
  }
};

const whoAsks = ({ headers, socket }: IncomingMessage, { parts: { settings } }: Gateway): string | undefined => {
  const { apiKeyIdHeader, principalSalt } = settings;
  const apiKeyId = apiKeyIdHeader === undefined ? undefined : headers[apiKeyIdHeader.toLowerCase()];
  const certificate = socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate() : undefined;
  return principalOf(
    {
      ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
      ...(certificate === undefined ? {} : { certificateSubject: JSON.stringify(certificate.subject) }),
      ...(typeof apiKeyId === 'string' && apiKeyId !== '' ? { apiKeyId } : {}),
    },
    principalSalt,
  );
};

/** The rest of the body is still on its way: the connection cannot be used again, and closes once the answer is through. */
const refuseUnread = async (
  request: IncomingMessage,
  response: ServerResponse,
  message: string,
  status: number,
): Promise<void> => {
  const text = JSON.stringify(errorEnvelope(null, { code: INVALID_REQUEST, message }));
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': length, connection: 'close' }).write(text);
  await discardRest(request);
  response.end();
};

const refuse = (response: ServerResponse, id: RpcId, error: AnswerError, status = 200): void => {
  write(response, id, { kind: 'error', error, status });
};

const write = (response: ServerResponse, id: RpcId, reply: Reply): void => {
  if (response.destroyed) return;
  if (reply.kind !== 'streamed')
    for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  switch (reply.kind) {
    case 'result':
      writeJson(response, reply.status ?? 200, resultEnvelope(id, reply.result));
      return;
    case 'error':
      if (reply.retryAfter !== undefined) response.setHeader('retry-after', reply.retryAfter);
      writeJson(response, reply.status ?? 200, errorEnvelope(id, reply.error));
      return;
    case 'foreign':
      response.writeHead(reply.status, { 'content-type': reply.contentType ?? 'text/plain' }).end(reply.body);
      return;
    case 'streamed':
      response.end();
  }
};

const writeJson = (response: ServerResponse, status: number, value: unknown): void => {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) }).end(text);
};
