import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type GatewayTwin, message, task } from './gateway-twin.js';
import { ALICE, CORRELATED, KEY, lostAtW1, MALLORY, redispatched, twinWith } from './lost-unit.js';

let twin: GatewayTwin;
beforeEach(async () => {
  twin = await twinWith();
});
afterEach(() => twin.server.stop());

describe('a redispatched task', () => {
  beforeEach(async () => {
    await lostAtW1(twin);
    await redispatched(twin, 'w2', 'T2');
    twin.agents.set('w2', ({ method }) => {
      const told = task('T2', 'WORKING', 'ctx-T2', {
        history: [{ messageId: 'T2', taskId: 'T2', contextId: 'ctx-T2', parts: [{ text: 'T2' }] }],
        metadata: { note: 'T2' },
      });
      if (method === 'GetTask' || method === 'CancelTask') return { result: told };
      if (method === 'SendMessage') return { result: { task: told } };
      return {
        events: [
          { result: { task: told } },
          {
            result: { statusUpdate: { taskId: 'T2', contextId: 'ctx-T2', status: { state: 'TASK_STATE_COMPLETED' } } },
          },
        ],
      };
    });
    twin.agents.asked.length = 0;
  });

  test('should be asked for where it is now, under Holdfast’s identity, and answered under its old ID', async () => {
    const answer = await twin.ask('w1', 'GetTask', { id: 't1', historyLength: 1 }, { ...ALICE, traceparent: '00-1' });

    const [asked] = twin.agents.asked;
    expect(asked).toMatchObject({ agentId: 'w2', params: { id: 'T2', historyLength: 1 } });
    expect(asked?.call.headers).toStrictEqual({ authorization: 'Holdfast at w2', traceparent: '00-1' });
    expect(answer.body.result).toStrictEqual(
      task('t1', 'WORKING', 'ctx-t1', {
        history: [{ messageId: 'T2', taskId: 't1', contextId: 'ctx-t1', parts: [{ text: 'T2' }] }],
        metadata: { note: 'T2' },
      }),
    );
  });

  test('should take a message and a cancellation under its old ID', async () => {
    const follow = message({ messageId: 'm2', taskId: 't1', contextId: 'ctx-t1' });
    const sent = await twin.ask('w1', 'SendMessage', follow, ALICE);
    const canceled = await twin.ask('w1', 'CancelTask', { id: 't1' }, ALICE);

    expect(twin.agents.asked[0]?.params).toMatchObject({
      message: { taskId: 'T2', contextId: 'ctx-T2', messageId: 'm2' },
    });
    expect(twin.agents.asked[1]?.params).toStrictEqual({ id: 'T2' });
    expect(sent.body.result).toMatchObject({ task: { id: 't1', contextId: 'ctx-t1' } });
    expect(canceled.body.result).toMatchObject({ id: 't1' });
  });

  test('should be followed as a stream under its old ID', async () => {
    const answer = await twin.ask('w1', 'SubscribeToTask', { id: 't1' }, ALICE);

    expect(answer.events.map(({ result }) => result)).toMatchObject([
      { task: { id: 't1', contextId: 'ctx-t1' } },
      { statusUpdate: { taskId: 't1', contextId: 'ctx-t1', status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
    expect(twin.ledger.entry(KEY)?.state).toBe('completed');
  });

  test('should answer the message that began it, instead of beginning it again', async () => {
    const sent = await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);
    const streamed = await twin.ask('w1', 'SendStreamingMessage', CORRELATED, ALICE);

    expect(sent.body.result).toMatchObject({ task: { id: 't1', contextId: 'ctx-t1' } });
    expect(streamed.events.map(({ result }) => Object.keys(result as object))).toStrictEqual([
      ['task'],
      ['task'],
      ['statusUpdate'],
    ]);
    expect(twin.agents.asked.map(({ agentId, method }) => `${agentId} ${method}`)).toStrictEqual([
      'w2 GetTask',
      'w2 GetTask',
      'w2 SubscribeToTask',
    ]);
  });

  test('should have its push configurations where it is now', async () => {
    twin.agents.set('w2', ({ params }) => ({ result: { ...params, url: 'http://hook' } }));
    const before = twin.facts.length;

    const answer = await twin.ask('w1', 'GetTaskPushNotificationConfig', { taskId: 't1', id: 'hook' }, ALICE);

    expect(twin.agents.asked[0]?.params).toStrictEqual({ taskId: 'T2', id: 'hook' });
    expect(answer.body.result).toStrictEqual({ taskId: 't1', id: 'hook', url: 'http://hook' });
    expect(twin.facts).toHaveLength(before);
  });

  test('should not be shown to anybody else through Holdfast’s identity', async () => {
    const answer = await twin.ask('w1', 'GetTask', { id: 't1' }, MALLORY);

    expect(twin.agents.asked.map(({ agentId }) => agentId)).toStrictEqual(['w1']);
    expect(answer.body.error?.code).toBe(-32001);
  });
});

test('a subscription to a lost task should go on with the task once somebody has it', async () => {
  await lostAtW1(twin);
  twin.agents.set('w2', ({ method }) =>
    method === 'GetTask'
      ? { result: task('T2', 'WORKING') }
      : {
          events: [
            { result: { task: task('T2', 'WORKING') } },
            { result: { statusUpdate: { taskId: 'T2', status: { state: 'TASK_STATE_COMPLETED' } } } },
          ],
        },
  );

  const following = twin.ask('w1', 'SubscribeToTask', { id: 't1' }, ALICE);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await redispatched(twin, 'w2', 'T2');
  const { events } = await following;

  expect(events.map(({ result }) => result)).toMatchObject([
    { task: { id: 't1', status: { state: 'TASK_STATE_UNSPECIFIED' } } },
    { task: { id: 't1', status: { state: 'TASK_STATE_WORKING' } } },
    { task: { id: 't1', status: { state: 'TASK_STATE_WORKING' } } },
    { statusUpdate: { taskId: 't1', status: { state: 'TASK_STATE_COMPLETED' } } },
  ]);
});
