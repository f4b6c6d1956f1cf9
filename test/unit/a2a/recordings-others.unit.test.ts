import { describe, expect, test } from '@jest/globals';
import { observe } from '../../../topology/a2a/observe.js';
import { AGENT, ASKER, at, closed, exchangeWith, plainArtifact, stateOf, UNIT } from '../../kit/wire/expected.js';
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
  type Expected,
} from '../../kit/wire/recorded-words.js';
import { COMPAT_0_3 } from '../../kit/wire/recordings-0.3.js';
import { JS_HTTP } from '../../kit/wire/recordings-http.js';
import { PUSHES } from '../../kit/wire/recordings-push.js';
import { PYTHON } from '../../kit/wire/recordings-python.js';
import { exchangeOf, type Recording } from '../../kit/wire/recording.js';

const A2A_JSON = 'application/a2a+json; charset=utf-8';
const internal = { rpcErrorCode: -32603 };

const http: Expected<typeof JS_HTTP> = {
  'send, blocking: input-required': [
    stateOf('task-1', 'send-response', {
      ...ctx,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusTimestamp: at(14.485),
      messageId: 'msg-2',
    }),
  ],
  'list: first of two pages': [
    stateOf('task-1', 'list', {
      ...ctx,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusTimestamp: at(14.485),
      messageId: 'msg-1',
    }),
    exchangeWith('HTTP+JSON', 'ListTasks', 200, { contentType: A2A_JSON, found: 1 }),
  ],
  'stream: submitted, working, input-required': [
    submitted(14.518),
    working(14.538, 'msg-2'),
    asked(14.559, 'msg-3'),
    closed('task-1'),
  ],
  'subscribe by GET': [waiting('msg-1', 14.485), closed('task-1', false)],
  'follow-up: completed': [
    plainArtifact('task-1', 'send-response', 'answer: blue', ctx),
    stateOf('task-1', 'send-response', {
      ...ctx,
      state: 'TASK_STATE_COMPLETED',
      statusTimestamp: at(16.212),
      messageId: 'msg-2',
    }),
  ],
  'get: unknown task': [
    exchangeWith('HTTP+JSON', 'GetTask', 404, {
      serverTaskId: 'no-such-task',
      contentType: A2A_JSON,
      reason: 'TASK_NOT_FOUND',
    }),
  ],
  'get without a version': [
    exchangeWith('HTTP+JSON', 'GetTask', 400, {
      serverTaskId: 'task-1',
      contentType: A2A_JSON,
      reason: 'VERSION_NOT_SUPPORTED',
    }),
  ],
  'cancel a terminal task': [
    exchangeWith('HTTP+JSON', 'CancelTask', 400, {
      serverTaskId: 'task-1',
      contentType: A2A_JSON,
      reason: 'TASK_NOT_CANCELABLE',
    }),
  ],
  'unknown path: a 404 page': [exchangeWith('HTTP+JSON', 'Unknown', 404, { contentType: 'text/html; charset=utf-8' })],
  'subscribe by POST after a restart': [
    exchangeWith('HTTP+JSON', 'SubscribeToTask', 404, {
      serverTaskId: 'task-1',
      contentType: A2A_JSON,
      reason: 'TASK_NOT_FOUND',
    }),
  ],
};

const compat: Expected<typeof COMPAT_0_3> = {
  'JSON-RPC send: input-required': [
    stateOf('task-1', 'send-response', {
      ...ctx,
      state: 'input-required',
      statusTimestamp: at(28.325),
      messageId: 'msg-2',
    }),
  ],
  'JSON-RPC stream: file part, completed': [
    stateOf('task-1', 'snapshot', { ...ctx, state: 'submitted', statusTimestamp: at(28.336) }),
    stateOf('task-1', 'status-update', {
      ...ctx,
      state: 'working',
      statusTimestamp: at(28.355),
      messageId: 'msg-2',
    }),
    png('status-update', true),
    stateOf('task-1', 'status-update', {
      ...ctx,
      state: 'completed',
      statusTimestamp: at(28.376),
      messageId: 'msg-3',
    }),
    closed('task-1'),
  ],
  'JSON-RPC get: unknown task': [
    exchangeWith('JSONRPC', 'GetTask', 200, { serverTaskId: 'nope', contentType: JSON_UTF8, rpcErrorCode: -32001 }),
  ],
  'JSON-RPC tasks/list: no such method': [
    exchangeWith('JSONRPC', 'Unknown', 200, { contentType: JSON_UTF8, rpcErrorCode: -32601 }),
  ],
  'HTTP get: proto enum names, content': [
    stateOf('task-1', 'poll', {
      ...ctx,
      state: 'TASK_STATE_INPUT_REQUIRED',
      statusTimestamp: at(28.325),
      messageId: 'msg-1',
    }),
  ],
  'HTTP send: 201, wrapped data': [
    ...nomime('send-response'),
    stateOf('task-1', 'send-response', {
      ...ctx,
      state: 'TASK_STATE_COMPLETED',
      statusTimestamp: at(28.427),
      messageId: 'msg-1',
    }),
  ],
  'HTTP get: unknown task': [
    exchangeWith('HTTP+JSON', 'GetTask', 404, { serverTaskId: 'nope', contentType: JSON_UTF8, rpcErrorCode: -32001 }),
  ],
};

const SSE_UTF8 = 'text/event-stream; charset=utf-8';
const untimed = stateOf('task-1', 'snapshot', { ...ctx, state: 'TASK_STATE_SUBMITTED' });
const midStream = exchangeWith('JSONRPC', 'SendStreamingMessage', 200, {
  serverTaskId: 'task-1',
  contentType: SSE_UTF8,
  ...internal,
  error: 'error-beside-words',
});

const python: Expected<typeof PYTHON> = {
  'stream: submitted without a timestamp': [untimed, working(26.382), asked(26.382, 'msg-2'), closed('task-1')],
  'send: executor throws': [
    exchangeWith('JSONRPC', 'SendMessage', 200, { contentType: 'application/json', ...internal }),
  ],
  'list: the failed task nobody was told of': [
    stateOf('task-1', 'list', { contextId: 'py-boom-2', state: 'TASK_STATE_FAILED', statusTimestamp: at(26.39) }),
    exchangeWith('JSONRPC', 'ListTasks', 200, { contentType: 'application/json', found: 1 }),
  ],
  'stream: executor throws': [untimed, working(26.396), midStream, closed('task-1')],
  'stream: an error behind completed': [untimed, working(26.403), completed(26.403), midStream, closed('task-1')],
  'HTTP get: unknown task': [
    exchangeWith('HTTP+JSON', 'GetTask', 404, {
      serverTaskId: 'nope',
      contentType: 'application/json',
      reason: 'TASK_NOT_FOUND',
    }),
  ],
};

const check = (recordings: Readonly<Record<string, Recording>>, expected: Expected<Record<string, unknown>>): void => {
  test.each(Object.entries(recordings))('should observe exactly what was said in "%s"', (name, recording) => {
    expect(observe(exchangeOf(recording), UNIT, AGENT, ASKER)).toStrictEqual(expected[name]);
  });
};

describe('recorded exchanges over HTTP+JSON, of 0.3, of Python, and pushes', () => {
  describe('JavaScript SDK, HTTP+JSON 1.0', () => {
    check(JS_HTTP, http);
  });
  describe('JavaScript SDK, 0.3 compatibility', () => {
    check(COMPAT_0_3, compat);
  });
  describe('Python SDK 1.0', () => {
    check(PYTHON, python);
  });

  test('should observe a push by its own road, whatever it carries', () => {
    const observed = PUSHES.flatMap((body) => observe({ kind: 'push', body }, UNIT, AGENT, ASKER));

    expect(observed).toStrictEqual([
      stateOf('task-1', 'push', { ...ctx, state: 'TASK_STATE_SUBMITTED', statusTimestamp: at(56.911) }),
      stateOf('task-1', 'push', {
        ...ctx,
        state: 'TASK_STATE_WORKING',
        statusTimestamp: at(56.975),
        messageId: 'msg-1',
      }),
      plainArtifact('task-1', 'push', 'answer: hello', { ...ctx, lastChunk: true }),
    ]);
  });
});
