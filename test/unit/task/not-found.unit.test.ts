import { describe, expect, test } from '@jest/globals';
import { agent, type AgentOptions } from '../../kit/decider-kit/agents.js';
import { dispatched, exchanged, lostTask, redispatched, said } from '../../kit/decider-kit/builders.js';
import { commandsOf, Ledger, wordOf } from '../../kit/decider-kit/ledger.js';

const SERVED = { config: { serviceIdentity: true } };

const working = (options: AgentOptions = {}, policy = {}): Ledger =>
  new Ledger([...agent('w1', options), ...agent('w2'), ...agent('w3')], policy).given(
    dispatched('w1', { serverTaskId: 't-1' }),
    said('w1', 't-1', 'input-required'),
  );

describe('a TaskNotFound', () => {
  test('should make the unit indeterminate and issue one redispatch', () => {
    const ledger = working();

    const decision = ledger.observe(lostTask('w1', 't-1'));

    expect(decision.judgement).toStrictEqual({
      word: 'indeterminate',
      rule: 'R29',
      reason: 'w1 lost task t-1, last seen input-required',
      agentId: 'w1',
      serverTaskId: 't-1',
      attempt: 1,
    });
    expect(commandsOf(decision)).toStrictEqual(['redispatch w2 #2']);
    expect(decision.evidence).toStrictEqual([
      { kind: 'task-lost', correlationId: 'c-1', agentId: 'w1', serverTaskId: 't-1', state: 'input-required' },
    ]);
    expect(ledger.unit.state).toBe('input-required');
    expect(ledger.unit.loss).toStrictEqual({
      number: 1,
      attempt: 1,
      agentId: 'w1',
      at: ledger.now,
      requiredState: 'input-required',
      contractErrors: [],
      redispatch: {
        commandId: `redispatch:2@0/0:0:c-1`,
        attempt: 2,
        agentId: 'w2',
        issuedAt: ledger.now,
        awaitsApproval: false,
      },
      held: false,
    });
  });

  test('should be written out as a command that says all the dispatcher must know', () => {
    const [command] = working().observe(lostTask('w1', 't-1')).commands;

    expect(command).toStrictEqual({
      type: 'redispatch',
      commandId: 'redispatch:2@0/0:0:c-1',
      correlationId: 'c-1',
      agentId: 'w2',
      attempt: 2,
      loss: 1,
      lostBy: 'w1',
      lostTaskIds: ['t-1'],
      requiredState: 'input-required',
      messageId: 'holdfast:2:0:c-1',
      again: 'no',
      considered: [
        { agentId: 'w2', lacks: [] },
        { agentId: 'w3', lacks: [] },
        { agentId: 'w1', lacks: ['lost this unit and was not verified again since'] },
      ],
    });
  });

  test.each([
    ['its own client', SERVED, {}, 'indeterminate'],
    ['another principal', SERVED, { principal: 'p-2' }, 'ignored'],
    ['nobody known', SERVED, { principal: '' }, 'ignored'],
    ['Holdfast with a service identity', SERVED, { by: 'holdfast' as const }, 'indeterminate'],
    ['Holdfast without one', {}, { by: 'holdfast' as const }, 'ignored'],
  ])('should count by who was told: %s', (_, options, asker, word) => {
    const ledger = working(options);

    expect(wordOf(ledger.observe(lostTask('w1', 't-1', asker)))).toBe(word);
    expect(ledger.unit.loss === undefined).toBe(word === 'ignored');
  });

  test('should count for anybody where the attempt has no principal', () => {
    const { principal: _, ...nobody } = dispatched('w1', { serverTaskId: 't-1' });
    const ledger = new Ledger(agent('w1')).given(nobody, said('w1', 't-1', 'working'));

    expect(wordOf(ledger.observe(lostTask('w1', 't-1', { principal: 'anyone' })))).toBe('indeterminate');
  });

  test.each([
    ['JSON-RPC -32001', { binding: 'JSONRPC', httpStatus: 200, rpcErrorCode: -32001 }, 'indeterminate'],
    ['the A2A reason', { binding: 'HTTP+JSON', httpStatus: 404, reason: 'TASK_NOT_FOUND' }, 'indeterminate'],
    ['a bare 404', { binding: 'HTTP+JSON', httpStatus: 404 }, 'ignored'],
    ['-32603', { binding: 'JSONRPC', httpStatus: 200, rpcErrorCode: -32603 }, 'ignored'],
    ['a server error', { binding: 'JSONRPC', httpStatus: 502 }, 'ignored'],
    ['no answer', { binding: 'JSONRPC', httpStatus: 0, error: 'timeout' }, 'ignored'],
  ] as const)("should be the protocol's own: %s", (_, answer, word) => {
    expect(wordOf(working().observe(exchanged('w1', { serverTaskId: 't-1', ...answer })))).toBe(word);
  });

  test.each(['completed', 'failed', 'canceled', 'rejected'])('should change nothing after the end: %s', (end) => {
    const ledger = working().given(said('w1', 't-1', end));

    const decision = ledger.observe(lostTask('w1', 't-1'));

    expect([wordOf(decision), decision.judgement.rule, decision.commands, decision.evidence]).toStrictEqual([
      'terminal-ok',
      'R27',
      [],
      [],
    ]);
    expect(ledger.unit.state).toBe(end);
  });

  test('should be stale about a superseded attempt and about a task never bound', () => {
    const ledger = working().given(dispatched('w2', { messageId: 'm-2', serverTaskId: 't-2' }));

    expect(wordOf(ledger.observe(lostTask('w1', 't-1')))).toBe('stale');
    expect(wordOf(ledger.observe(lostTask('w2', 't-9')))).toBe('stale');
    expect(wordOf(ledger.observe(lostTask('w3', 't-1')))).toBe('ignored');
    expect(ledger.unit.loss).toBeUndefined();
  });

  test('should ask the live siblings first, and be the loss once none is left', () => {
    const ledger = working().given(said('w1', 't-1b', 'working'));

    const first = ledger.observe(lostTask('w1', 't-1'));
    const last = ledger.observe(lostTask('w1', 't-1b'));

    expect([wordOf(first), commandsOf(first)]).toStrictEqual(['stale', ['query-task w1 t-1b']]);
    expect(wordOf(last)).toBe('indeterminate');
  });

  test('should be one loss however often it is repeated', () => {
    const ledger = working().given(lostTask('w1', 't-1'));

    const again = ledger.observe(lostTask('w1', 't-1'));

    expect([wordOf(again), again.commands, ledger.unit.losses]).toStrictEqual(['idempotent', [], 1]);
  });

  test('should be stale about the attempt that a redispatch has replaced', () => {
    const ledger = working().given(lostTask('w1', 't-1'), redispatched('w2', { serverTaskId: 't-2' }));

    expect([wordOf(ledger.observe(lostTask('w1', 't-1'))), ledger.unit.loss]).toStrictEqual(['stale', undefined]);
  });
});

describe('trust', () => {
  const DURABLE: AgentOptions = { durable: true, provider: 'acme' };
  const trusting = (w2: AgentOptions, policy = {}): Ledger =>
    new Ledger([...agent('w1', DURABLE), ...agent('w2', w2)], { trust: 'homogeneous-durable', ...policy }).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      said('w1', 't-1', 'working'),
    );

  test('should make a TaskNotFound final where all are durable and of one provider', () => {
    const ledger = trusting(DURABLE);

    const decision = ledger.observe(lostTask('w1', 't-1'));

    expect([wordOf(decision), decision.judgement.rule, decision.commands]).toStrictEqual([
      'trusted-terminal',
      'R42',
      [],
    ]);
    expect([ledger.unit.state, ledger.unit.cause]).toStrictEqual(['failed', 'task-not-found-trusted']);
  });

  test.each([
    ['one is not durable', { provider: 'acme' }, {}],
    ['one is of another provider', { durable: true, provider: 'other' }, {}],
    ['one has no provider', { durable: true }, {}],
    ['the operator did not choose it', DURABLE, { trust: 'verify' as const }],
  ])('should not be where %s', (_, w2, policy) => {
    const ledger = trusting(w2, policy);

    expect(wordOf(ledger.observe(lostTask('w1', 't-1')))).toBe('indeterminate');
  });

  test('should not look at agents that were removed', () => {
    const ledger = trusting({ provider: 'other' });
    ledger.tell({ type: 'AgentRemoved', agentId: 'w2' });

    expect(wordOf(ledger.observe(lostTask('w1', 't-1')))).toBe('trusted-terminal');
  });

  test('should leave the end of the lost task as decided, whatever it says later', () => {
    const ledger = trusting(DURABLE).given(lostTask('w1', 't-1'));

    expect(wordOf(ledger.observe(said('w1', 't-1', 'completed', { via: 'poll' })))).toBe('violation terminal-change');
    expect(ledger.unit.state).toBe('failed');
  });
});

describe('a send in doubt', () => {
  const sent = (): Ledger =>
    new Ledger([...agent('w1', SERVED), ...agent('w2')]).given(dispatched('w1', { contextId: 'x-1' }));
  const noAnswer = exchanged('w1', { method: 'SendMessage', httpStatus: 0, error: 'timeout' });

  test('should be searched for once by its context', () => {
    const ledger = sent();

    expect(commandsOf(ledger.observe(noAnswer))).toStrictEqual(['query-task w1 context x-1']);
    expect(commandsOf(ledger.observe(noAnswer))).toStrictEqual([]);
  });

  test.each([
    ['found nothing', exchanged('w1', { method: 'ListTasks', httpStatus: 200, found: 0 }), 'indeterminate'],
    [
      'asked by Holdfast',
      exchanged('w1', { method: 'ListTasks', httpStatus: 200, found: 0, by: 'holdfast' }),
      'indeterminate',
    ],
    [
      'asked by a stranger',
      exchanged('w1', { method: 'ListTasks', httpStatus: 200, found: 0, principal: 'p-2' }),
      'ignored',
    ],
    ['failed', exchanged('w1', { method: 'ListTasks', httpStatus: 500, found: 0 }), 'ignored'],
    ['found one', exchanged('w1', { method: 'ListTasks', httpStatus: 200, found: 1 }), 'ignored'],
  ])('should be lost when the search %s', (_, answer, word) => {
    const ledger = sent().given(noAnswer);

    expect(wordOf(ledger.observe(answer))).toBe(word);
    expect(ledger.unit.loss?.requiredState).toBe(word === 'indeterminate' ? 'submitted' : undefined);
  });

  test('should be lost when the deadline passes', () => {
    const ledger = sent().given(noAnswer);

    expect(ledger.wait(59_999)).toStrictEqual([]);
    expect(ledger.wait(1).flatMap(commandsOf)).toStrictEqual(['redispatch w2 #2']);
    expect(ledger.unit.loss?.requiredState).toBe('submitted');
  });

  test('should be over when a task speaks', () => {
    const ledger = sent().given(noAnswer, said('w1', 't-1', 'working', { contextId: 'x-1' }));

    expect(ledger.wait(60_000)).toStrictEqual([]);
  });
});
