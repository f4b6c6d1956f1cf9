import { describe, expect, test } from '@jest/globals';
import { observe } from '../../../topology/a2a/observe.js';
import {
  AGENT,
  ASKER,
  at,
  closed,
  exchangeWith,
  messageOf,
  plainArtifact,
  stateOf,
  UNIT,
} from '../../kit/wire/expected.js';
import {
  asked,
  completed,
  ctx,
  JSON_UTF8,
  nomime,
  png,
  submitted,
  waiting,
  working,
  zombie,
  type Expected,
} from '../../kit/wire/recorded-words.js';
import { JS_JSONRPC_ERRORS } from '../../kit/wire/recordings-jsonrpc-errors.js';
import { JS_JSONRPC_STREAMS } from '../../kit/wire/recordings-jsonrpc-streams.js';
import { JS_JSONRPC } from '../../kit/wire/recordings-jsonrpc.js';
import { exchangeOf, type Recording } from '../../kit/wire/recording.js';

const corr = { contextId: 'corr-ctx-1', metadataCorrelationId: 'corr-123' };
const about = { serverTaskId: 'task-1', contentType: JSON_UTF8 };
const notFound = { rpcErrorCode: -32001, reason: 'TASK_NOT_FOUND' };
const internal = { rpcErrorCode: -32603 };

const jsonRpc: Expected<typeof JS_JSONRPC> = {
  'send, blocking: input-required': [
    stateOf('task-1', 'send-response', {
      ...corr,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusTimestamp: at(11.879),
      messageId: 'msg-2',
    }),
  ],
  'get: input-required': [
    stateOf('task-1', 'poll', {
      ...corr,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusTimestamp: at(11.879),
      messageId: 'msg-1',
    }),
  ],
  'list by context': [
    stateOf('task-1', 'list', {
      ...corr,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusTimestamp: at(11.879),
      messageId: 'msg-1',
    }),
    exchangeWith('JSONRPC', 'ListTasks', 200, { contentType: JSON_UTF8, found: 1 }),
  ],
  'send: a message and no task': [messageOf('msg-2', 'ctx-1')],
  'send: parts without media type': [
    ...nomime('send-response'),
    stateOf('task-1', 'send-response', {
      ...ctx,
      state: 'TASK_STATE_COMPLETED',
      statusTimestamp: at(13.956),
      messageId: 'msg-2',
    }),
  ],
  'send: image/png': [
    png('send-response', false),
    stateOf('task-1', 'send-response', {
      ...ctx,
      state: 'TASK_STATE_COMPLETED',
      statusTimestamp: at(14.009),
      messageId: 'msg-2',
    }),
  ],
  'send: a completed task overwritten by working': [
    stateOf('task-1', 'send-response', { ...ctx, state: 'TASK_STATE_WORKING', statusTimestamp: at(14.245) }),
  ],
  cancel: [stateOf('task-1', 'poll', { ...ctx, state: 'TASK_STATE_CANCELED', statusTimestamp: at(14.427) })],
  'push configuration created': [exchangeWith('JSONRPC', 'CreateTaskPushNotificationConfig', 200, about)],
  'list after a restart: empty': [exchangeWith('JSONRPC', 'ListTasks', 200, { contentType: JSON_UTF8, found: 0 })],
};

const jsonRpcErrors: Expected<typeof JS_JSONRPC_ERRORS> = {
  'follow-up to a terminal task': [
    exchangeWith('JSONRPC', 'SendMessage', 200, { ...about, rpcErrorCode: -32004, reason: 'UNSUPPORTED_OPERATION' }),
  ],
  'get: unknown task': [
    exchangeWith('JSONRPC', 'GetTask', 200, { ...about, serverTaskId: 'no-such-task', ...notFound }),
  ],
  'send: unknown task ID': [
    exchangeWith('JSONRPC', 'SendMessage', 200, { ...about, serverTaskId: 'client-made-task-id', ...notFound }),
  ],
  'send: context mismatch': [
    exchangeWith('JSONRPC', 'SendMessage', 200, { ...about, rpcErrorCode: -32602, reason: 'INVALID_PARAMS' }),
  ],
  'get without a version': [
    exchangeWith('JSONRPC', 'GetTask', 200, { ...about, rpcErrorCode: -32009, reason: 'VERSION_NOT_SUPPORTED' }),
  ],
  'subscribe after a restart': [exchangeWith('JSONRPC', 'SubscribeToTask', 200, { ...about, ...notFound })],
  'cancel after a restart': [exchangeWith('JSONRPC', 'CancelTask', 200, { ...about, ...notFound })],
  'get: empty ID': [
    exchangeWith('JSONRPC', 'GetTask', 200, {
      contentType: JSON_UTF8,
      rpcErrorCode: -32602,
      reason: 'INVALID_PARAMS',
    }),
  ],
  'stream: store fails behind the first event': [
    stateOf('task-1', 'snapshot', { ...ctx, state: 'TASK_STATE_SUBMITTED', statusTimestamp: at(25.732) }),
    exchangeWith('JSONRPC', 'SendStreamingMessage', 200, {
      serverTaskId: 'task-1',
      contentType: 'text/event-stream',
      ...internal,
      error: 'error-beside-words',
    }),
    closed('task-1'),
  ],
  'send: store fails': [exchangeWith('JSONRPC', 'SendMessage', 200, { contentType: JSON_UTF8, ...internal })],
  'get: store fails': [exchangeWith('JSONRPC', 'GetTask', 200, { ...about, ...internal })],
};

const jsonRpcStreams: Expected<typeof JS_JSONRPC_STREAMS> = {
  'stream: submitted, working, input-required': [
    submitted(12.017),
    working(12.037, 'msg-2'),
    asked(12.058, 'msg-3'),
    closed('task-1'),
  ],
  'subscribe to input-required: snapshot, stays open': [waiting('msg-1', 12.058), closed('task-1', false)],
  'follow-up stream: old snapshot first, then completed': [
    waiting('msg-2', 12.058),
    working(13.61, 'msg-3'),
    plainArtifact('task-1', 'status-update', 'answer: the blue one', { ...ctx, lastChunk: true }),
    completed(13.631, 'msg-4'),
    closed('task-1'),
  ],
  'stream: appended chunks': [
    submitted(14.012),
    working(14.031, 'msg-2'),
    plainArtifact('task-1', 'status-update', 'part-1 ', ctx),
    plainArtifact('task-1', 'status-update', 'part-2 ', { ...ctx, append: true }),
    plainArtifact('task-1', 'status-update', 'part-3', {
      ...ctx,
      append: true,
      lastChunk: true,
      mediaType: 'text/markdown',
    }),
    completed(14.111, 'msg-3'),
    closed('task-1'),
  ],
  'subscribe to a zombie: snapshot, closed': [zombie('msg-1', 20.387), closed('task-1')],
  'subscribe: the snapshot twice': [
    zombie('msg-1', 59.909),
    zombie('msg-1', 59.909),
    working(0.063, 'msg-2'),
    plainArtifact('task-1', 'status-update', 'answer: second', { ...ctx, lastChunk: true }),
    completed(0.084, 'msg-3'),
    closed('task-1'),
  ],
};

const check = (recordings: Readonly<Record<string, Recording>>, expected: Expected<Record<string, unknown>>): void => {
  test.each(Object.entries(recordings))('should observe exactly what was said in "%s"', (name, recording) => {
    expect(observe(exchangeOf(recording), UNIT, AGENT, ASKER)).toStrictEqual(expected[name]);
  });
};

describe('recorded exchanges over JSON-RPC 1.0', () => {
  check(JS_JSONRPC, jsonRpc);
  check(JS_JSONRPC_ERRORS, jsonRpcErrors);
  check(JS_JSONRPC_STREAMS, jsonRpcStreams);
});
