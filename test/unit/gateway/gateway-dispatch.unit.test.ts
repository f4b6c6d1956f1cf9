import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { type GatewayTwin, message, task } from './gateway-twin.js';
import { ALICE, CORRELATED, dispatched, KEY, MALLORY, twinWith } from './lost-unit.js';

let twin: GatewayTwin;
beforeEach(async () => {
  twin = await twinWith();
});
afterEach(() => twin.server.stop());

describe('a dispatch', () => {
  test('should be on record, with its input, before the agent hears of it', async () => {
    const before: (readonly string[])[] = [];
    twin.agents.set('w1', () => {
      before.push(twin.facts);
      return { result: { task: task('t1', 'WORKING') } };
    });

    const answer = await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);

    expect(answer.body).toStrictEqual({ jsonrpc: '2.0', id: 'q', result: { task: task('t1', 'WORKING') } });
    expect(before).toStrictEqual([['DispatchObserved']]);
    expect(twin.facts).toStrictEqual(['DispatchObserved', 'w1 t1 TASK_STATE_WORKING']);
    expect(JSON.parse(twin.ledger.inputs.get(KEY)?.request ?? '')).toStrictEqual(CORRELATED);
  });

  test('should carry a derived correlation ID that a retry has again', async () => {
    const outcomes = [{ raw: { status: 0, error: 'reset' } }, { result: { task: task('t1', 'WORKING') } }] as const;
    twin.agents.set('w1', () => outcomes[twin.agents.asked.length === 1 ? 0 : 1]);

    await twin.ask('w1', 'SendMessage', message(), ALICE);
    await twin.ask('w1', 'SendMessage', message(), ALICE);
    await twin.ask('w1', 'SendMessage', message({ messageId: 'm2' }), ALICE);

    const sent = twin.agents.asked.map(({ params }) => {
      const { metadata } = params.message as { metadata: Record<string, { correlationId: string }> };
      return metadata[LIFECYCLE_EXTENSION]?.correlationId;
    });
    expect(sent[0]).toMatch(/^holdfast:[0-9a-f]{64}$/);
    expect(sent[1]).toBe(sent[0]);
    expect(sent[2]).not.toBe(sent[0]);
  });

  test('should not go out when it cannot be written down', async () => {
    twin.ledger.broken = new Error('no broker');

    const answer = await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.body.error?.code).toBe(-32603);
    expect(twin.agents.asked).toStrictEqual([]);
  });

  test('should not go out when only its input could be written down', async () => {
    twin.ledger.observe = () => Promise.reject(new Error('no broker'));

    const answer = await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);

    expect([answer.status, twin.ledger.inputs.size, twin.agents.asked.length]).toStrictEqual([503, 1, 0]);
  });

  test('should keep the agent’s own IDs where it took the correlation ID of a unit that has ended', async () => {
    twin.agents.set('w1', () => ({ result: { task: task('t1', 'COMPLETED') } }));
    await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);
    twin.agents.set('w1', () => ({ result: { task: task('t2', 'WORKING') } }));

    const answer = await twin.ask('w1', 'SendMessage', { message: { ...CORRELATED.message, messageId: 'm2' } }, ALICE);

    expect(answer.body.result).toMatchObject({ task: { id: 't2', contextId: 'ctx-t2' } });
    expect(twin.ledger.entry(KEY)?.violations.map(({ code }) => code)).toContain('correlation-reused');
  });

  test('should not pass an answer on that cannot be written down', async () => {
    twin.agents.set('w1', () => {
      twin.ledger.broken = new Error('no broker');
      return { result: { task: task('t1', 'WORKING') } };
    });

    const answer = await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);

    expect(answer.status).toBe(503);
    expect(answer.body.result).toBeUndefined();
  });

  test('should not replace the input of a unit that belongs to another principal', async () => {
    await dispatched(twin);

    await twin.ask(
      'w1',
      'SendMessage',
      { message: { ...CORRELATED.message, messageId: 'm2', parts: [{ text: 'steal' }] } },
      MALLORY,
    );

    expect(twin.ledger.inputs.get(KEY)?.request).not.toContain('steal');
  });

  test('should continue an earlier conversation only where that was seen before', async () => {
    twin.agents.set('w1', () => ({ result: { task: task('t1', 'WORKING', 'own') } }));
    const continues = () =>
      twin.ledger.written.flatMap((one) => (one.type === 'DispatchObserved' ? [one.continues] : []));

    await twin.ask('w1', 'SendMessage', message({ messageId: 'a', contextId: 'own' }), ALICE);
    await twin.ask('w1', 'SendMessage', message({ messageId: 'b', contextId: 'own' }), ALICE);
    await twin.ask('w1', 'SendMessage', message({ messageId: 'c', referenceTaskIds: ['t1'] }), ALICE);

    expect(continues()).toStrictEqual([false, true, true]);
  });
});

describe('the same message again', () => {
  const again = () => twin.ask('w1', 'SendMessage', CORRELATED, ALICE);

  test('should be one dispatch for all that send it at once', async () => {
    const sends = () => twin.agents.asked.filter(({ method }) => method === 'SendMessage').length;
    twin.agents.set('w1', async ({ method }) => {
      if (method === 'GetTask') return { result: task('t1', 'WORKING') };
      const sent = sends();
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { result: { task: task(`t${sent}`, 'WORKING') } };
    });

    const answers = await Promise.all(Array.from({ length: 50 }, again));

    expect(answers.map(({ body }) => body.result)).toStrictEqual(
      Array.from({ length: 50 }, () => ({ task: task('t1', 'WORKING') })),
    );
    expect(sends()).toBe(1);
  });

  test('should not be one with what another credential sends', async () => {
    twin.agents.set('w1', async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { result: { task: task(`t${twin.agents.asked.length}`, 'WORKING') } };
    });

    await Promise.all([again(), twin.ask('w1', 'SendMessage', CORRELATED, { authorization: 'Basic b3RoZXI=' })]);

    expect(twin.agents.asked.map(({ call }) => call.headers?.authorization).sort()).toStrictEqual([
      'Basic b3RoZXI=',
      ALICE.authorization,
    ]);
  });

  test.each([true, false])('should be answered by the task, whether the ledger knows it or not: %s', async (known) => {
    twin.ledger.standsStill = !known;
    await dispatched(twin);

    const answer = await again();

    expect(answer.body.result).toStrictEqual({ task: task('t1', 'INPUT_REQUIRED') });
    expect(twin.agents.asked.map(({ method }) => method)).toStrictEqual(['SendMessage', 'GetTask']);
  });

  test('should be answered by a stream of what the task does from then on', async () => {
    twin.agents.set('w1', ({ method }) => {
      if (method === 'GetTask') return { result: task('t1', 'WORKING') };
      if (method === 'SubscribeToTask') return { events: [{ result: { task: task('t1', 'COMPLETED') } }] };
      return { events: [{ result: { task: task('t1', 'WORKING') } }] };
    });
    const stream = () => twin.ask('w1', 'SendStreamingMessage', CORRELATED, ALICE);

    const heard = [await stream(), await stream()].map(({ events }) =>
      events.map(({ result }) => (result as { task: { status: { state: string } } }).task.status.state),
    );

    expect(heard).toStrictEqual([['TASK_STATE_WORKING'], ['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']]);
    expect(twin.agents.asked.map(({ method }) => method)).toStrictEqual([
      'SendStreamingMessage',
      'GetTask',
      'SubscribeToTask',
    ]);
  });
});

test('a credential should go to no other agent than the one it was sent for', async () => {
  await dispatched(twin);
  twin.agents.set('w2', () => ({ result: { task: task('T2', 'WORKING') } }));
  await twin.ask('w2', 'SendMessage', { message: { ...CORRELATED.message, messageId: 'm2' } }, ALICE);
  twin.agents.set('w2', () => ({ result: task('T2', 'WORKING') }));

  const here = await twin.ask('w2', 'GetTask', { id: 't1' }, ALICE);
  const there = await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);

  expect([here, there].map(({ body }) => body.result)).toMatchObject([{ id: 't1' }, { id: 't1' }]);
  const headers = twin.agents.asked.slice(-2).map(({ agentId, call }) => [agentId, call.headers?.authorization]);
  expect(headers).toStrictEqual([
    ['w2', ALICE.authorization],
    ['w2', undefined],
  ]);
});

test('a server task ID that was just seen for one unit should be named for another, before the ledger knows', async () => {
  twin.ledger.standsStill = true;
  await dispatched(twin);
  const other = message({ messageId: 'other', metadata: { [LIFECYCLE_EXTENSION]: { correlationId: 'c-2' } } });

  await twin.ask('w1', 'SendMessage', other, ALICE);

  expect(twin.ledger.written.at(-1)).toMatchObject({ correlationId: 'c-2', serverTaskId: 't1', boundTo: KEY });
});

test('what the ledger has not caught up with should be known all the same', async () => {
  twin.ledger.standsStill = true;
  await dispatched(twin);

  await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);
  twin.ledger.decide();

  expect(twin.ledger.entry(KEY)?.serverTasks.map(({ id }) => id)).toStrictEqual(['t1']);
  expect(twin.facts).toStrictEqual([
    'DispatchObserved',
    'w1 t1 TASK_STATE_INPUT_REQUIRED',
    'w1 t1 TASK_STATE_INPUT_REQUIRED',
  ]);
});

test('a server task that belongs to another unit should be named with that unit', async () => {
  await dispatched(twin);

  await twin.ask(
    'w1',
    'SendMessage',
    message({ messageId: 'other', metadata: { [LIFECYCLE_EXTENSION]: { correlationId: 'c-2' } } }),
    ALICE,
  );

  expect(twin.ledger.written.at(-1)).toMatchObject({ correlationId: 'c-2', serverTaskId: 't1', boundTo: KEY });
});

test('a list should be about each unit, under its public name', async () => {
  await dispatched(twin);
  twin.agents.set('w1', () => ({
    result: { tasks: [task('t1', 'WORKING'), task('foreign', 'WORKING')], nextPageToken: '' },
  }));

  const answer = await twin.ask('w1', 'ListTasks', {}, ALICE);

  expect(answer.body.result).toMatchObject({ tasks: [{ id: 't1' }, { id: 'foreign' }] });
  const [own, foreign] = twin.ledger.written.slice(-2);
  expect(own).toMatchObject({ correlationId: 'c-1', via: 'list' });
  expect(foreign?.correlationId).toMatch(/^holdfast:seen:/);
});
