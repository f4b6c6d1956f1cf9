import { describe, expect, test } from '@jest/globals';
import { A2A_ERRORS, readHttpError, readRpcError } from '../../../topology/a2a/error.js';
import { A2A_METHODS } from '../../../topology/a2a/method.js';
import { isOutcomeUnknown, isRefused, isTaskNotFound } from '../../../topology/a2a/not-found.js';
import type { Binding, ExchangeObserved } from '../../../topology/observation.js';
import { exchangeWith } from '../../kit/wire/expected.js';

const info = (reason: unknown, domain: unknown = 'a2a-protocol.org') => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
});

describe('an error object', () => {
  test.each([
    [
      '1.0',
      { code: -32001, message: 'x', data: [info('TASK_NOT_FOUND')] },
      { rpcErrorCode: -32001, reason: 'TASK_NOT_FOUND' },
    ],
    ['0.3', { code: -32001, message: 'x' }, { rpcErrorCode: -32001 }],
    [
      'ErrorInfo behind others',
      { code: -32602, data: [{}, 7, { '@type': 'x/google.rpc.BadRequest' }, info('A')] },
      { rpcErrorCode: -32602, reason: 'A' },
    ],
    ['a foreign domain', { code: -32000, data: [info('TASK_NOT_FOUND', 'proxy.example')] }, { rpcErrorCode: -32000 }],
    ['no domain', { data: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }] }, {}],
    ['another detail', { data: [{ ...info('TASK_NOT_FOUND'), '@type': 'type.googleapis.com/google.rpc.Help' }] }, {}],
    ['a reason that is no text', { data: [info(['TASK_NOT_FOUND'])] }, {}],
    ['a code that is no integer', { code: '-32001' }, {}],
    ['a broken code', { code: -32001.5, data: {} }, {}],
    ['a text', 'TASK_NOT_FOUND', {}],
    ['a list', [-32001], {}],
    ['a prototype', JSON.parse('{"__proto__":{"code":-32001}}'), {}],
  ])('should be read from JSON-RPC: %s', (_, error, expected) => {
    expect(readRpcError(error)).toStrictEqual(expected);
  });

  test.each([
    [
      '1.0',
      { error: { code: 404, status: 'NOT_FOUND', details: [info('TASK_NOT_FOUND')] } },
      { reason: 'TASK_NOT_FOUND' },
    ],
    ['1.0 without details', { error: { code: 404, status: 'NOT_FOUND' } }, {}],
    ['an A2A code where the status belongs', { error: { code: -32001 } }, {}],
    ['0.3', { code: -32001, message: 'x' }, { rpcErrorCode: -32001 }],
    ['a status for a code', { code: 404 }, {}],
    ['no code', { code: 0 }, {}],
    ['a page', '<html>TASK_NOT_FOUND -32001</html>', {}],
    ['nothing', undefined, {}],
    ['an error that is a text', { error: 'not_found', code: 404 }, {}],
  ])('should be read from HTTP+JSON: %s', (_, body, expected) => {
    expect(readHttpError(body)).toStrictEqual(expected);
  });
});

const task = { serverTaskId: 't' };
const proof: Readonly<Record<Binding, Partial<ExchangeObserved>>> = {
  JSONRPC: { rpcErrorCode: -32001 },
  'HTTP+JSON': { reason: 'TASK_NOT_FOUND' },
  GRPC: { reason: 'TASK_NOT_FOUND' },
};
const bindings: readonly Binding[] = ['JSONRPC', 'HTTP+JSON', 'GRPC'];
const product = bindings.flatMap((binding) => A2A_METHODS.map((method) => ({ binding, method })));
const ABOUT = new Set(['GetTask', 'SubscribeToTask', 'CancelTask', 'SendMessage', 'SendStreamingMessage']);

describe('TaskNotFound (R25)', () => {
  test.each(product)(
    'should be what $binding says to $method about a task, and to nothing else',
    ({ binding, method }) => {
      const exchange = exchangeWith(binding, method, 404, { ...task, ...proof[binding] });

      expect(isTaskNotFound(exchange)).toBe(ABOUT.has(method));
      expect(isTaskNotFound(exchangeWith(binding, method, 404, proof[binding]))).toBe(false);
      expect(isTaskNotFound(exchangeWith(binding, method, 404, task))).toBe(false);
    },
  );

  test('should be told over JSON-RPC under any HTTP status, also 200', () => {
    for (const status of [200, 404, 500]) {
      expect(isTaskNotFound(exchangeWith('JSONRPC', 'GetTask', status, { ...task, rpcErrorCode: -32001 }))).toBe(true);
    }
  });

  test('should be told by 0.3 HTTP+JSON with the code in the body', () => {
    expect(isTaskNotFound(exchangeWith('HTTP+JSON', 'GetTask', 404, { ...task, rpcErrorCode: -32001 }))).toBe(true);
  });

  test.each<[string, Binding, number, Partial<ExchangeObserved>]>([
    ['a bare 404', 'HTTP+JSON', 404, {}],
    ['a 404 page', 'HTTP+JSON', 404, { contentType: 'text/html' }],
    ['a bare 404 over JSON-RPC', 'JSONRPC', 404, {}],
    ['an internal error', 'JSONRPC', 200, { rpcErrorCode: -32603 }],
    ['an unknown method', 'JSONRPC', 200, { rpcErrorCode: -32601 }],
    ['a reason without the code', 'JSONRPC', 200, { rpcErrorCode: -32000, reason: 'TASK_NOT_FOUND' }],
    ['a reason alone over JSON-RPC', 'JSONRPC', 404, { reason: 'TASK_NOT_FOUND' }],
    ['another reason with the code', 'HTTP+JSON', 404, { rpcErrorCode: -32001, reason: 'UNSUPPORTED_OPERATION' }],
    ['a code over gRPC', 'GRPC', 200, { rpcErrorCode: -32001 }],
    ['a server error', 'HTTP+JSON', 503, {}],
    ['no answer', 'JSONRPC', 0, { error: 'timeout' }],
    ['half an answer', 'JSONRPC', 200, { rpcErrorCode: -32001, error: 'reset' }],
    ['an error behind other words of a stream', 'JSONRPC', 200, { rpcErrorCode: -32001, error: 'error-beside-words' }],
  ])('should not be %s', (_, binding, status, rest) => {
    expect(isTaskNotFound(exchangeWith(binding, 'SubscribeToTask', status, { ...task, ...rest }))).toBe(false);
  });
});

describe('the outcome of a dispatch', () => {
  const cases: readonly [string, Binding, number, Partial<ExchangeObserved>, 'unknown' | 'refused'][] = [
    ['no answer', 'JSONRPC', 0, { error: 'timeout' }, 'unknown'],
    ['no answer without a cause', 'HTTP+JSON', 0, {}, 'unknown'],
    ['no answer, whatever else is claimed', 'JSONRPC', 0, { rpcErrorCode: -32602 }, 'unknown'],
    ['a torn answer', 'HTTP+JSON', 200, { error: 'reset' }, 'unknown'],
    ['a code in a torn answer', 'JSONRPC', 200, { error: 'reset', rpcErrorCode: -32602 }, 'unknown'],
    ['a torn 400', 'HTTP+JSON', 400, { error: 'reset' }, 'refused'],
    ['a torn 500', 'HTTP+JSON', 500, { error: 'reset' }, 'unknown'],
    ['an empty stream', 'JSONRPC', 200, { error: 'empty-stream' }, 'unknown'],
    ['500', 'HTTP+JSON', 500, {}, 'unknown'],
    ['502 with a page', 'JSONRPC', 502, { contentType: 'text/html' }, 'unknown'],
    ['-32603', 'JSONRPC', 200, { rpcErrorCode: -32603 }, 'unknown'],
    ['-32603 under 400', 'JSONRPC', 400, { rpcErrorCode: -32603 }, 'unknown'],
    ['-32602 under 500', 'JSONRPC', 500, { rpcErrorCode: -32602 }, 'unknown'],
    ['a page under 200', 'HTTP+JSON', 200, { contentType: 'text/html' }, 'unknown'],
    ['a redirect', 'HTTP+JSON', 302, {}, 'unknown'],
    ['400', 'HTTP+JSON', 400, {}, 'refused'],
    ['401', 'JSONRPC', 401, {}, 'refused'],
    ['404 page', 'HTTP+JSON', 404, { contentType: 'text/html' }, 'refused'],
    ['429', 'HTTP+JSON', 429, {}, 'refused'],
    ['-32602', 'JSONRPC', 200, { rpcErrorCode: -32602 }, 'refused'],
    ['-32000', 'JSONRPC', 200, { rpcErrorCode: -32000 }, 'refused'],
    ['-32001 without a task ID', 'JSONRPC', 200, { rpcErrorCode: -32001 }, 'refused'],
    ['0.3 code', 'HTTP+JSON', 400, { rpcErrorCode: -32005 }, 'refused'],
  ];
  test.each(cases)('should follow from %s', (_, binding, status, rest, outcome) => {
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const exchange = exchangeWith(binding, method, status, rest);

      expect([isOutcomeUnknown(exchange), isRefused(exchange)]).toStrictEqual([
        outcome === 'unknown',
        outcome === 'refused',
      ]);
    }
  });

  test.each(A2A_ERRORS)(
    'should follow from $reason by code or reason, whatever the status (it changed within 1.0)',
    (error) => {
      for (const status of [400, 409, 415, 500, 501, 502]) {
        for (const exchange of [
          exchangeWith('JSONRPC', 'SendMessage', status, { rpcErrorCode: error.rpcErrorCode }),
          exchangeWith('HTTP+JSON', 'SendMessage', status, { reason: error.reason }),
        ]) {
          expect(isOutcomeUnknown(exchange)).toBe(error.reason === 'INVALID_AGENT_RESPONSE');
          expect(isRefused(exchange)).toBe(error.reason !== 'INVALID_AGENT_RESPONSE');
        }
      }
    },
  );

  test('should be asked of nothing that is no dispatch', () => {
    for (const [, binding, status, rest] of cases) {
      const none = [
        exchangeWith(binding, 'SendMessage', status, { ...rest, ...task }),
        ...A2A_METHODS.filter((method) => !method.startsWith('Send')).map((method) =>
          exchangeWith(binding, method, status, rest),
        ),
        exchangeWith(binding, 'Unknown', status, rest),
      ];

      expect(none.filter((exchange) => isOutcomeUnknown(exchange) || isRefused(exchange))).toStrictEqual([]);
    }
  });
});
