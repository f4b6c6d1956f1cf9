import { describe, expect, test } from '@jest/globals';
import type { WireExchange, WireRequest } from '../../../topology/a2a/exchange.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { isOutcomeUnknown, isTaskNotFound } from '../../../topology/a2a/not-found.js';
import { beginStream, endStream, observeEvent } from '../../../topology/a2a/observe-stream.js';
import { observe, witnessOf } from '../../../topology/a2a/observe.js';
import { readRequest } from '../../../topology/a2a/request.js';
import type { SseEvent } from '../../../topology/a2a/stream.js';
import { TASK_STATES, STATE_CLASS } from '../../../topology/task/task-state.js';
import {
  AGENT,
  ASKER,
  closed,
  exchangeWith,
  messageOf,
  plainArtifact,
  stateOf,
  UNIT,
} from '../../kit/wire/expected.js';

const rpc = (method: string, params: unknown): WireRequest => ({
  binding: 'JSONRPC',
  headers: { 'a2a-version': '1.0' },
  body: { jsonrpc: '2.0', id: 1, method, params },
});
const GET = rpc('GetTask', { id: 't-1' });
const SEND = rpc('SendMessage', { message: { messageId: 'm' } });
const STREAM = rpc('SendStreamingMessage', { message: { messageId: 'm' } });
const FOLLOW_UP = rpc('SendMessage', { message: { messageId: 'm', taskId: 't-1' } });
const SUBSCRIBE = rpc('SubscribeToTask', { id: 't-1' });
const LIST = rpc('ListTasks', { contextId: 'c' });

const seen = (exchange: WireExchange) => observe(exchange, UNIT, AGENT, ASKER);
const answered = (request: WireRequest, body: unknown, status = 200, error?: string) =>
  seen({ kind: 'call', request, answer: { status, body, ...(error !== undefined && { error }) } });
const result = (value: unknown) => ({ jsonrpc: '2.0', id: 1, result: value });
const frame = (value: unknown): SseEvent => ({ data: JSON.stringify(result(value)) });
const streamed = (request: WireRequest, events: readonly SseEvent[], ended: 'clean' | 'broken' = 'clean') =>
  seen({ kind: 'call', request, answer: { status: 200, events, ended } });
const task = (state: string, artifacts: unknown = []) => ({ id: 't-1', status: { state }, artifacts });
const artifact = { artifactId: 'a1', parts: [{ text: 'x', mediaType: 'text/plain' }] };

describe('order of a snapshot', () => {
  test.each(TASK_STATES)('should put the artifacts before %s only if it is terminal (R22)', (state) => {
    const said = stateOf('t-1', 'poll', { state });
    const emitted = plainArtifact('t-1', 'poll', 'x');

    expect(answered(GET, result(task(state, [artifact])))).toStrictEqual(
      STATE_CLASS[state] === 'terminal' ? [emitted, said] : [said, emitted],
    );
  });

  test.each([undefined, '', 'TASK_STATE_UNSPECIFIED', 'done'])(
    'should put a state that is none (%p) first',
    (state) => {
      const said = stateOf('t-1', 'poll', state === undefined ? {} : { state });

      expect(answered(GET, result({ id: 't-1', status: { state }, artifacts: [artifact] }))).toStrictEqual([
        said,
        plainArtifact('t-1', 'poll', 'x'),
      ]);
    },
  );
});

describe('the road of a word', () => {
  test.each([
    ['GetTask', GET, task('working'), 'poll'],
    ['CancelTask', rpc('CancelTask', { id: 't-1' }), task('working'), 'poll'],
    ['SendMessage', SEND, { task: task('working') }, 'send-response'],
    ['SendStreamingMessage answered by plain JSON', STREAM, { task: task('working') }, 'send-response'],
    ['SubscribeToTask answered by plain JSON', SUBSCRIBE, { task: task('working') }, 'snapshot'],
    ['SendMessage without a wrapper', SEND, task('working'), 'send-response'],
    ['GetTask with a wrapper', GET, { task: task('working') }, 'poll'],
  ] as const)('should be told by the operation: %s', (_, request, value, via) => {
    expect(answered(request, result(value))).toStrictEqual([stateOf('t-1', via, { state: 'working' })]);
  });

  test('should be a status update for an update that a plain answer holds', () => {
    const update = { statusUpdate: { taskId: 't-1', status: {} }, artifactUpdate: { taskId: 't-1', artifact } };

    expect(answered(SEND, result(update))).toStrictEqual([
      stateOf('t-1', 'status-update'),
      plainArtifact('t-1', 'status-update', 'x'),
    ]);
  });

  test('should be the list for each task of a list, and the exchange says how many', () => {
    const tasks = [task('working'), { ...task('completed', [artifact]), id: 't-2' }];

    expect(answered(LIST, result({ tasks, nextPageToken: '' }))).toStrictEqual([
      stateOf('t-1', 'list', { state: 'working' }),
      plainArtifact('t-2', 'list', 'x'),
      stateOf('t-2', 'list', { state: 'completed' }),
      exchangeWith('JSONRPC', 'ListTasks', 200, { found: 2 }),
    ]);
  });

  test.each([
    [{ tasks: [] }, 0],
    [{}, 0],
    [{ tasks: [], nextPageToken: 'more' }, undefined],
    [{ tasks: 'none' }, undefined],
    ['none', undefined],
  ])('should not conclude from %j that there are no tasks where there may be', (value, found) => {
    expect(answered(LIST, result(value))).toStrictEqual([
      exchangeWith('JSONRPC', 'ListTasks', 200, found === undefined ? {} : { found }),
    ]);
  });

  test('should be a status update for what is pushed down a stream, and a snapshot for each Task in it', () => {
    const events = [
      frame({ task: task('submitted') }),
      frame({ artifactUpdate: { artifact, lastChunk: true } }),
      frame({ statusUpdate: { taskId: 't-1', status: { state: 'working' } } }),
      frame({ task: task('completed') }),
    ];

    expect(streamed(STREAM, events)).toStrictEqual([
      stateOf('t-1', 'snapshot', { state: 'submitted' }),
      plainArtifact('t-1', 'status-update', 'x', { lastChunk: true }),
      stateOf('t-1', 'status-update', { state: 'working' }),
      stateOf('t-1', 'snapshot', { state: 'completed' }),
      closed('t-1'),
    ]);
  });

  test('should be a push for a webhook, in the shape of 0.3 as well', () => {
    expect(seen({ kind: 'push', body: { kind: 'task', ...task('working') } })).toStrictEqual([
      stateOf('t-1', 'push', { state: 'working' }),
    ]);
    const data = { id: 't-1', status: {}, artifacts: [{ parts: [{ data: { data: { k: 1 } } }] }] };
    const bodies = [data, { kind: 'task', ...data }].flatMap((body) =>
      seen({ kind: 'push', body }).flatMap((one) => (one.type === 'ArtifactObserved' ? one.content : [])),
    );
    expect(bodies.map(({ body }) => body)).toStrictEqual(['{"data":{"k":1}}', '{"k":1}']);
    expect(seen({ kind: 'push', body: { message: { messageId: 'm' } } })).toStrictEqual([
      exchangeWith('HTTP+JSON', 'PushNotification', 0, { error: 'unreadable' }),
    ]);
  });
});

describe('a Message (R51)', () => {
  const message = { message: { messageId: 'm-2', contextId: 'c' } };

  test('should answer a dispatch, in a body, in a stream, and in the shape of 0.3', () => {
    const said = [messageOf('m-2', 'c')];

    expect(answered(SEND, result(message))).toStrictEqual(said);
    expect(streamed(STREAM, [frame(message)])).toStrictEqual(said);
    expect(answered(rpc('message/send', {}), result({ kind: 'message', ...message.message }))).toStrictEqual(said);
  });

  test('should answer none where a task is in sight: the exchange carried no task', () => {
    const about = { serverTaskId: 't-1' };

    expect(answered(FOLLOW_UP, result(message))).toStrictEqual([exchangeWith('JSONRPC', 'SendMessage', 200, about)]);
    expect(answered(SEND, result({ message: { messageId: 'm-2', taskId: 't-1' } }))).toStrictEqual([
      exchangeWith('JSONRPC', 'SendMessage', 200, about),
    ]);
    expect(streamed(STREAM, [frame({ task: task('working') }), frame(message)])).toStrictEqual([
      stateOf('t-1', 'snapshot', { state: 'working' }),
      closed('t-1'),
    ]);
  });
});

describe('traps of the wire', () => {
  test('TaskNotFound over JSON-RPC comes under HTTP 200, and a 404 page is none', () => {
    const [told] = answered(GET, { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'x' } });
    const [page] = answered({ binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/t-1' }, '<html>Not found</html>', 404);

    expect(told?.type === 'ExchangeObserved' && isTaskNotFound(told)).toBe(true);
    expect(page?.type === 'ExchangeObserved' && isTaskNotFound(page)).toBe(false);
  });

  test('a missing push configuration says -32001 too, and loses no task', () => {
    const request = rpc('GetTaskPushNotificationConfig', { taskId: 't-1', id: 'cfg' });
    const [told] = answered(request, { jsonrpc: '2.0', id: 1, error: { code: -32001 } });

    expect(told).toStrictEqual(
      exchangeWith('JSONRPC', 'GetTaskPushNotificationConfig', 200, { serverTaskId: 't-1', rpcErrorCode: -32001 }),
    );
    expect(told?.type === 'ExchangeObserved' && isTaskNotFound(told)).toBe(false);
  });

  test('a push configuration has an ID and is no task', () => {
    const request = rpc('CreateTaskPushNotificationConfig', { taskId: 't-1' });

    expect(answered(request, result({ id: 'cfg', taskId: 't-1', status: {} }))).toStrictEqual([
      exchangeWith('JSONRPC', 'CreateTaskPushNotificationConfig', 200, { serverTaskId: 't-1' }),
    ]);
  });

  test('the Python SDK answers -32603 without a task ID while it stores a FAILED task: outcome unknown (R52)', () => {
    const [told] = answered(SEND, { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'boom' } });

    expect(told?.type === 'ExchangeObserved' && isOutcomeUnknown(told)).toBe(true);
  });

  test('an error behind COMPLETED leaves it standing, and a stream that named its task leaves no unknown outcome', () => {
    const error = { event: 'error', data: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603}}' };
    const observed = streamed(STREAM, [frame({ task: task('completed') }), error]);

    expect(observed).toStrictEqual([
      stateOf('t-1', 'snapshot', { state: 'completed' }),
      exchangeWith('JSONRPC', 'SendStreamingMessage', 200, {
        serverTaskId: 't-1',
        rpcErrorCode: -32603,
        error: 'error-beside-words',
      }),
      closed('t-1'),
    ]);
    expect(observed.filter((one) => one.type === 'ExchangeObserved' && isOutcomeUnknown(one))).toStrictEqual([]);
  });

  test('a subscription refused in its first event is refused as in a plain answer', () => {
    const error = { event: 'error', data: '{"jsonrpc":"2.0","id":1,"error":{"code":-32001}}' };
    const observed = streamed(SUBSCRIBE, [error]);

    expect(observed).toStrictEqual([
      exchangeWith('JSONRPC', 'SubscribeToTask', 200, { serverTaskId: 't-1', rpcErrorCode: -32001 }),
      closed('t-1'),
    ]);
    expect(observed.filter((one) => one.type === 'ExchangeObserved' && isTaskNotFound(one))).toHaveLength(1);
  });

  test.each([
    ['{"error":{"details":[]}}', undefined],
    ['{"code":-32603,"message":"x"}', -32603],
    ['boom', undefined],
  ])('an error event of HTTP+JSON is one, whatever stands in it: %s', (data, rpcErrorCode) => {
    const request: WireRequest = { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/t-1:subscribe' };

    expect(streamed(request, [{ event: 'error', data }])).toStrictEqual([
      exchangeWith('HTTP+JSON', 'SubscribeToTask', 200, {
        serverTaskId: 't-1',
        ...(rpcErrorCode !== undefined && { rpcErrorCode }),
      }),
      closed('t-1'),
    ]);
  });

  test('an error body of HTTP+JSON in an event of the default type is an error as well', () => {
    const request: WireRequest = { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/t-1:subscribe' };
    const events = [{ data: '{"error":{"code":500,"status":"INTERNAL"}}' }, { data: '{"error":"text"}' }];

    expect(streamed(request, events)).toStrictEqual([
      exchangeWith('HTTP+JSON', 'SubscribeToTask', 200, { serverTaskId: 't-1' }),
      closed('t-1'),
    ]);
  });

  test('a stream that says nothing is an answer without a task; only one about a task is closed (R32, R52)', () => {
    const empty = (error: string, rest = {}) => ({ error, ...rest });

    expect(streamed(STREAM, [{ data: 'ping' }])).toStrictEqual([
      exchangeWith('JSONRPC', 'SendStreamingMessage', 200, empty('empty-stream')),
    ]);
    expect(streamed(SUBSCRIBE, [], 'broken')).toStrictEqual([
      exchangeWith('JSONRPC', 'SubscribeToTask', 200, empty('broken-stream', { serverTaskId: 't-1' })),
      closed('t-1', false),
    ]);
  });

  test('a follow-up stream may begin with an update that is about the task asked for', () => {
    const request = rpc('SendStreamingMessage', { message: { messageId: 'm', taskId: 't-1' } });

    expect(streamed(request, [frame({ statusUpdate: { status: {} } })])).toStrictEqual([
      stateOf('t-1', 'status-update'),
      closed('t-1'),
    ]);
  });

  test('a task without a status is a readable message without a state (R3), and one without an ID is the one asked for', () => {
    expect(answered(GET, result({ id: 't-9' }))).toStrictEqual([stateOf('t-9', 'poll')]);
    expect(answered(GET, result({ status: { state: 'working' } }))).toStrictEqual([
      stateOf('t-1', 'poll', { state: 'working' }),
    ]);
    for (const none of [{ task: { status: { state: 'working' } } }, { id: 't-1' }, { status: {} }]) {
      expect(answered(SEND, result(none))).toStrictEqual([exchangeWith('JSONRPC', 'SendMessage', 200)]);
    }
  });

  test('another Holdfast says `indeterminate` in its metadata (R2), and an echoed correlation ID is kept as it stands (R54)', () => {
    const metadata = { [LIFECYCLE_EXTENSION]: { correlationId: ' c ', phase: 'indeterminate', reason: 'lost' } };

    expect(answered(GET, result({ ...task('TASK_STATE_UNSPECIFIED'), metadata }))).toStrictEqual([
      stateOf('t-1', 'poll', {
        state: 'TASK_STATE_UNSPECIFIED',
        metadataCorrelationId: ' c ',
        lifecycleReason: 'indeterminate',
      }),
    ]);
  });

  test('every reading of an ambiguous body is taken: nobody knows which the client takes', () => {
    const both = { kind: 'task', ...task('working'), artifactUpdate: { taskId: 't-1', artifact } };

    expect(streamed(SUBSCRIBE, [frame(both)])).toStrictEqual([
      stateOf('t-1', 'snapshot', { state: 'working' }),
      plainArtifact('t-1', 'status-update', 'x'),
      closed('t-1'),
    ]);
    expect(answered(GET, { ...result(task('working')), error: { code: -32603 } })).toStrictEqual([
      stateOf('t-1', 'poll', { state: 'working' }),
      exchangeWith('JSONRPC', 'GetTask', 200, {
        serverTaskId: 't-1',
        rpcErrorCode: -32603,
        error: 'error-beside-words',
      }),
    ]);
  });

  test('HTTP+JSON speaks of tasks under 2xx only, JSON-RPC in its envelope only', () => {
    const request: WireRequest = { binding: 'HTTP+JSON', verb: 'GET', path: '/tasks/t-1' };

    for (const status of [199, 300, 500]) {
      expect(answered(request, task('working'), status)).toStrictEqual([
        exchangeWith('HTTP+JSON', 'GetTask', status, { serverTaskId: 't-1' }),
      ]);
    }
    for (const status of [200, 201, 299]) {
      expect(answered(request, task('working'), status)).toStrictEqual([stateOf('t-1', 'poll', { state: 'working' })]);
    }
    expect(answered(GET, task('working'))).toStrictEqual([
      exchangeWith('JSONRPC', 'GetTask', 200, { serverTaskId: 't-1' }),
    ]);
  });

  test('no answer is an exchange with its cause', () => {
    expect(seen({ kind: 'call', request: SEND, answer: { status: 0, error: 'timeout' } })).toStrictEqual([
      exchangeWith('JSONRPC', 'SendMessage', 0, { error: 'timeout' }),
    ]);
  });
});

describe('an error beside words', () => {
  const error = { code: -32001 };
  const message = { message: { messageId: 'm-2', taskId: 't-1' } };

  test('should lose no task that the request did not name, in a body or in a stream', () => {
    const observed = [
      ...answered(SEND, { ...result({ task: task('working') }), error }),
      ...answered(SEND, { ...result(message), error }),
      ...streamed(STREAM, [frame({ task: task('working') }), { data: JSON.stringify({ error }) }]),
      ...streamed(STREAM, [frame(message), { data: JSON.stringify({ error }) }]),
    ];

    const exchanges = observed.filter((one) => one.type === 'ExchangeObserved');
    expect(exchanges.map((one) => one.serverTaskId)).toStrictEqual(['t-1', 't-1', 't-1', 't-1']);
    expect(exchanges.filter((one) => isTaskNotFound(one) || isOutcomeUnknown(one))).toStrictEqual([]);
  });
});

describe('a stream in flight', () => {
  test('should be observed event by event as it is in whole', () => {
    const events = [
      frame({ task: task('submitted') }),
      frame({ statusUpdate: { status: { state: 'working' } } }),
      { data: 'no JSON' },
      { event: 'error', data: '{"error":{"code":-32603}}' },
    ];
    const request = readRequest(STREAM);
    const witness = witnessOf(request, UNIT, AGENT, ASKER);
    const head = { status: 200 };

    let place = beginStream(request.serverTaskId);
    const observations = events.flatMap((event) => {
      const step = observeEvent(witness, place, head, event);
      place = step.place;
      return step.observations;
    });

    expect([...observations, ...endStream(witness, place, head, 'broken')]).toStrictEqual(
      streamed(STREAM, events, 'broken'),
    );
  });
});

describe('the unit and the asker', () => {
  test('should be as they were given, and nothing more of them', () => {
    const unit = { correlationId: 'c', stray: 1 };
    const exchange: WireExchange = { kind: 'call', request: GET, answer: { status: 0, error: 'reset' } };

    expect(observe(exchange, unit, AGENT, { by: 'holdfast' })).toStrictEqual([
      {
        type: 'ExchangeObserved',
        correlationId: 'c',
        agentId: AGENT,
        binding: 'JSONRPC',
        method: 'GetTask',
        serverTaskId: 't-1',
        httpStatus: 0,
        error: 'reset',
        by: 'holdfast',
      },
    ]);
  });
});
