import { describe, expect, test } from '@jest/globals';
import type { ArtifactObserved } from '../../../topology/observation.js';
import { canonicalArtifacts } from '../../../topology/task/unit.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, redispatched, said, wrote } from '../../kit/decider-kit/builders.js';
import { Ledger, wordOf } from '../../kit/decider-kit/ledger.js';

type Rest = Partial<Omit<ArtifactObserved, 'type'>>;
const bytes = (count: number): Rest => ({ parts: [{ kind: 'text', mediaType: 'application/json', bytes: count }] });
const chunk = (rest: Rest): ArtifactObserved => wrote('w1', 't-1', { ...bytes(10), ...rest });
const open = (...words: readonly ArtifactObserved[]): Ledger =>
  new Ledger([...agent('w1'), ...agent('w2')]).given(
    dispatched('w1', { serverTaskId: 't-1' }),
    said('w1', 't-1', 'working'),
    ...words,
  );

const BEGUN = chunk({ digest: 'd1' });
const SEALED = chunk({ digest: 'd1', lastChunk: true });

/** R21: what an attempt holds of an artifact, what comes, and what follows. */
const TABLE: readonly (readonly [
  string,
  readonly ArtifactObserved[],
  ArtifactObserved,
  string,
  { length: number; chunks: number; sealed: boolean } | null,
])[] = [
  ['a first chunk begins', [], BEGUN, 'accepted', { length: 10, chunks: 1, sealed: false }],
  ['a first chunk that is the last seals', [], SEALED, 'accepted', { length: 10, chunks: 1, sealed: true }],
  ['an append to nothing is unknown', [], chunk({ append: true }), 'violation artifact-unknown', null],
  [
    'an append to what another artifact began is unknown',
    [BEGUN],
    chunk({ artifactId: 'a-2', append: true }),
    'violation artifact-unknown',
    { length: 10, chunks: 1, sealed: false },
  ],
  [
    'an append adds',
    [BEGUN],
    chunk({ append: true, digest: 'd2', assembled: 'd12' }),
    'accepted',
    { length: 20, chunks: 2, sealed: false },
  ],
  [
    'chunks observed together are counted',
    [BEGUN],
    chunk({ append: true, chunks: 5, digest: 'd2' }),
    'accepted',
    { length: 20, chunks: 6, sealed: false },
  ],
  [
    'a last append seals',
    [BEGUN],
    chunk({ append: true, lastChunk: true }),
    'accepted',
    { length: 20, chunks: 2, sealed: true },
  ],
  ['the same from the beginning is idempotent', [BEGUN], BEGUN, 'idempotent', { length: 10, chunks: 1, sealed: false }],
  [
    'another from the beginning replaces',
    [BEGUN],
    chunk({ digest: 'd3', ...bytes(4) }),
    'accepted',
    { length: 4, chunks: 1, sealed: false },
  ],
  [
    'anything after the last is sealed',
    [SEALED],
    chunk({ append: true, digest: 'd2' }),
    'violation artifact-sealed',
    { length: 10, chunks: 1, sealed: true },
  ],
  [
    'a replacement after the last is sealed',
    [SEALED],
    chunk({ digest: 'd2' }),
    'violation artifact-sealed',
    { length: 10, chunks: 1, sealed: true },
  ],
  [
    'the same chunk after the last is idempotent',
    [SEALED],
    SEALED,
    'idempotent',
    { length: 10, chunks: 1, sealed: true },
  ],
  [
    'a chunk before the last, again, is idempotent',
    [BEGUN, chunk({ append: true, lastChunk: true, digest: 'd2', assembled: 'd12' })],
    chunk({ append: true, digest: 'd1' }),
    'idempotent',
    { length: 20, chunks: 2, sealed: true },
  ],
  [
    'the same whole after the last is idempotent',
    [BEGUN, chunk({ append: true, lastChunk: true, digest: 'd2', assembled: 'd12' })],
    chunk({ via: 'poll', digest: 'd12', ...bytes(20) }),
    'idempotent',
    { length: 20, chunks: 2, sealed: true },
  ],
  [
    'another whole after the last is sealed',
    [SEALED],
    chunk({ via: 'poll', digest: 'd9' }),
    'violation artifact-sealed',
    { length: 10, chunks: 1, sealed: true },
  ],
  [
    'a part of it as a whole after the last is sealed',
    [BEGUN, chunk({ append: true, lastChunk: true, digest: 'd2', assembled: 'd12' })],
    chunk({ via: 'poll', digest: 'd2' }),
    'violation artifact-sealed',
    { length: 20, chunks: 2, sealed: true },
  ],
  [
    'without a digest nothing is known to be the same',
    [SEALED],
    chunk({}),
    'violation artifact-sealed',
    { length: 10, chunks: 1, sealed: true },
  ],
  [
    'the same whole again is idempotent',
    [BEGUN],
    chunk({ via: 'snapshot', digest: 'd1' }),
    'idempotent',
    { length: 10, chunks: 1, sealed: false },
  ],
  [
    'a longer whole replaces',
    [BEGUN],
    chunk({ via: 'snapshot', digest: 'd5', ...bytes(30) }),
    'accepted',
    { length: 30, chunks: 1, sealed: false },
  ],
  [
    'a shorter whole is stale',
    [BEGUN],
    chunk({ via: 'list', digest: 'd5', ...bytes(9) }),
    'stale',
    { length: 10, chunks: 1, sealed: false },
  ],
  [
    'a whole is no append, whatever it says',
    [],
    chunk({ via: 'send-response', append: true }),
    'accepted',
    { length: 10, chunks: 1, sealed: false },
  ],
];

describe("an attempt's own sequence of an artifact", () => {
  test.each(TABLE)('should follow R21: %s', (_, before, next, word, held) => {
    const ledger = open(...before);
    const seals = ledger.record?.artifacts[0];

    expect(wordOf(ledger.observe(next))).toBe(word);

    const [after] = ledger.unit.artifacts;
    expect(
      after === undefined ? null : { length: after.length, chunks: after.chunks, sealed: after.sealed },
    ).toStrictEqual(held);
    if (word !== 'accepted') expect(after).toStrictEqual(seals);
  });

  test('should be whole in what is kept', () => {
    const ledger = open(
      BEGUN,
      chunk({ append: true, digest: 'd2', assembled: 'd12', parts: [{ kind: 'data', bytes: 2 }] }),
    );

    expect(ledger.unit.artifacts).toStrictEqual([
      {
        attempt: 1,
        artifactId: 'a-1',
        mediaTypes: ['application/json'],
        chunks: 2,
        length: 12,
        digest: 'd12',
        chunkDigests: ['d1', 'd2'],
        sealed: false,
        late: false,
      },
    ]);
  });

  test('should leave what was accepted as it was when an update is refused', () => {
    const ledger = open(BEGUN);

    expect(wordOf(ledger.observe(chunk({ append: true, parts: [{ kind: 'data' }, { kind: 'text' }] })))).toBe(
      'violation mode-not-advertised',
    );
    expect(ledger.unit.artifacts).toStrictEqual(open(BEGUN).unit.artifacts);
  });

  test('should check the type before the sequence', () => {
    expect(wordOf(open().observe(chunk({ append: true, parts: [{ kind: 'raw' }] })))).toBe(
      'violation media-type-missing',
    );
  });

  test('should be attached late after a terminal state', () => {
    const ledger = open().given(said('w1', 't-1', 'completed'));

    const decision = ledger.observe(BEGUN);

    expect([
      wordOf(decision),
      decision.judgement.rule,
      ledger.unit.artifacts[0]?.late,
      ledger.unit.state,
    ]).toStrictEqual(['accepted', 'R22', true, 'completed']);
  });

  test('should not be the word of another unit', () => {
    expect(wordOf(open().observe(chunk({ boundTo: '0:c-2' })))).toBe('violation task-identity-conflict');
  });
});

describe('the artifact of two attempts', () => {
  const second = (rest: Rest): ArtifactObserved => wrote('w2', 't-2', { ...bytes(10), ...rest });
  const replaced = (): Ledger =>
    open(BEGUN).given(lostTask('w1', 't-1'), redispatched('w2', { serverTaskId: 't-2' }), said('w2', 't-2', 'working'));

  test('should be idempotent where the content is the same', () => {
    const ledger = replaced();

    const decision = ledger.observe(second({ digest: 'd1' }));

    expect([wordOf(decision), decision.judgement.rule]).toStrictEqual(['idempotent', 'R24']);
  });

  test('should never be mixed: an append begins with its own attempt', () => {
    expect(wordOf(replaced().observe(second({ append: true, digest: 'd2' })))).toBe('violation artifact-unknown');
  });

  test("should be the deciding attempt's, and until then the current one's", () => {
    const ledger = replaced().given(second({ digest: 'd2' }));
    const canonical = () => canonicalArtifacts(ledger.unit).map(({ attempt }) => attempt);

    expect([ledger.unit.artifacts.length, canonical()]).toStrictEqual([2, [2]]);
    ledger.observe(said('w1', 't-1', 'completed'));
    expect([ledger.unit.decidedBy, canonical()]).toStrictEqual([1, [1]]);
  });

  test("should stay the first attempt's where the second was refused", () => {
    const ledger = replaced().given(second({ parts: [{ kind: 'text' }] }), said('w2', 't-2', 'completed'));

    expect([
      ledger.unit.state,
      canonicalArtifacts(ledger.unit).map(({ attempt }) => attempt),
      ledger.unit.counts.violations,
    ]).toStrictEqual(['completed', [1], 1]);
  });
});
