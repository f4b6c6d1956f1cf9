import { describe, expect, test } from '@jest/globals';
import { answering, BLANK, hear, hearAll, type Transcript } from '../../../services/verifier/transcript.js';
import type { WireObservation } from '../../../topology/a2a/exchange.js';
import type { ExchangeObserved } from '../../../topology/observation.js';

const said = (
  state: string | undefined,
  more: { statusTimestamp?: number; serverTaskId?: string } = {},
): WireObservation => ({
  type: 'TaskStateObserved',
  correlationId: 'probe',
  agentId: 'w1',
  serverTaskId: 't-1',
  via: 'status-update',
  ...(state === undefined ? {} : { state }),
  ...more,
});
const failed = (more: Partial<ExchangeObserved>): WireObservation => ({
  type: 'ExchangeObserved',
  correlationId: 'probe',
  agentId: 'w1',
  binding: 'JSONRPC',
  method: 'SendStreamingMessage',
  httpStatus: 200,
  by: 'holdfast',
  ...more,
});

describe('what is heard of a canary', () => {
  test('should be every state in either spelling, without repetitions in a row', () => {
    const transcript = hearAll(
      BLANK,
      ['TASK_STATE_WORKING', 'working', 'input-required', 'working'].map((s) => said(s)),
    );

    expect(transcript.states).toStrictEqual(['working', 'input-required', 'working']);
  });

  test.each([undefined, 'TASK_STATE_UNSPECIFIED', 'paused'])('should be nothing where the state is %s', (state) => {
    expect(hear(BLANK, said(state)).states).toStrictEqual([]);
  });

  test('should be of one task alone', () => {
    const transcript = hearAll(BLANK, [said('working'), said('completed', { serverTaskId: 't-2' })]);

    expect(transcript).toMatchObject({ taskId: 't-1', states: ['working'] });
  });

  test.each<[string, WireObservation, boolean]>([
    ['the same snapshot is no news', said('input-required', { statusTimestamp: 1 }), false],
    ['the same state at another time is', said('input-required', { statusTimestamp: 2 }), true],
    ['another state is', said('working', { statusTimestamp: 1 }), true],
  ])('should leave behind where it was answered (R47): %s', (_, seen, news) => {
    const before = answering(hear(BLANK, said('input-required', { statusTimestamp: 1 })));

    expect(hear(before, seen).said !== undefined).toBe(news);
  });

  test('should be taken again once it has moved on', () => {
    const before = answering(hear(BLANK, said('input-required', { statusTimestamp: 1 })));

    const transcript = hearAll(before, [said('working'), said('input-required', { statusTimestamp: 1 })]);

    expect(transcript.said?.state).toBe('input-required');
  });
});

describe('an exchange without a task', () => {
  test.each<[string, Partial<ExchangeObserved>, Transcript['end']]>([
    ['nobody listens', { httpStatus: 0, error: 'refused' }, 'unreached'],
    ['no answer', { httpStatus: 0, error: 'timeout' }, 'unfinished'],
    ['a server error', { httpStatus: 503 }, 'unfinished'],
    ['no access', { httpStatus: 401 }, 'refused'],
    ['no such method', { rpcErrorCode: -32601 }, 'refused'],
    ['a stream of nothing', { error: 'empty-stream' }, 'unfinished'],
  ])('should end it where none was begun: %s', (_, seen, end) => {
    expect(hear(BLANK, failed(seen)).end).toBe(end);
  });

  test('should end nothing where one was', () => {
    const transcript = hearAll(BLANK, [said('working'), failed({ httpStatus: 503 })]);

    expect(transcript).toMatchObject({ trouble: 'HTTP 503', states: ['working'] });
    expect(transcript.end).toBeUndefined();
  });
});
