import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { type GatewayTwin, lost, message, task } from './gateway-twin.js';
import { ALICE, CORRELATED, dispatched, KEY, lostAtW1, MALLORY, twinWith } from './lost-unit.js';

let twin: GatewayTwin;
beforeEach(async () => {
  twin = await twinWith();
});
afterEach(() => twin.server.stop());

describe('a lost task', () => {
  test('should be indeterminate to GetTask, never not found', async () => {
    await dispatched(twin);
    twin.agents.set('w1', () => lost);

    const met = await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);
    const again = await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);

    for (const { body } of [met, again]) {
      expect(body.result).toMatchObject({
        id: 't1',
        contextId: 'ctx-t1',
        status: { state: 'TASK_STATE_UNSPECIFIED' },
        metadata: { [LIFECYCLE_EXTENSION]: { correlationId: 'c-1', phase: 'indeterminate' } },
      });
      expect(JSON.stringify(body)).toMatch(
        /agent w1 lost the task, last seen input-required, noticed at .* redispatch to w2 is under way/,
      );
    }
    expect(twin.facts.filter((fact) => fact === 'w1 GetTask -32001')).toHaveLength(1);
  });

  test('should refuse a message with a retryable error that says why', async () => {
    await dispatched(twin);
    twin.agents.set('w1', () => lost);
    const follow = message({ messageId: 'm2', taskId: 't1' });

    const met = await twin.ask('w1', 'SendMessage', follow, ALICE);
    const again = await twin.ask('w1', 'SendStreamingMessage', follow, ALICE);

    for (const { body, headers } of [met, again]) {
      expect(body.error?.code).toBe(-32090);
      expect(body.error?.data).toMatchObject([
        {
          reason: 'TASK_INDETERMINATE',
          metadata: { agentId: 'w1', lastState: 'input-required', retryable: 'true', taskId: 't1' },
        },
        { retryDelay: '2s' },
      ]);
      expect(headers.get('retry-after')).toBe('2');
    }
  });

  test('should be canceled by its client, and stay so', async () => {
    await dispatched(twin);
    twin.agents.set('w1', () => lost);

    const canceled = await twin.ask('w1', 'CancelTask', { id: 't1' }, ALICE);
    const asked = await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);
    const followed = await twin.ask('w1', 'SendMessage', message({ messageId: 'm2', taskId: 't1' }), ALICE);

    expect(canceled.body.result).toMatchObject({ id: 't1', status: { state: 'TASK_STATE_CANCELED' } });
    expect(asked.body.result).toMatchObject({ id: 't1', status: { state: 'TASK_STATE_CANCELED' } });
    expect(followed.body.error?.code).toBe(-32004);
    expect(twin.ledger.entry(KEY)?.cause).toBe('canceled-while-indeterminate');
  });

  test('should be nobody else’s business', async () => {
    await lostAtW1(twin);

    const stranger = await twin.ask('w1', 'GetTask', { id: 't1' }, MALLORY);
    const cancel = await twin.ask('w1', 'CancelTask', { id: 't1' }, MALLORY);

    expect(stranger.body.error?.code).toBe(-32001);
    expect(cancel.body.error?.code).toBe(-32001);
    expect(twin.ledger.entry(KEY)?.loss).toBeDefined();
  });

  test.each([
    ['with recovery off', { recovery: 'off' as const }, 'INPUT_REQUIRED'],
    ['where it had ended', {}, 'COMPLETED'],
  ])('should be not found %s', async (_, policy, state) => {
    await twin.server.stop();
    twin = await twinWith(policy);
    twin.agents.set('w1', () => ({ result: { task: task('t1', state) } }));
    await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);
    twin.agents.set('w1', () => lost);

    const answer = await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);

    expect(answer.body.error).toStrictEqual(lost.error);
  });

  test('should be not found where nobody ever knew it', async () => {
    twin.agents.set('w1', () => lost);

    const answer = await twin.ask('w1', 'GetTask', { id: 'guess' }, ALICE);

    expect(answer.body.error).toStrictEqual(lost.error);
  });

  test('should be indeterminate also while the ledger stands still', async () => {
    await dispatched(twin);
    twin.agents.set('w1', () => lost);
    twin.ledger.standsStill = true;

    const answer = await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);
    twin.agents.asked.length = 0;
    const canceled = await twin.ask('w1', 'CancelTask', { id: 't1' }, ALICE);

    expect(twin.agents.asked).toHaveLength(1);
    expect(answer.body.result).toMatchObject({ status: { state: 'TASK_STATE_UNSPECIFIED' } });
    expect(JSON.stringify(answer.body)).toContain('what that means is being decided');
    expect(canceled.body.error?.code).toBe(-32090);
  });
});

test('the same message again should not be sent on while its task is lost, and another one should', async () => {
  await lostAtW1(twin);

  const same = await twin.ask('w1', 'SendMessage', CORRELATED, ALICE);
  twin.agents.set('w1', () => ({ result: { task: task('t9', 'WORKING') } }));
  const other = { message: { ...CORRELATED.message, messageId: 'm2' } };
  const next = await twin.ask('w1', 'SendMessage', other, ALICE);

  expect(same.body.error?.code).toBe(-32090);
  expect(next.body.result).toMatchObject({ task: { id: 't1' } });
  expect(twin.ledger.entry(KEY)?.attempts.map(({ by, agentId }) => [by, agentId])).toStrictEqual([
    ['client', 'w1'],
    ['holdfast', 'w2'],
    ['client', 'w1'],
  ]);
});

test('a TaskNotFound inside a stream should be as one outside', async () => {
  await dispatched(twin);
  twin.agents.set('w1', () => ({ events: [lost] }));

  const follow = message({ messageId: 'm2', taskId: 't1' });
  const sent = await twin.ask('w1', 'SendStreamingMessage', follow, ALICE);

  expect(sent.body.error?.code).toBe(-32090);
  expect(sent.events).toStrictEqual([]);
  expect(twin.ledger.entry(KEY)?.loss).toBeDefined();
});

test('a redispatch that is out and has not spoken should be waited for, not asked', async () => {
  await lostAtW1(twin);
  const commandId = twin.ledger.entry(KEY)?.loss?.redispatch?.commandId ?? '';
  const unit = { correlationId: 'c-1', agentId: 'w2' } as const;
  await twin.ledger.observe([
    { type: 'DispatchObserved', ...unit, by: 'holdfast', commandId, inputKept: true, continues: false },
  ]);
  twin.agents.asked.length = 0;

  const answer = await twin.ask('w1', 'GetTask', { id: 't1' }, ALICE);

  expect(JSON.stringify(answer.body)).toContain('redispatched to w2, which has not answered yet');
  expect(twin.agents.asked).toStrictEqual([]);
});
