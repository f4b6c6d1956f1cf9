import { describe, expect, test } from '@jest/globals';
import type { WireRequest } from '../../../topology/a2a/exchange.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { readRequest } from '../../../topology/a2a/request.js';

const send = {
  message: {
    messageId: 'm-1',
    contextId: 'ctx',
    taskId: 't-1',
    referenceTaskIds: ['t-0', '', 7, 't-9'],
    metadata: {
      [LIFECYCLE_EXTENSION]: { correlationId: ' \u00c5 c-1\n', skillId: 'echo', attempt: 2, probe: true },
    },
  },
  metadata: { [LIFECYCLE_EXTENSION]: { correlationId: 'not the authority' } },
  configuration: { acceptedOutputModes: ['application/json', null, 'text/*'], returnImmediately: true },
  tenant: 'acme',
};

const read = {
  messageId: 'm-1',
  contextId: 'ctx',
  serverTaskId: 't-1',
  referenceTaskIds: ['t-0', 't-9'],
  continues: true,
  acceptedOutputModes: ['application/json', 'text/*'],
  blocking: false,
  lifecycle: { correlationId: ' \u00c5 c-1\n', skillId: 'echo', attempt: 2, probe: true },
};

const nothing = { referenceTaskIds: [], continues: false, acceptedOutputModes: [], blocking: true, lifecycle: {} };
const rpc = (method: string, params: unknown, headers: WireRequest['headers'] = {}): WireRequest => ({
  binding: 'JSONRPC',
  headers,
  body: { jsonrpc: '2.0', id: 1, method, params },
});
const http = (body: unknown, headers: WireRequest['headers'] = {}): WireRequest => ({
  binding: 'HTTP+JSON',
  verb: 'post',
  path: '/message:send',
  headers,
  body,
});

describe('a message sent', () => {
  test('should be read alike in both bindings, with an opaque correlation ID', () => {
    const expected = {
      method: 'SendMessage',
      version: '1.0',
      dialect: '1.0',
      serverTaskId: 't-1',
      tenant: 'acme',
      message: read,
    };
    const headers = { 'a2a-version': '1.0' };

    expect(readRequest(rpc('SendMessage', send, headers))).toStrictEqual({ binding: 'JSONRPC', ...expected });
    expect(readRequest(http(send, headers))).toStrictEqual({ binding: 'HTTP+JSON', ...expected });
  });

  test('should be read by proto field names as well, which ProtoJSON parsers must take', () => {
    const snake = {
      message: { message_id: 'm-1', context_id: 'ctx', task_id: 't-1', reference_task_ids: ['t-0'] },
      configuration: { accepted_output_modes: ['text/plain'], return_immediately: true },
    };

    expect(readRequest(http(snake)).message).toStrictEqual({
      messageId: 'm-1',
      contextId: 'ctx',
      serverTaskId: 't-1',
      referenceTaskIds: ['t-0'],
      continues: true,
      acceptedOutputModes: ['text/plain'],
      blocking: false,
      lifecycle: {},
    });
  });

  test.each([
    ['nothing', {}, false],
    ['a context', { contextId: 'c' }, true],
    ['another task', { referenceTaskIds: ['t'] }, true],
    ['an empty context', { contextId: '' }, false],
    ['an empty list', { referenceTaskIds: [] }, false],
  ])('should be taken to continue earlier work where it names %s: %p → %p', (_, message, continues) => {
    expect(readRequest(http({ message })).message?.continues).toBe(continues);
  });

  test.each([
    [{}, true],
    [{ returnImmediately: false }, true],
    [{ returnImmediately: true }, false],
    [{ blocking: true }, true],
    [{ blocking: false }, false],
    [{ blocking: null, returnImmediately: 'true' }, true],
  ])('should block by default: %p → %p', (configuration, blocking) => {
    expect(readRequest(rpc('message/send', { message: {}, configuration })).message?.blocking).toBe(blocking);
  });

  test.each([
    null,
    [],
    'text',
    { message: [] },
    { message: 'm' },
    { message: { messageId: 1, contextId: {}, taskId: [], referenceTaskIds: 't', metadata: [] }, configuration: [] },
    {
      message: {
        messageId: '',
        metadata: { [LIFECYCLE_EXTENSION]: { correlationId: '', attempt: 1.5, probe: 'yes' } },
      },
    },
    { message: { metadata: { [LIFECYCLE_EXTENSION]: { correlationId: 5, attempt: 0, skillId: {} } } } },
    JSON.parse(`{"message":{"__proto__":{"taskId":"t","messageId":"m"},"metadata":{"__proto__":{}}}}`),
  ])('should say nothing where %j says nothing readable', (body) => {
    expect(readRequest(http(body)).message).toStrictEqual(nothing);
    expect(readRequest(rpc('SendMessage', body)).message).toStrictEqual(nothing);
  });
});

const spelling = (request: WireRequest) => {
  const { version, dialect } = readRequest(request);
  return { version, dialect };
};

describe('version and dialect', () => {
  test.each([
    [{ 'A2A-Version': '1.0' }, '1.0', '1.0'],
    [{ 'a2a-version': [' 1.0 ', '0.3'] }, '1.0', '1.0'],
    [{ 'a2a-version': '1.0.0' }, '1.0.0', '1.0'],
    [{ 'a2a-version': '1.1' }, '1.1', '1.0'],
    [{ 'a2a-version': '10.0' }, '10.0', '0.3'],
    [{ 'a2a-version': '0.3' }, '0.3', '0.3'],
    [{ 'a2a-version': ' ' }, '0.3', '0.3'],
    [{ 'a2a-version': undefined }, '0.3', '0.3'],
    [{}, '0.3', '0.3'],
  ])('should come from the header: %j → %s, %s', (headers, version, dialect) => {
    expect(spelling(http({}, headers))).toStrictEqual({ version, dialect });
  });

  test('should not come from the query parameter, which no server heeds', () => {
    const request: WireRequest = { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/1?A2A-Version=1.0' };

    expect(spelling(request)).toStrictEqual({ version: '0.3', dialect: '0.3' });
  });

  test('should be told by the method name over JSON-RPC, whatever the header declares', () => {
    expect(spelling(rpc('message/send', {}, { 'a2a-version': '1.0' }))).toStrictEqual({
      version: '1.0',
      dialect: '0.3',
    });
    expect(spelling(rpc('SendMessage', {}))).toStrictEqual({ version: '0.3', dialect: '1.0' });
  });
});

describe('what is no request', () => {
  test.each([undefined, null, 'x', [], [{ method: 'GetTask' }], {}, { method: 5 }, { method: 'rpc.discover' }])(
    'should be of an unknown method: %j',
    (body) => {
      expect(readRequest({ binding: 'JSONRPC', body })).toStrictEqual({
        binding: 'JSONRPC',
        method: 'Unknown',
        version: '0.3',
        dialect: '0.3',
      });
    },
  );

  test('should be of an unknown method where verb and path are missing', () => {
    expect(readRequest({ binding: 'HTTP+JSON' }).method).toBe('Unknown');
  });
});
