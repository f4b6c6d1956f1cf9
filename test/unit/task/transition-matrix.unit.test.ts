import { describe, expect, test } from '@jest/globals';
import type { Decision } from '../../../topology/decision.js';
import { VIAS, type Via } from '../../../topology/observation.js';
import { STATE_CLASS, TASK_STATES, type TaskState } from '../../../topology/task/task-state.js';
import { isIndeterminate } from '../../../topology/task/unit.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, said } from '../../kit/decider-kit/builders.js';
import { commandsOf, Ledger } from '../../kit/decider-kit/ledger.js';

/**
 * The whole product: last valid state x observed word x road x attempt, against tables written from R1-R3, R13-R15, R36,
 * R38, R47, R48. Rows: the last valid state. Columns: the word. Everything is advertised and verified; no timestamps.
 *
 *   A accepted   = idempotent   s stale   T terminal-change   M state-missing   U unknown-state
 *   P accepted, but a push is stale: it may be older than the loss (R36)
 */
const WORDS: readonly { readonly name: string; readonly wire?: string; readonly state?: TaskState }[] = [
  ...TASK_STATES.map((state) => ({ name: state, wire: state, state })),
  { name: 'missing' },
  { name: 'unspecified', wire: 'TASK_STATE_UNSPECIFIED' },
  { name: 'unknown', wire: 'TASK_STATE_PAUSED' },
];
const LAST: readonly (TaskState | 'none')[] = ['none', ...TASK_STATES];

/** The attempt that speaks is the unit's current one (R14, R15). */
const CURRENT = `
                sub wor inp aut com fai can rej mis uns unk
none             A   A   A   A   A   A   A   A   M   U   U
submitted        =   A   A   A   A   A   A   A   M   U   U
working          A   =   A   A   A   A   A   A   M   U   U
input-required   A   A   =   A   A   A   A   A   M   U   U
auth-required    A   A   A   =   A   A   A   A   M   U   U
completed        T   T   T   T   =   T   T   T   M   U   U
failed           T   T   T   T   T   =   T   T   M   U   U
canceled         T   T   T   T   T   T   =   T   M   U   U
rejected         T   T   T   T   T   T   T   =   M   U   U`;

/** The client sent it again, to another agent; the first speaks. Once decided it was told to stop: \`canceled\` answers (R38). */
const SUPERSEDED = `
                sub wor inp aut com fai can rej mis uns unk
none             s   s   s   s   A   s   s   s   M   U   U
submitted        s   s   s   s   A   s   s   s   M   U   U
working          s   s   s   s   A   s   s   s   M   U   U
input-required   s   s   s   s   A   s   s   s   M   U   U
auth-required    s   s   s   s   A   s   s   s   M   U   U
completed        s   s   s   s   =   T   =   T   M   U   U
failed           s   s   s   s   T   =   =   T   M   U   U
canceled         s   s   s   s   T   T   =   T   M   U   U
rejected         s   s   s   s   T   T   =   =   M   U   U`;

/** A redispatch that was void before it spoke; nobody had told it to stop (R38, R60). */
const VOID = `
                sub wor inp aut com fai can rej mis uns unk
none             s   s   s   s   A   s   s   s   M   U   U
submitted        s   s   s   s   A   s   s   s   M   U   U
working          s   s   s   s   A   s   s   s   M   U   U
input-required   s   s   s   s   A   s   s   s   M   U   U
auth-required    s   s   s   s   A   s   s   s   M   U   U
completed        s   s   s   s   =   T   T   T   M   U   U
failed           s   s   s   s   T   =   T   T   M   U   U
canceled         s   s   s   s   T   T   =   T   M   U   U
rejected         s   s   s   s   T   T   T   =   M   U   U`;

/** The current attempt after its TaskNotFound: reappeared, unless the work had ended before (R27, R36). */
const LOST = `
                sub wor inp aut com fai can rej mis uns unk
none             P   P   P   P   A   A   A   A   M   U   U
submitted        P   P   P   P   A   A   A   A   M   U   U
working          P   P   P   P   A   A   A   A   M   U   U
input-required   P   P   P   P   A   A   A   A   M   U   U
auth-required    P   P   P   P   A   A   A   A   M   U   U
completed        T   T   T   T   =   T   T   T   M   U   U
failed           T   T   T   T   T   =   T   T   M   U   U
canceled         T   T   T   T   T   T   =   T   M   U   U
rejected         T   T   T   T   T   T   T   =   M   U   U`;

type Scene = { readonly ledger: Ledger; readonly agentId: string; readonly serverTaskId: string };

const mesh = (): Ledger =>
  new Ledger(
    ['w1', 'w2', 'w3'].flatMap((id) => agent(id)),
    { substitutionGroups: [['w1', 'w2']] },
  );

const SCENES: Readonly<
  Record<string, { readonly table: string; readonly scene: (last: TaskState | 'none') => Scene }>
> = {
  current: {
    table: CURRENT,
    scene: (last) => {
      const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1' }));
      if (last !== 'none') ledger.observe(said('w1', 't-1', last));
      return { ledger, agentId: 'w1', serverTaskId: 't-1' };
    },
  },
  superseded: {
    table: SUPERSEDED,
    scene: (last) => {
      const ledger = mesh().given(
        dispatched('w1', { serverTaskId: 't-1' }),
        dispatched('w2', { messageId: 'm-2', serverTaskId: 't-2' }),
      );
      if (last !== 'none') ledger.observe(said('w2', 't-2', last));
      return { ledger, agentId: 'w1', serverTaskId: 't-1' };
    },
  },
  void: {
    table: VOID,
    scene: (last) => {
      const ledger = mesh().given(
        dispatched('w1', { serverTaskId: 't-1' }),
        lostTask('w1', 't-1'),
        dispatched('w1', { messageId: 'm-3', serverTaskId: 't-3' }),
      );
      if (last !== 'none') ledger.observe(said('w1', 't-3', last));
      return { ledger, agentId: 'w2', serverTaskId: 't-2' };
    },
  },
  lost: {
    table: LOST,
    scene: (last) => {
      const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1' }));
      if (last !== 'none') ledger.observe(said('w1', 't-1', last));
      ledger.observe(lostTask('w1', 't-1'));
      return { ledger, agentId: 'w1', serverTaskId: 't-1' };
    },
  },
};

const LETTERS: Readonly<Record<string, string>> = {
  accepted: 'A',
  idempotent: '=',
  stale: 's',
  'terminal-change': 'T',
  'state-missing': 'M',
  'unknown-state': 'U',
};
const letterOf = ({ judgement: { word, code } }: Decision): string => LETTERS[code ?? word] ?? `${word} ${code ?? ''}`;

const HEAD = `${' '.repeat(16)}${WORDS.map(({ name }) => name.slice(0, 3)).join(' ')}`;

const judged = (
  scene: (last: TaskState | 'none') => Scene,
  via: Via,
  cell: (before: Scene, word: (typeof WORDS)[number], said: Decision) => string,
): string =>
  [
    '',
    HEAD,
    ...LAST.map((last) => {
      const cells = WORDS.map((word) => {
        const before = scene(last);
        const { ledger, agentId, serverTaskId } = before;
        return cell(before, word, ledger.observe(said(agentId, serverTaskId, word.wire, { via })));
      });
      return `${last.padEnd(16)} ${cells.join('   ')}`;
    }),
  ].join('\n');

const isTerminal = (state: TaskState | 'none'): boolean => state !== 'none' && STATE_CLASS[state] === 'terminal';

describe.each(Object.entries(SCENES))('a word of the %s attempt', (name, { table, scene }) => {
  test.each(VIAS)('should be judged as the table says when it arrives by %s', (via) => {
    const expected = table.replaceAll('P', via === 'push' ? 's' : 'A');

    expect(judged(scene, via, (_, __, decision) => letterOf(decision))).toBe(expected);
  });

  test.each(VIAS)('should move the record only where it was accepted, by %s', (via) => {
    for (const last of LAST)
      for (const word of WORDS) {
        const { ledger, agentId, serverTaskId } = scene(last);
        const indeterminate = isIndeterminate(ledger.unit);
        const decision = ledger.observe(said(agentId, serverTaskId, word.wire, { via }));
        const accepted = decision.judgement.word === 'accepted';
        const { unit } = ledger;
        const after = accepted ? word.state : last === 'none' ? null : last;
        expect({
          last,
          word: word.name,
          state: unit.state,
          lost: isIndeterminate(unit),
          faults: unit.counts.violations,
        }).toStrictEqual({
          last,
          word: word.name,
          state: after,
          lost: name === 'lost' && !isTerminal(last) && !accepted,
          faults: decision.judgement.word === 'violation' ? 1 : 0,
        });
        expect(indeterminate).toBe(name === 'lost' && !isTerminal(last));
      }
  });
});

describe('what an attempt that is not the current one makes the ledger command', () => {
  const commanded = (
    scene: (last: TaskState | 'none') => Scene,
    last: TaskState | 'none',
    word: TaskState,
  ): readonly string[] => {
    const { ledger, agentId, serverTaskId } = scene(last);
    return commandsOf(ledger.observe(said(agentId, serverTaskId, word)));
  };
  const { superseded, void: voided } = SCENES;

  test.each(LAST.filter((last) => !isTerminal(last)))(
    'should be to stop the others when it completes first, after %s',
    (last) => {
      expect(commanded(superseded?.scene ?? fail, last, 'completed')).toStrictEqual(['cancel-superseded w2 t-2']);
      expect(commanded(voided?.scene ?? fail, last, 'completed')).toStrictEqual(['cancel-superseded w1 t-3']);
    },
  );

  test.each(LAST)('should be to stop a void redispatch that went out all the same, after %s', (last) => {
    const active = ['submitted', 'working', 'input-required', 'auth-required'] as const;
    for (const word of active)
      expect(commanded(voided?.scene ?? fail, last, word)).toStrictEqual(['cancel-superseded w2 t-2']);
  });

  test.each(LAST)('should be nothing when a superseded attempt is still at work, after %s', (last) => {
    // While undecided it may still complete first; once decided it was told to stop already.
    expect(commanded(superseded?.scene ?? fail, last, 'working')).toStrictEqual([]);
  });

  test.each(TASK_STATES.filter(isTerminal))(
    'should be to stop each open attempt, once, when the unit ends as %s',
    (end) => {
      const ledger = mesh().given(
        dispatched('w1', { serverTaskId: 't-1' }),
        said('w1', 't-1b', 'working'),
        dispatched('w2', { messageId: 'm-2', serverTaskId: 't-2' }),
      );

      const ended = commandsOf(ledger.observe(said('w2', 't-2', end)));
      const again = commandsOf(ledger.observe(said('w1', 't-1', 'working')));

      expect(ended).toStrictEqual(['cancel-superseded w1 t-1', 'cancel-superseded w1 t-1b']);
      expect(again).toStrictEqual([]);
    },
  );
});

const fail = (): never => {
  throw new Error('no such scene');
};

describe('a spelling of a state', () => {
  test.each(TASK_STATES)('should make no difference: %s', (state) => {
    const spelled = `TASK_STATE_${state.toUpperCase().replace('-', '_')}`;
    const states = [state, spelled].map((wire) => {
      const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1' }));
      const { judgement } = ledger.observe(said('w1', 't-1', wire));
      return [judgement.word, ledger.unit.state];
    });

    expect(states).toStrictEqual([
      ['accepted', state],
      ['accepted', state],
    ]);
  });

  test('should take the two-L form of the 0.3 REST and gRPC enum', () => {
    const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1' }), said('w1', 't-1', 'TASK_STATE_CANCELLED'));

    expect(ledger.unit.state).toBe('canceled');
  });

  test.each([
    'cancelled',
    'Working',
    'working ',
    ' working',
    'input_required',
    'TASK_STATE_INPUT-REQUIRED',
    'task_state_working',
    'indeterminate',
    'null',
  ])('should not be guessed: %j', (wire) => {
    const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1' }), said('w1', 't-1', 'working'));

    const { judgement } = ledger.observe(said('w1', 't-1', wire));

    expect([judgement.word, judgement.code, ledger.unit.state]).toStrictEqual([
      'violation',
      'unknown-state',
      'working',
    ]);
  });

  test.each(['TASK_STATE_UNSPECIFIED', 'unknown'])(
    "should be ignored where it is another Holdfast's word: %s",
    (wire) => {
      const ledger = mesh().given(dispatched('w1', { serverTaskId: 't-1' }), said('w1', 't-1', 'working'));

      const { judgement } = ledger.observe(said('w1', 't-1', wire, { lifecycleReason: 'indeterminate' }));

      expect([judgement.word, judgement.rule, ledger.unit.counts.violations]).toStrictEqual(['ignored', 'R2', 0]);
    },
  );
});
