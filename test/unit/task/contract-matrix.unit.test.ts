import { describe, expect, test } from '@jest/globals';
import { TASK_STATES, type TaskState } from '../../../topology/task/task-state.js';
import { closedAs } from '../../../topology/task/unit.js';
import { agent, type AgentOptions } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, said } from '../../kit/decider-kit/builders.js';
import { commandsOf, Ledger, wordOf } from '../../kit/decider-kit/ledger.js';

/**
 * R12, R13: advertised x verified x assume, for each state. Rows: what the card and the probes say of the state; columns:
 * the state. `+` accepted, `a` state-not-advertised, `v` state-not-verified.
 */
const DEFAULT_ASSUME = `
                                       sub wor inp aut com fai can rej
advertised, verified                    +   +   +   +   +   +   +   +
advertised, verified by traffic         +   +   +   +   +   +   +   +
advertised, not verified                +   +   v   v   v   +   +   +
advertised, refuted                     v   v   v   v   v   v   v   v
advertised, agent never verified        +   +   +   +   +   +   +   +
not advertised, verified                a   a   a   a   a   a   a   a
not advertised, not verified            a   a   a   a   a   a   a   a
not advertised, refuted                 a   a   a   a   a   a   a   a
not advertised, agent never verified    a   a   a   a   a   a   a   a
no states on the card, verified         +   +   +   +   +   +   +   +
no states on the card, not verified     +   +   v   v   v   +   +   +`;

/** With `assume` empty nothing counts unless it was seen. */
const STRICT = `
                                       sub wor inp aut com fai can rej
advertised, verified                    +   +   +   +   +   +   +   +
advertised, verified by traffic         +   +   +   +   +   +   +   +
advertised, not verified                v   v   v   v   v   v   v   v
advertised, refuted                     v   v   v   v   v   v   v   v
advertised, agent never verified        +   +   +   +   +   +   +   +
not advertised, verified                a   a   a   a   a   a   a   a
not advertised, not verified            a   a   a   a   a   a   a   a
not advertised, refuted                 a   a   a   a   a   a   a   a
not advertised, agent never verified    a   a   a   a   a   a   a   a
no states on the card, verified         +   +   +   +   +   +   +   +
no states on the card, not verified     v   v   v   v   v   v   v   v`;

/** With `assume` naming `input-required` alone. */
const ODD = `
                                       sub wor inp aut com fai can rej
advertised, verified                    +   +   +   +   +   +   +   +
advertised, verified by traffic         +   +   +   +   +   +   +   +
advertised, not verified                v   v   +   v   v   v   v   v
advertised, refuted                     v   v   v   v   v   v   v   v
advertised, agent never verified        +   +   +   +   +   +   +   +
not advertised, verified                a   a   a   a   a   a   a   a
not advertised, not verified            a   a   a   a   a   a   a   a
not advertised, refuted                 a   a   a   a   a   a   a   a
not advertised, agent never verified    a   a   a   a   a   a   a   a
no states on the card, verified         +   +   +   +   +   +   +   +
no states on the card, not verified     v   v   +   v   v   v   v   v`;

const others = (state: TaskState): readonly TaskState[] => TASK_STATES.filter((other) => other !== state);

const CONDITIONS: Readonly<Record<string, (state: TaskState) => AgentOptions>> = {
  'advertised, verified': (state) => ({ states: [state], verified: [state] }),
  'advertised, verified by traffic': (state) => ({ states: [state], verified: [state], basis: 'observed' }),
  'advertised, not verified': (state) => ({ states: TASK_STATES, verified: others(state) }),
  'advertised, refuted': (state) => ({ states: TASK_STATES, verified: others(state), refuted: [state] }),
  'advertised, agent never verified': (state) => ({ states: [state], verified: null }),
  'not advertised, verified': (state) => ({ states: others(state), verified: TASK_STATES }),
  'not advertised, not verified': (state) => ({ states: others(state), verified: others(state) }),
  'not advertised, refuted': (state) => ({ states: others(state), verified: others(state), refuted: [state] }),
  'not advertised, agent never verified': (state) => ({ states: others(state), verified: null }),
  'no states on the card, verified': () => ({ states: null }),
  'no states on the card, not verified': (state) => ({ states: null, verified: others(state) }),
};

const LETTERS: Readonly<Record<string, string>> = {
  accepted: '+',
  'violation state-not-advertised': 'a',
  'violation state-not-verified': 'v',
};

const rendered = (assume: readonly TaskState[] | undefined): string =>
  [
    '',
    `${' '.repeat(39)}${TASK_STATES.map((state) => state.slice(0, 3)).join(' ')}`,
    ...Object.entries(CONDITIONS).map(([name, options]) => {
      const cells = TASK_STATES.map((state) => {
        const policy = assume === undefined ? {} : { assume };
        const ledger = new Ledger(agent('w1', options(state)), policy).given(dispatched('w1', { serverTaskId: 't-1' }));
        const word = wordOf(ledger.observe(said('w1', 't-1', state)));
        expect(ledger.unit.state).toBe(word === 'accepted' ? state : null);
        return LETTERS[word] ?? word;
      });
      return `${name.padEnd(38)}  ${cells.join('   ')}`;
    }),
  ].join('\n');

describe('a state, by what is advertised and verified', () => {
  test('should be judged as the table says under the default assumption', () => {
    expect(rendered(undefined)).toBe(DEFAULT_ASSUME);
  });

  test('should be judged as the table says when nothing is assumed', () => {
    expect(rendered([])).toBe(STRICT);
  });

  test('should be judged as the table says when one forcible state is assumed', () => {
    expect(rendered(['input-required'])).toBe(ODD);
  });

  test.each(['probe-first', 'trust', 'refuse'] as const)(
    'should be judged by the card while nothing is verified: %s',
    (unverified) => {
      const ledger = new Ledger(agent('w1', { states: ['working'], verified: null }), { unverified });
      ledger.observe(dispatched('w1', { serverTaskId: 't-1' }));

      expect(wordOf(ledger.observe(said('w1', 't-1', 'working')))).toBe('accepted');
      expect(wordOf(ledger.observe(said('w1', 't-1', 'completed')))).toBe('violation state-not-advertised');
    },
  );

  test.each([
    {
      from: 'the card',
      options: { states: ['working'], config: { configuredStates: ['completed'] } },
      working: 'accepted',
    },
    {
      from: 'the configuration',
      options: { states: null, config: { configuredStates: ['completed'] } },
      working: 'violation state-not-advertised',
    },
    {
      from: 'an empty list on the card',
      options: { states: [], config: { configuredStates: ['working'] } },
      working: 'violation state-not-advertised',
    },
    { from: 'nobody: all eight', options: { states: null }, working: 'accepted' },
  ] as const)('should be advertised by $from', ({ options, working }) => {
    const ledger = new Ledger(agent('w1', { ...options, verified: null })).given(
      dispatched('w1', { serverTaskId: 't-1' }),
    );

    expect(wordOf(ledger.observe(said('w1', 't-1', 'working')))).toBe(working);
  });
});

describe('a refused terminal state', () => {
  const TERMINAL = ['completed', 'failed', 'canceled', 'rejected'] as const;
  const refusing = (state: TaskState): Ledger =>
    new Ledger([...agent('w1', { states: others(state) }), ...agent('w2')]).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      said('w1', 't-1', 'working'),
    );

  test.each(TERMINAL)('should be the last word of the attempt all the same: %s', (state) => {
    const ledger = refusing(state);

    const { judgement } = ledger.observe(said('w1', 't-1', state));
    const lost = ledger.observe(lostTask('w1', 't-1'));
    const silent = ledger.wait(24 * 3_600_000);

    expect([judgement.word, judgement.code, judgement.rule]).toStrictEqual([
      'violation',
      'state-not-advertised',
      'R48',
    ]);
    expect(closedAs(ledger.unit)).toBe('closed-by-violation');
    expect(ledger.unit.state).toBe('working');
    expect([lost.judgement.word, commandsOf(lost)]).toStrictEqual(['terminal-ok', []]);
    expect(silent).toStrictEqual([]);
  });

  test('should end the pass that was begun when the task had been thought lost', () => {
    const ledger = refusing('completed').given(lostTask('w1', 't-1'));
    expect(ledger.unit.loss?.redispatch?.agentId).toBe('w2');

    ledger.observe(said('w1', 't-1', 'completed', { via: 'poll' }));

    expect([ledger.unit.loss, closedAs(ledger.unit), ledger.unit.attempts[1]?.status]).toStrictEqual([
      undefined,
      'closed-by-violation',
      'void',
    ]);
  });

  test('should be lifted by a later state that is accepted', () => {
    const ledger = refusing('completed').given(said('w1', 't-1', 'completed'), said('w1', 't-1', 'failed'));

    expect([ledger.unit.state, closedAs(ledger.unit)]).toStrictEqual(['failed', null]);
  });

  test('should not close the unit when a superseded attempt spoke it', () => {
    const ledger = refusing('completed').given(dispatched('w2', { messageId: 'm-2', serverTaskId: 't-2' }));

    expect(wordOf(ledger.observe(said('w1', 't-1', 'completed')))).toBe('violation state-not-advertised');
    expect([ledger.unit.state, closedAs(ledger.unit)]).toStrictEqual(['working', null]);
  });

  test('should not be checked against the contract when the unit has ended', () => {
    // R14 is checked first: what cannot follow is no question of the card.
    const ledger = new Ledger(agent('w1', { states: ['completed'] })).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      said('w1', 't-1', 'completed'),
    );

    expect(wordOf(ledger.observe(said('w1', 't-1', 'failed')))).toBe('violation terminal-change');
  });
});

describe('a snapshot seen before', () => {
  const ledgerAt = (): Ledger =>
    new Ledger(agent('w1')).given(
      dispatched('w1', { serverTaskId: 't-1' }),
      said('w1', 't-1', 'input-required', { statusTimestamp: 5 }),
      said('w1', 't-1', 'working', { statusTimestamp: 6 }),
    );

  test('should be no step back when a follow-up stream repeats it', () => {
    const ledger = ledgerAt();

    const { judgement } = ledger.observe(said('w1', 't-1', 'input-required', { via: 'snapshot', statusTimestamp: 5 }));

    expect([judgement.word, judgement.rule, ledger.unit.state]).toStrictEqual(['idempotent', 'R47', 'working']);
  });

  test('should be idempotent after the end too', () => {
    const ledger = ledgerAt().given(said('w1', 't-1', 'completed', { statusTimestamp: 7 }));

    const { judgement } = ledger.observe(said('w1', 't-1', 'input-required', { via: 'poll', statusTimestamp: 5 }));

    expect([judgement.word, judgement.rule, ledger.unit.state]).toStrictEqual(['idempotent', 'R47', 'completed']);
  });

  test.each([
    ['another timestamp', { statusTimestamp: 8 }],
    ['no timestamp', {}],
  ])('should be judged as any state when it has %s', (_, rest) => {
    const ledger = ledgerAt();

    expect(wordOf(ledger.observe(said('w1', 't-1', 'input-required', rest)))).toBe('accepted');
    expect(ledger.unit.state).toBe('input-required');
  });

  test('should be of that attempt only', () => {
    const ledger = ledgerAt().given(dispatched('w1', { messageId: 'm-2', serverTaskId: 't-2' }));

    expect(wordOf(ledger.observe(said('w1', 't-2', 'input-required', { statusTimestamp: 5 })))).toBe('accepted');
  });

  test('should be a return when the task had been lost meanwhile', () => {
    const ledger = ledgerAt().given(lostTask('w1', 't-1'));

    const { judgement } = ledger.observe(said('w1', 't-1', 'working', { via: 'poll', statusTimestamp: 6 }));

    expect([judgement.word, judgement.rule, ledger.unit.loss]).toStrictEqual(['accepted', 'R36', undefined]);
  });
});
