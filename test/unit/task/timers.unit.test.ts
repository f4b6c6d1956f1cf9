import { describe, expect, test } from '@jest/globals';
import type { Decision } from '../../../topology/decision.js';
import type { GapObserved } from '../../../topology/agent/agent-records.js';
import { dueAt } from '../../../topology/ledger.decider.js';
import { agent, verificationOf } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, said, wrote } from '../../kit/decider-kit/builders.js';
import { commandsOf, Ledger, START } from '../../kit/decider-kit/ledger.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const working = (...agents: readonly string[]): Ledger =>
  new Ledger((agents.length > 0 ? agents : ['w1', 'w2']).flatMap((id) => agent(id))).given(
    dispatched('w1', { serverTaskId: 't-1' }),
    said('w1', 't-1', 'working'),
  );
const fired = (decisions: readonly Decision[]): readonly string[] =>
  decisions.map((decision) => {
    const { trigger } = decision.grounds;
    return [trigger.kind === 'timer' ? trigger.timer : trigger.kind, ...commandsOf(decision)].join(': ');
  });
const gap = (from: number, to: number): GapObserved => ({ type: 'GapObserved', agentIds: ['w1'], from, to });

describe('silence', () => {
  test('should be asked about once, and marked when it lasts', () => {
    const ledger = working();

    expect(fired(ledger.wait(15 * MINUTE - 1))).toStrictEqual([]);
    expect(fired(ledger.wait(1))).toStrictEqual(['silence: query-task w1 t-1']);
    expect(fired(ledger.wait(45 * MINUTE - 1))).toStrictEqual([]);
    expect(fired(ledger.wait(1))).toStrictEqual(['stalled']);
    expect([ledger.unit.marks, ledger.unit.loss, fired(ledger.wait(30 * DAY))]).toStrictEqual([
      ['stalled'],
      undefined,
      [],
    ]);
  });

  test.each([
    ['a state', said('w1', 't-1', 'submitted')],
    ['an artifact', wrote('w1', 't-1')],
    ['a timestamp not seen before', said('w1', 't-1', 'working', { statusTimestamp: 9 })],
    ['a message not seen before', said('w1', 't-1', 'working', { messageId: 'n' })],
  ])('should be broken by %s', (_, word) => {
    const ledger = working();
    ledger.wait(20 * MINUTE);
    ledger.observe(word);

    expect(fired(ledger.wait(15 * MINUTE - 1))).toStrictEqual([]);
    expect(fired(ledger.wait(1))).toStrictEqual(['silence: query-task w1 t-1']);
  });

  test('should not be broken by the same state without anything new', () => {
    const ledger = working();
    ledger.observe(said('w1', 't-1', 'working'), { after: 10 * MINUTE });

    expect(fired(ledger.wait(5 * MINUTE))).toStrictEqual(['silence: query-task w1 t-1']);
  });

  test.each([['input-required'], ['auth-required'], ['completed'], ['failed']])(
    'should not be watched at %s',
    (state) => {
      const ledger = working().given(said('w1', 't-1', state));

      expect(fired(ledger.wait(DAY))).toStrictEqual([]);
    },
  );

  test('should be watched from the dispatch on', () => {
    const ledger = new Ledger(agent('w1')).given(dispatched('w1', { serverTaskId: 't-1' }));

    expect(fired(ledger.wait(15 * MINUTE))).toStrictEqual(['silence: query-task w1 t-1']);
  });

  test('should not count while the observer was blind', () => {
    const ledger = working();
    ledger.tell(gap(START, START + 10));

    const decisions = ledger.wait(HOUR);

    expect([fired(decisions), decisions.map(({ judgement }) => judgement.rule), ledger.unit.marks]).toStrictEqual([
      ['silence'],
      ['R55'],
      [],
    ]);
  });
});

describe('a gap', () => {
  test('should keep an open unit from being redispatched until a state of it is seen again', () => {
    const ledger = working();
    ledger.tell(gap(ledger.now, ledger.now + 5));

    expect(commandsOf(ledger.observe(lostTask('w1', 't-1'), { after: 10 }))).toStrictEqual([]);
    ledger.observe(said('w1', 't-1', 'working', { via: 'poll' }), { after: 10 });
    expect(commandsOf(ledger.observe(lostTask('w1', 't-1'), { after: 10 }))).toStrictEqual(['redispatch w2 #2']);
  });

  test('should not matter to what was dispatched or seen after it', () => {
    const ledger = working();
    ledger.tell(gap(0, START));

    expect(commandsOf(ledger.observe(lostTask('w1', 't-1')))).toStrictEqual(['redispatch w2 #2']);
  });
});

describe('a lost unit that nobody can take', () => {
  const parked = (): Ledger => {
    const ledger = working('w1');
    expect(ledger.observe(lostTask('w1', 't-1')).judgement.contractError).toStrictEqual({
      code: 'no-capable-worker',
      requiredState: 'working',
    });
    return ledger;
  };

  test('should be marked for the operator after a time, and never fail', () => {
    const ledger = parked();

    expect(fired(ledger.wait(HOUR - 1))).toStrictEqual([]);
    expect(fired(ledger.wait(1))).toStrictEqual(['indeterminate-mark']);
    expect([ledger.unit.marks, ledger.unit.state, fired(ledger.wait(30 * DAY))]).toStrictEqual([
      ['no-candidate'],
      'working',
      [],
    ]);
  });

  test('should be taken up by itself when somebody is verified', () => {
    const ledger = parked();

    const decisions = ledger.tell(...agent('w3'));

    expect(
      decisions.map((decision) => [decision.judgement.word, decision.judgement.rule, ...commandsOf(decision)]),
    ).toStrictEqual([['decided', 'R35', 'redispatch w3 #2']]);
  });

  test('should be taken up by the agent that lost it once that was verified again', () => {
    expect(parked().tell(verificationOf('w1')).flatMap(commandsOf)).toStrictEqual(['redispatch w1 #2']);
  });

  test('should not be taken up by a card alone', () => {
    const ledger = parked();

    expect(ledger.tell(...agent('w3', { verified: null }))).toStrictEqual([]);
  });

  test('should wait its turn where many are taken up at once', () => {
    const ledger = parked();
    ledger.rank = 120;

    const decisions = ledger.tell(...agent('w3'));

    expect(decisions.map((decision) => [decision.judgement.rule, commandsOf(decision)])).toStrictEqual([['R35', []]]);
    expect(fired(ledger.wait(1_999))).toStrictEqual([]);
    expect(fired(ledger.wait(1))).toStrictEqual(['reexamination: redispatch w3 #2']);
  });

  test('should not raise its contract error again when the one who could take it is gone by then', () => {
    const ledger = parked();
    ledger.rank = 120;
    ledger.tell(...agent('w3'), { type: 'AgentRemoved', agentId: 'w3' });

    const decisions = ledger.wait(2_000);

    expect(fired(decisions)).toStrictEqual(['reexamination']);
    expect(decisions[0]?.judgement.contractError).toBeUndefined();
    expect(ledger.unit.loss?.contractErrors).toStrictEqual(['no-capable-worker']);
  });

  test('should raise its contract error once per loss', () => {
    const ledger = parked();
    ledger.tell(...agent('w4'));
    ledger.observe(lostTask('w1', 't-1'));

    expect(ledger.unit.loss?.contractErrors).toStrictEqual(['no-capable-worker']);
  });
});

describe('what has ended', () => {
  test('should drop its input and then its record', () => {
    const ledger = working().given(said('w1', 't-1', 'completed'));

    expect(fired(ledger.wait(7 * DAY - 1))).toStrictEqual([]);
    expect(fired(ledger.wait(1))).toStrictEqual(['input-retention']);
    expect(fired(ledger.wait(23 * DAY - 1))).toStrictEqual([]);
    expect(fired(ledger.wait(1))).toStrictEqual(['retention']);
    expect(ledger.record).toBeNull();
  });

  test('should be kept from its last word on', () => {
    const ledger = working().given(said('w1', 't-1', 'completed'));
    ledger.wait(29 * DAY);
    ledger.observe(said('w1', 't-1', 'completed'));

    expect(dueAt(ledger.unit, ledger.contracts.policy)).toBe(ledger.now + 30 * DAY);
  });

  test('should be kept while an attempt is open', () => {
    const ledger = working().given(
      dispatched('w2', { messageId: 'm-2', serverTaskId: 't-2' }),
      said('w2', 't-2', 'completed'),
    );
    expect(fired(ledger.wait(60 * DAY))).toStrictEqual(['input-retention']);

    ledger.observe(said('w1', 't-1', 'canceled'));
    expect(fired(ledger.wait(30 * DAY))).toStrictEqual(['retention']);
  });

  test('should be another unit when its correlation ID is used after that, with command IDs of its own', () => {
    const ledger = working().given(said('w1', 't-1', 'completed'));
    ledger.wait(31 * DAY);
    ledger.given(dispatched('w1', { serverTaskId: 't-1' }));

    const [command] = ledger.observe(lostTask('w1', 't-1')).commands;

    expect(command?.commandId).toBe('redispatch:2@0/3:0:c-1');
  });
});
