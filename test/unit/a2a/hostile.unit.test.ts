import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { WireExchange, WireObservation, WireRequest } from '../../../topology/a2a/exchange.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { isOutcomeUnknown, isRefused, isTaskNotFound } from '../../../topology/a2a/not-found.js';
import { observe } from '../../../topology/a2a/observe.js';
import { readBody } from '../../../topology/a2a/json.js';
import { A2A_METHODS, OPERATIONS } from '../../../topology/a2a/method.js';
import { AGENT, ASKER, UNIT } from '../../kit/wire/expected.js';

const KEYS = [
  ...['id', 'taskId', 'contextId', 'context_id', 'messageId', 'status', 'state', 'timestamp', 'message', 'metadata'],
  ...['task', 'statusUpdate', 'artifactUpdate', 'msg', 'kind', 'artifacts', 'artifact', 'artifactId', 'parts', 'text'],
  ...['raw', 'url', 'data', 'file', 'bytes', 'uri', 'fileWithBytes', 'mediaType', 'mimeType', 'append', 'lastChunk'],
  ...['tasks', 'nextPageToken', 'result', 'error', 'code', 'details', 'reason', 'domain', '@type', 'params', 'method'],
  ...['configuration', 'acceptedOutputModes', 'referenceTaskIds', 'tenant', 'correlationId', 'phase', 'attempt'],
  ...[LIFECYCLE_EXTENSION, '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'toJSON', ''],
];
const WORDS = [
  ...['t-1', 'TASK_STATE_COMPLETED', 'working', 'task', 'message', 'status-update', 'artifact-update', 'text', 'file'],
  ...['2026-12-01T01:59:11.879Z', 'text/plain', 'UE5HREFUQQ==', '\ud800', '\0', '', 'TASK_NOT_FOUND'],
];

/** JSON that is close to the protocol, and JSON that is not; from its text, so that `__proto__` is a key of its own. */
const json = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -32001, -32603, 1e308, ...WORDS),
    fc.array(tie('node'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...KEYS), tie('node')), { maxLength: 6 })
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join()}}`)
      .map((text) => JSON.parse(text) as unknown),
  ),
})).node;
const write = (value: unknown): string => JSON.stringify(value);

const paths = A2A_METHODS.flatMap((method) =>
  OPERATIONS[method].http['1.0'].map((template) => template.replace(/\{\w+\}/g, 't-1').split(' ')),
);
const names = A2A_METHODS.flatMap((method) => {
  const { rpc } = OPERATIONS[method];
  return [rpc['1.0'].name, rpc['0.3']?.name ?? 'tasks/list'];
});
const headers = fc.constantFrom({}, { 'a2a-version': '1.0' });
const request: fc.Arbitrary<WireRequest> = fc.oneof(
  fc.record({
    binding: fc.constant('JSONRPC' as const),
    headers,
    body: fc.oneof(json, fc.record({ method: fc.constantFrom(...names), params: json })),
  }),
  fc
    .record({ where: fc.constantFrom(...paths), prefix: fc.constantFrom('', '/v1', '/acme'), headers, body: json })
    .map(({ where: [verb = '', path = ''], prefix, ...rest }) => ({
      binding: 'HTTP+JSON' as const,
      verb,
      path: `${prefix}${path}`,
      ...rest,
    })),
);
const status = fc.constantFrom(0, 200, 201, 204, 302, 400, 404, 500, 503);
const enveloped = fc.oneof(json, fc.record({ jsonrpc: fc.constant('2.0'), result: json }), fc.record({ error: json }));
const body = fc.oneof(enveloped, fc.string().map(readBody));
const event = fc.oneof(
  fc.record({ data: enveloped.map(write) }),
  fc.record({ event: fc.constantFrom('error', 'x'), data: fc.oneof(fc.string(), json.map(write)) }),
);
const exchange: fc.Arbitrary<WireExchange> = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), body }),
  fc.record({ kind: fc.constant('call' as const), request, answer: fc.record({ status, body }) }),
  fc.record({
    kind: fc.constant('call' as const),
    request,
    answer: fc.record({
      status,
      events: fc.array(event, { maxLength: 4 }),
      ended: fc.constantFrom('clean' as const, 'broken' as const),
    }),
  }),
);

const TYPES = new Set<string>([
  'TaskStateObserved',
  'ArtifactObserved',
  'MessageObserved',
  'ExchangeObserved',
  'StreamClosed',
]);

/** What must hold of every observation, whatever was said. */
const isSound = (one: WireObservation): boolean => {
  const common = TYPES.has(one.type) && one.correlationId === UNIT.correlationId && one.agentId === AGENT;
  const present = Object.values<unknown>(one).every((value) => value !== undefined);
  switch (one.type) {
    case 'TaskStateObserved':
      return common && present && one.serverTaskId !== '';
    case 'ArtifactObserved':
      return common && present && one.serverTaskId !== '' && one.content.length === one.parts.length;
    case 'ExchangeObserved':
      return common && present && [isTaskNotFound, isOutcomeUnknown, isRefused].filter((is) => is(one)).length <= 1;
    case 'MessageObserved':
    case 'StreamClosed':
      return common && present;
  }
};

describe('whatever the other side sends', () => {
  test('should yield sound observations, at least one, and never throw', () => {
    fc.assert(
      fc.property(exchange, (given) => {
        const observed = observe(given, UNIT, AGENT, ASKER);

        expect(observed.length).toBeGreaterThan(0);
        expect(observed.filter((one) => !isSound(one))).toStrictEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test('should be the same for the same exchange, which is left as it was', () => {
    fc.assert(
      fc.property(exchange, (given) => {
        const before = write(given);

        expect(observe(given, UNIT, AGENT, ASKER)).toStrictEqual(observe(given, UNIT, AGENT, ASKER));
        expect(write(given)).toBe(before);
      }),
    );
  });

  const depth = 50_000;
  test.each([
    ['arrays', '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', '{"task":'.repeat(depth) + '1' + '}'.repeat(depth)],
    ['parts', `{"task":{"id":"t","artifacts":[{"parts":[{"data":${'['.repeat(depth)}${']'.repeat(depth)}}]}]}}`],
    ['metadata', `{"task":{"id":"t","metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`],
  ])('should be read at any depth: %s', (_, text) => {
    const answer = { status: 200, body: readBody(`{"result":${text}}`) };
    const sent: WireRequest = { binding: 'JSONRPC', body: { method: 'SendMessage', params: { message: {} } } };

    expect(observe({ kind: 'call', request: sent, answer }, UNIT, AGENT, ASKER).every(isSound)).toBe(true);
    expect(observe({ kind: 'push', body: readBody(text) }, UNIT, AGENT, ASKER).every(isSound)).toBe(true);
  });

  test('should not be read out of a prototype', () => {
    const polluted = readBody(
      '{"__proto__":{"task":{"id":"t","status":{"state":"completed"}}},"result":{"__proto__":{"id":"t"}}}',
    );

    expect(observe({ kind: 'push', body: polluted }, UNIT, AGENT, ASKER).map(({ type }) => type)).toStrictEqual([
      'ExchangeObserved',
    ]);
  });
});

describe('a body', () => {
  test.each([
    ['', undefined],
    [' \r\n', undefined],
    ['\ufeff{"a":1}', { a: 1 }],
    ['null', null],
    ['[]', []],
    ['<html>', '<html>'],
    ['{"a":1', '{"a":1'],
  ])('should be its JSON, else its text: %j', (text, expected) => {
    expect(readBody(text)).toStrictEqual(expected);
  });
});
