import { describe, expect, test } from '@jest/globals';
import { agent } from '../../kit/decider-kit/agents.js';
import { dispatched, exchanged, lostTask, operator, redispatched, said } from '../../kit/decider-kit/builders.js';
import { commandsOf, Ledger, wordOf } from '../../kit/decider-kit/ledger.js';

const mesh = (policy = {}): Ledger =>
  new Ledger(
    ['w1', 'w2', 'w3'].flatMap((id) => agent(id)),
    policy,
  );
const lost = (policy = {}): Ledger =>
  mesh(policy).given(dispatched('w1', { serverTaskId: 't-1' }), said('w1', 't-1', 'working'), lostTask('w1', 't-1'));
const statuses = ({ unit }: Ledger): readonly string[] =>
  unit.attempts.map(({ agentId, status }) => `${agentId} ${status}`);

describe('a dispatch by the client', () => {
  test.each([
    ['the first', dispatched('w1'), 'accepted'],
    ['the same message again', dispatched('w1', { messageId: 'm-1' }), 'idempotent'],
    ['another message', dispatched('w1', { messageId: 'm-2' }), 'accepted'],
    ['the same message to another agent', dispatched('w2'), 'accepted'],
    ["another principal's", dispatched('w1', { messageId: 'm-2', principal: 'p-2' }), 'violation correlation-claimed'],
  ])('should be judged by R49 while the unit is open: %s', (name, sent, word) => {
    const ledger = mesh();
    if (name !== 'the first') ledger.observe(dispatched('w1', { serverTaskId: 't-1' }));
    const before = ledger.record?.attempts.length ?? 0;

    expect(wordOf(ledger.observe(sent))).toBe(word);
    expect(ledger.unit.attempts.length).toBe(word === 'accepted' ? before + 1 : before);
  });

  test.each(['completed', 'failed', 'canceled', 'rejected'])('should be no new work after the end: %s', (end) => {
    const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1' }), said('w1', 't-1', end));

    expect(wordOf(ledger.observe(dispatched('w1')))).toBe('idempotent');
    expect(wordOf(ledger.observe(dispatched('w1', { messageId: 'm-2' })))).toBe('violation correlation-reused');
    expect([ledger.unit.state, ledger.unit.attempts.length]).toStrictEqual([end, 1]);
  });

  test('should void the open redispatch when the unit is lost', () => {
    const ledger = lost();

    ledger.observe(dispatched('w3', { messageId: 'm-2', serverTaskId: 't-3' }));

    expect(statuses(ledger)).toStrictEqual(['w1 bound', 'w2 void', 'w3 bound']);
    expect(ledger.unit.loss).toBeUndefined();
  });

  test('should be another unit for another tenant', () => {
    const ledger = mesh().given(dispatched('w1', { tenant: 'acme', serverTaskId: 't-1' }));

    expect(ledger.unit.tenant).toBe('acme');
    expect(commandsOf(ledger.observe(lostTask('w1', 't-1', { tenant: 'acme' })))).toStrictEqual(['redispatch w2 #2']);
    expect(ledger.unit.loss?.redispatch?.commandId).toBe('redispatch:2@0/0:4:acmec-1');
  });
});

describe('a redispatch', () => {
  test.each([
    ['the word that it was sent', redispatched('w2')],
    ['the first word of its task', said('w2', 't-2', 'working')],
    ['a word of its task that is no state', said('w2', 't-2', 'nonsense')],
  ])('should end the loss with %s', (_, word) => {
    const ledger = lost().given(word);

    expect([statuses(ledger), ledger.unit.loss]).toStrictEqual([['w1 bound', 'w2 bound'], undefined]);
    expect(ledger.current?.number).toBe(2);
  });

  test('should be void when the lost task reappears, and stopped when it slipped out', () => {
    const ledger = lost().given(said('w1', 't-1', 'working', { via: 'poll' }));

    const slipped = ledger.observe(redispatched('w2', { commandId: 'redispatch:2@0/0:0:c-1', serverTaskId: 't-2' }));

    expect([statuses(ledger), ledger.current?.number]).toStrictEqual([['w1 bound', 'w2 void'], 1]);
    expect([wordOf(slipped), slipped.judgement.rule, commandsOf(slipped)]).toStrictEqual([
      'accepted',
      'R60',
      ['cancel-superseded w2 t-2'],
    ]);
  });

  test('should be stale when none was issued to that agent', () => {
    expect(wordOf(lost().observe(redispatched('w3')))).toBe('stale');
  });

  test('should be idempotent when it was reported before', () => {
    const ledger = lost().given(redispatched('w2', { serverTaskId: 't-2' }));

    expect(wordOf(ledger.observe(redispatched('w2', { serverTaskId: 't-2' })))).toBe('idempotent');
  });

  test('should be about to be sent only while its command stands', () => {
    const ledger = lost();
    const started = {
      type: 'DispatchStarted',
      correlationId: 'c-1',
      agentId: 'w2',
      commandId: 'redispatch:2@0/0:0:c-1',
    } as const;

    expect(wordOf(ledger.observe(started))).toBe('accepted');
    expect(wordOf(ledger.observe({ ...started, commandId: 'redispatch:9@0/0:0:c-1' }))).toBe('stale');
    ledger.observe(said('w1', 't-1', 'working', { via: 'poll' }));
    expect(wordOf(ledger.observe(started))).toBe('stale');
  });

  test('should go to the next candidate when it fails, and never back', () => {
    const ledger = lost({ maxAttempts: 5 });
    const failed = (agentId: string) => ({ type: 'DispatchFailed', correlationId: 'c-1', agentId }) as const;

    const first = ledger.observe(failed('w2'));
    const second = ledger.observe(failed('w3'));

    expect([commandsOf(first), commandsOf(second)]).toStrictEqual([['redispatch w3 #3'], []]);
    expect(second.judgement.contractError).toStrictEqual({ code: 'no-capable-worker', requiredState: 'working' });
    expect([ledger.unit.state, ledger.unit.loss?.number]).toStrictEqual(['working', 1]);
  });

  test('should be issued no more often than attempts are allowed', () => {
    const ledger = lost({ maxAttempts: 2 });

    const decision = ledger.observe({ type: 'DispatchFailed', correlationId: 'c-1', agentId: 'w2' });

    expect([commandsOf(decision), decision.judgement.contractError?.code]).toStrictEqual([[], 'attempts-exhausted']);
    expect(ledger.unit.marks).toStrictEqual(['attempts-exhausted']);
  });

  test('should not count void attempts', () => {
    const ledger = lost({ maxAttempts: 2 }).given(said('w1', 't-1', 'working', { via: 'poll' }));

    expect(commandsOf(ledger.observe(lostTask('w1', 't-1')))).toStrictEqual(['redispatch w2 #3']);
  });

  test('should be issued again under its ID when it is unanswered', () => {
    const ledger = lost();

    expect(ledger.wait(59_998)).toStrictEqual([]);
    const [decision] = ledger.wait(2);

    expect(decision && commandsOf(decision)).toStrictEqual(['redispatch w2 #2 again unanswered']);
    expect([ledger.unit.counts.redispatches, decision?.commands[0]?.commandId]).toStrictEqual([
      1,
      'redispatch:2@0/0:0:c-1',
    ]);
  });

  test.each([
    ['no input kept', { inputKept: false }],
    ['it continued an earlier context', { continues: true }],
  ])('should not be made where the input cannot be sent again: %s', (_, sent) => {
    const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1', ...sent }), said('w1', 't-1', 'working'));

    const decision = ledger.observe(lostTask('w1', 't-1'));

    expect([wordOf(decision), commandsOf(decision), decision.judgement.contractError]).toStrictEqual([
      'indeterminate',
      [],
      { code: 'input-not-retained', requiredState: 'working' },
    ]);
    expect(ledger.unit.marks).toStrictEqual(['needs-input']);
  });

  test('should be made by itself in a group, by approval without one, and never where recovery is off', () => {
    const issued = (policy: object): readonly string[] => {
      const skill = { skills: [{ id: 's' }] };
      const ledger = new Ledger([...agent('w1', skill), ...agent('w2', skill)], policy).given(
        dispatched('w1', { serverTaskId: 't-1', skillId: 's' }),
      );
      return commandsOf(ledger.observe(lostTask('w1', 't-1')));
    };

    expect(issued({})).toStrictEqual(['redispatch w2 #2']);
    expect(issued({ substitutionGroups: [] })).toStrictEqual(['redispatch w2 #2 awaits']);
    expect(issued({ recovery: 'manual' })).toStrictEqual(['redispatch w2 #2 awaits']);
    expect(issued({ recovery: 'always', substitutionGroups: [] })).toStrictEqual(['redispatch w2 #2']);
    expect(issued({ recovery: 'off' })).toStrictEqual([]);
  });
});

describe("the operator's word", () => {
  test('should release a redispatch that waits for it, and start its deadline', () => {
    const ledger = lost({ recovery: 'manual' });
    expect(ledger.wait(10 * 60_000)).toStrictEqual([]);

    const approved = ledger.observe(operator('approve', { actor: 'ops' }));

    expect([wordOf(approved), commandsOf(approved)]).toStrictEqual(['accepted', ['redispatch w2 #2 again approved']]);
    expect(wordOf(ledger.observe(operator('approve')))).toBe('ignored');
    expect(ledger.wait(60_000).flatMap(commandsOf)).toStrictEqual(['redispatch w2 #2 again unanswered']);
  });

  test('should void a redispatch and hold the unit', () => {
    const ledger = lost().given(operator('void'));

    expect([statuses(ledger), ledger.unit.loss?.redispatch, ledger.unit.loss?.held]).toStrictEqual([
      ['w1 bound', 'w2 void'],
      undefined,
      true,
    ]);
    expect(ledger.policy({ preference: ['w3'] })).toStrictEqual([]);
    expect(wordOf(ledger.observe(operator('void')))).toBe('ignored');
  });

  test('should redispatch to a named agent, whatever it lacks, and say so', () => {
    const ledger = lost();

    const [command] = ledger.observe(operator('redispatch', { agentId: 'w1' })).commands;

    expect(command).toMatchObject({ type: 'redispatch', agentId: 'w1', attempt: 3, again: 'no' });
    expect(command?.type === 'redispatch' && command.considered.find(({ agentId }) => agentId === 'w1')).toStrictEqual({
      agentId: 'w1',
      lacks: ['lost this unit and was not verified again since'],
    });
    expect(statuses(ledger)).toStrictEqual(['w1 bound', 'w2 void', 'w1 issued']);
  });

  test.each(['completed', 'TASK_STATE_FAILED', 'canceled', 'rejected'])(
    'should resolve the unit as the terminal state it names: %s',
    (state) => {
      const ledger = lost();

      expect(wordOf(ledger.observe(operator('resolve', { state })))).toBe('accepted');
      expect([ledger.unit.state, ledger.unit.cause, ledger.unit.loss]).toStrictEqual([
        state.replace('TASK_STATE_', '').toLowerCase(),
        'resolved-by-operator',
        undefined,
      ]);
      expect(wordOf(ledger.observe(operator('resolve', { state: 'failed' })))).toBe('ignored');
    },
  );

  test.each([undefined, 'working', 'nonsense'])('should not resolve as what is no terminal state: %s', (state) => {
    expect(wordOf(lost().observe(operator('resolve', state === undefined ? {} : { state })))).toBe('ignored');
  });
});

describe("the client's cancel", () => {
  test('should be final while the task is lost', () => {
    const ledger = lost();

    const decision = ledger.observe({ type: 'CancelRequested', correlationId: 'c-1', principal: 'p-1' });
    const late = ledger.observe(said('w2', 't-2', 'working'));

    expect([wordOf(decision), ledger.unit.state, ledger.unit.cause, statuses(ledger)[1]]).toStrictEqual([
      'accepted',
      'canceled',
      'canceled-while-indeterminate',
      'w2 void',
    ]);
    expect([wordOf(late), commandsOf(late)]).toStrictEqual(['stale', ['cancel-superseded w2 t-2']]);
  });

  test.each([
    ['the task is not lost', mesh().given(dispatched('w1', { serverTaskId: 't-1' })), 'p-1'],
    ['the unit belongs to another', lost(), 'p-2'],
  ])('should be ignored where %s', (_, ledger, principal) => {
    expect(wordOf(ledger.observe({ type: 'CancelRequested', correlationId: 'c-1', principal }))).toBe('ignored');
    expect(ledger.unit.cause).toBeUndefined();
  });
});

describe('an answer that is a message', () => {
  test('should close the attempt without a state, and nothing is watched', () => {
    const ledger = mesh().given(dispatched('w1'));

    expect(wordOf(ledger.observe({ type: 'MessageObserved', correlationId: 'c-1', agentId: 'w1' }))).toBe('accepted');
    expect([ledger.unit.state, ledger.current?.answered]).toStrictEqual([null, true]);
    expect(ledger.wait(24 * 3_600_000)).toStrictEqual([]);
    expect(commandsOf(ledger.observe(exchanged('w1', { method: 'SendMessage', httpStatus: 0 })))).toStrictEqual([]);
  });

  test.each([
    ['an agent that was never asked', { agentId: 'w2' }],
    ['another context', { agentId: 'w1', contextId: 'x-2' }],
  ])('should be of this unit: not of %s', (_, from) => {
    const ledger = mesh().given(dispatched('w1', { contextId: 'x-1' }));

    expect(wordOf(ledger.observe({ type: 'MessageObserved', correlationId: 'c-1', ...from }))).toBe(
      'violation task-identity-conflict',
    );
  });
});

describe('whose word it is', () => {
  const open = (): Ledger => mesh().given(dispatched('w1', { contextId: 'x-1', serverTaskId: 't-1' }));

  test.each([
    ['another correlation ID is echoed', said('w1', 't-1', 'working', { metadataCorrelationId: 'c-2' })],
    ['the task belongs to another unit', said('w1', 't-1', 'working', { boundTo: '0:c-2' })],
    ['the context is another', said('w1', 't-1', 'working', { contextId: 'x-2' })],
    ['the context of a new task is another', said('w1', 't-2', 'working', { contextId: 'x-2' })],
    ['the agent was never asked', said('w2', 't-1', 'working')],
  ])('should be nobody of this unit where %s', (_, word) => {
    const ledger = open();

    expect(wordOf(ledger.observe(word))).toBe('violation task-identity-conflict');
    expect([ledger.unit.state, ledger.unit.serverTasks.length]).toStrictEqual([null, 1]);
  });

  test.each([
    [
      'all that is echoed is its own',
      said('w1', 't-1', 'working', { metadataCorrelationId: 'c-1', boundTo: '0:c-1', contextId: 'x-1' }),
    ],
    ['a repeated send made a second task', said('w1', 't-2', 'working', { contextId: 'x-1' })],
  ])('should be of the attempt where %s', (_, word) => {
    const ledger = open();

    expect([wordOf(ledger.observe(word)), ledger.unit.attempts.length]).toStrictEqual(['accepted', 1]);
  });

  test('should open a unit that was first seen in flight, which is never redispatched', () => {
    const ledger = mesh().given(said('w1', 't-1', 'working'));

    const lostNow = ledger.observe(lostTask('w1', 't-1'));

    expect(ledger.unit.attempts[0]?.by).toBe('seen');
    expect([wordOf(lostNow), lostNow.judgement.contractError?.code]).toStrictEqual([
      'indeterminate',
      'input-not-retained',
    ]);
  });
});
