import { afterEach, describe, expect, test } from '@jest/globals';
import type { CanaryConfig } from '../../../infra/config/config.js';
import type { AgentEndpoint } from '../../../infra/http/agent-endpoint.js';
import { runCanary } from '../../../services/verifier/canary-run.js';
import type { Transcript } from '../../../services/verifier/transcript.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { artifact, fakeAgent, NOT_FOUND, status, task, type Call, type Reply } from './fake-agent.js';
import { closeServed } from './served.js';

afterEach(closeServed);

const ASK: CanaryConfig = { state: 'input-required', message: 'ask me', answer: 'blue' };
const MODE: CanaryConfig = { mode: 'text/plain', message: 'write' };
const TEXT = { text: 'draft', mediaType: 'text/plain' };
const ARTIFACTS = [{ artifactId: 'a', parts: [TEXT] }];

const put = async (
  reply: (call: Call, count: number) => Reply,
  canary = ASK,
  more: Partial<AgentEndpoint & { readonly timeoutMs: number }> = {},
): Promise<{ readonly transcript: Transcript; readonly calls: readonly Call[] }> => {
  const { url, calls } = await fakeAgent(reply);
  const { timeoutMs = 2_000, ...endpoint } = more;
  const target = {
    agentId: 'w1',
    endpoint: { url, streaming: true, extensions: [LIFECYCLE_EXTENSION], ...endpoint },
    headers: { authorization: 'us' },
    timeoutMs,
  };
  const transcript = await runCanary(target, canary, new AbortController().signal);
  return { transcript, calls };
};

/** An agent that does as it should: asks, is answered, completes. */
const proper = ({ method }: Call, count: number): Reply => {
  if (method === 'GetTask')
    return { result: task(count === 0 ? 'INPUT_REQUIRED' : 'COMPLETED', { artifacts: ARTIFACTS }) };
  const asking = [
    { task: task('SUBMITTED') },
    status('WORKING'),
    artifact([TEXT]),
    status('INPUT_REQUIRED', '2026-01-01T00:00:01Z'),
  ];
  const answered = [
    { task: task('INPUT_REQUIRED', { timestamp: '2026-01-01T00:00:01Z' }) },
    status('WORKING'),
    status('COMPLETED'),
  ];
  return { stream: count === 0 ? asking : answered };
};

describe('a canary', () => {
  test('should show every state, be seen again each time it stops, and be answered', async () => {
    const { transcript, calls } = await put(proper);

    expect(transcript).toMatchObject({
      end: 'settled',
      states: ['submitted', 'working', 'input-required', 'working', 'completed'],
      emitted: ['text/plain'],
      checks: [
        { state: 'input-required', found: 'same' },
        { state: 'completed', found: 'same' },
      ],
    });
    expect(calls.map(({ method }) => method)).toStrictEqual([
      'SendStreamingMessage',
      'GetTask',
      'SendStreamingMessage',
      'GetTask',
    ]);
  });

  test('should be marked as a probe, with a correlation ID, a context and a messenger of its own', async () => {
    const { calls } = await put(proper, { ...ASK, skillId: 'offer' }, { tenant: 'acme' });
    const [first, get, second] = calls;

    expect(first?.params).toMatchObject({
      tenant: 'acme',
      message: {
        role: 'ROLE_USER',
        contextId: expect.stringMatching(/^holdfast-probe-/) as unknown,
        parts: [{ text: 'ask me', mediaType: 'text/plain' }],
        extensions: [LIFECYCLE_EXTENSION],
        metadata: {
          [LIFECYCLE_EXTENSION]: {
            probe: true,
            skillId: 'offer',
            correlationId: expect.stringMatching(/^holdfast-probe-/) as unknown,
          },
        },
      },
    });
    expect(first?.headers).toMatchObject({
      authorization: 'us',
      'a2a-version': '1.0',
      'a2a-extensions': LIFECYCLE_EXTENSION,
    });
    expect(get?.params).toStrictEqual({ tenant: 'acme', id: 't-1' });
    expect(second?.params).toMatchObject({ message: { taskId: 't-1', contextId: 'c-1', parts: [{ text: 'blue' }] } });
  });

  test('should be looked at over a connection that nothing was said over before', async () => {
    const { calls } = await put(
      ({ method }, count) => {
        if (method !== 'GetTask') return { result: { task: task('SUBMITTED') } };
        return { result: task(count === 0 ? 'WORKING' : 'COMPLETED') };
      },
      MODE,
      { streaming: false },
    );
    const ports = calls.map(({ port }) => port);

    expect(calls.map(({ method }) => method)).toStrictEqual(['SendMessage', 'GetTask', 'GetTask', 'GetTask']);
    // What comes before shares one, or the last line would say nothing.
    expect(ports[2]).toBe(ports[1]);
    expect(ports.slice(0, 3)).not.toContain(ports[3]);
  });

  test('should not wait for a stream that stays open while the task waits', async () => {
    const { transcript } = await put((call, count) => {
      const reply = proper(call, count);
      return typeof reply === 'object' && 'stream' in reply ? { ...reply, open: true } : reply;
    });

    expect(transcript).toMatchObject({ end: 'settled', checks: [{ found: 'same' }, { found: 'same' }] });
  });

  test('should be asked after where the stream closes early, or there is none', async () => {
    const polled =
      (stream: Reply) =>
      ({ method }: Call, count: number): Reply => {
        if (method !== 'GetTask') return stream;
        return { result: count === 0 ? task('WORKING') : task('COMPLETED', { artifacts: ARTIFACTS }) };
      };

    const early = await put(polled({ stream: [{ task: task('SUBMITTED') }] }), MODE);
    const without = await put(polled({ result: { task: task('SUBMITTED') } }), MODE, { streaming: false });

    for (const { transcript } of [early, without])
      expect(transcript).toMatchObject({
        end: 'settled',
        states: ['submitted', 'working', 'completed'],
        emitted: ['text/plain'],
        checks: [{ state: 'completed', found: 'same' }],
      });
    expect(without.calls[0]).toMatchObject({
      method: 'SendMessage',
      params: { configuration: { acceptedOutputModes: ['text/plain'], returnImmediately: true } },
    });
  });

  test('should take chunks and the whole for the same artifact', async () => {
    const chunks = [
      artifact([{ text: 'dr', mediaType: 'text/plain' }]),
      artifact([{ text: 'aft', mediaType: 'text/plain' }], { append: true }),
    ];

    const { transcript } = await put(
      ({ method }) =>
        method === 'GetTask'
          ? { result: task('COMPLETED', { artifacts: ARTIFACTS }) }
          : { stream: [{ task: task('WORKING') }, ...chunks, status('COMPLETED')] },
      MODE,
    );

    expect(transcript.checks).toStrictEqual([{ state: 'completed', found: 'same' }]);
  });
});

describe('a fresh view that shows something else', () => {
  const asking = { stream: [{ task: task('WORKING') }, artifact([TEXT]), status('INPUT_REQUIRED')] };
  const unanswered = { ...ASK, answer: undefined } as unknown as CanaryConfig;

  test.each<[string, Reply, string]>([
    ['the task is not found', NOT_FOUND, 'not-found'],
    ['another state', { result: task('WORKING', { artifacts: ARTIFACTS }) }, 'different'],
    ['no artifact', { result: task('INPUT_REQUIRED') }, 'different'],
    [
      'another content',
      { result: task('INPUT_REQUIRED', { artifacts: [{ artifactId: 'a', parts: [{ ...TEXT, text: 'x' }] }] }) },
      'different',
    ],
    [
      'another media type',
      {
        result: task('INPUT_REQUIRED', {
          artifacts: [{ artifactId: 'a', parts: [{ ...TEXT, mediaType: 'text/html' }] }],
        }),
      },
      'different',
    ],
  ])('should refute the state: %s', async (_, view, found) => {
    const { transcript } = await put(({ method }) => (method === 'GetTask' ? view : asking), unanswered);

    expect(transcript.checks).toStrictEqual([{ state: 'input-required', found }]);
    expect(transcript.end).toBe(found === 'not-found' ? 'lost' : 'settled');
  });

  test('should get a second look where it only lags', async () => {
    const { transcript } = await put(({ method }, count) => {
      if (method !== 'GetTask') return asking;
      return { result: task(count === 0 ? 'WORKING' : 'INPUT_REQUIRED', { artifacts: ARTIFACTS }) };
    }, unanswered);

    expect(transcript.checks).toStrictEqual([{ state: 'input-required', found: 'same' }]);
  });

  test('should leave nothing open behind', async () => {
    const { calls } = await put(
      ({ method }) => (method === 'GetTask' ? { result: task('INPUT_REQUIRED', { artifacts: ARTIFACTS }) } : asking),
      unanswered,
    );

    expect(calls.at(-1)).toMatchObject({ method: 'CancelTask', params: { id: 't-1' } });
  });
});

describe('a canary that comes to no end', () => {
  const working: Reply = { result: task('WORKING') };

  test.each<[string, (call: Call) => Reply, Transcript['end']]>([
    ['the agent does not answer', () => 'hang', 'unfinished'],
    ['the agent hangs up', () => 'drop', 'unfinished'],
    ['the agent has an internal error', () => ({ error: { code: -32603 } }), 'unfinished'],
    ['the agent refuses it', () => ({ error: { code: -32004 } }), 'refused'],
    ['the agent answers without a task', () => ({ result: { message: { messageId: 'm', parts: [] } } }), 'message'],
    [
      'the task works for ever',
      ({ method }) => (method === 'GetTask' ? working : { result: { task: task('WORKING') } }),
      'unfinished',
    ],
    [
      'nobody can be asked for it',
      ({ method }) => (method === 'GetTask' ? { error: { code: -32603 } } : { stream: [{ task: task('COMPLETED') }] }),
      'unfinished',
    ],
  ])('should say so: %s', async (_, reply, end) => {
    const { transcript } = await put(reply, ASK, { timeoutMs: 1_000 });

    expect(transcript.end).toBe(end);
    expect(transcript.checks).toStrictEqual([]);
  });

  test('should be given up with the one who probes, and leave nothing open', async () => {
    const stop = new AbortController();
    const { url, calls } = await fakeAgent(({ method }, count) => {
      if (method === 'GetTask' && count === 1) stop.abort();
      return method === 'GetTask' ? working : { result: { task: task('WORKING') } };
    });
    const endpoint = { url, streaming: true, extensions: [] };

    const transcript = await runCanary({ agentId: 'w1', endpoint, headers: {}, timeoutMs: 10_000 }, ASK, stop.signal);

    expect(transcript.end).toBe('unfinished');
    expect(calls.at(-1)?.method).toBe('CancelTask');
  });

  test('should count a task that is lost while it works as seen and lost', async () => {
    const { transcript } = await put(({ method }) =>
      method === 'GetTask' ? NOT_FOUND : { stream: [{ task: task('WORKING') }] },
    );

    expect(transcript).toMatchObject({ end: 'lost', checks: [{ state: 'working', found: 'not-found' }] });
  });
});
