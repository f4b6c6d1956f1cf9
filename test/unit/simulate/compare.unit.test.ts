import { describe, expect, test } from '@jest/globals';
import { compare } from '../../../services/simulate/compare.js';
import type { Concluded, ConcludedCommand } from '../../../services/simulate/conclude.js';
import type { Conclusion, StoryCommand } from '../../../services/simulate/story.js';

const internal = { early: false, released: false, commandId: 'x', partition: 0 };
const redispatch = { after: 2, type: 'redispatch', correlationId: 'c1', requiredState: 'working' };
const first: ConcludedCommand = { ...redispatch, to: 'B', toAnyOf: ['B', 'C'], ...internal };
const second: ConcludedCommand = { ...first, correlationId: 'c2', to: 'C' };
const query: ConcludedCommand = { after: 1, type: 'query-task', correlationId: 'c1', agentId: 'A', ...internal };

const CONCLUDED: Concluded = {
  verdicts: [{ seq: 1, verdict: 'violation', code: 'unknown-state' }],
  violations: [{ seq: 1, correlationId: 'c1', code: 'unknown-state' }],
  contractErrors: [{ seq: 2, correlationId: 'c1', code: 'attempts-exhausted', early: false }],
  quarantined: 1,
  commands: [query, first, second],
  ledger: { c1: { state: null, violations: 1, artifacts: { a: { chunks: 2, attempt: 1 } } }, c2: null },
};

const expected = (want: StoryCommand): Conclusion => ({
  commands: [want, { ...second, ...want, correlationId: 'c2' }],
});
const places = (want: Conclusion, concluded = CONCLUDED): readonly string[] =>
  compare(want, concluded).map(({ where }) => where);

describe('What holds', () => {
  test.each<[string, Conclusion]>([
    ['nothing named', {}],
    ['all of a verdict but its code', { verdicts: [{ seq: 1, verdict: 'violation' }] }],
    ['both redispatches without the query', expected(redispatch)],
    [
      'candidates in another order',
      {
        commands: [
          { ...redispatch, toAnyOf: ['C', 'B'], never: ['A'] },
          { after: 2, type: 'redispatch' },
        ],
      },
    ],
    ['a part of a unit', { ledger: { c1: { artifacts: { a: { chunks: 2 } } } } }],
    ['no record left', { ledger: { c2: null, never: null } }],
  ])('%s', (_, want) => {
    expect(places(want)).toStrictEqual([]);
  });

  test('what a timer did before an event, claimed by that event or by the one before', () => {
    const concluded = { ...CONCLUDED, commands: [{ ...first, early: true }] };
    expect(places({ commands: [redispatch] }, concluded)).toStrictEqual([]);
    expect(places({ commands: [{ ...redispatch, after: 1 }] }, concluded)).toStrictEqual([]);
    expect(places({ commands: [{ ...redispatch, after: 3 }] }, concluded)).not.toStrictEqual([]);
  });

  test('an approved redispatch that is released, named or not', () => {
    const released = { ...first, after: 3, again: true, released: true };
    const concluded = { ...CONCLUDED, commands: [first, released] };
    expect(places({ commands: [redispatch] }, concluded)).toStrictEqual([]);
    expect(places({ commands: [redispatch, { ...redispatch, after: 3, again: true }] }, concluded)).toStrictEqual([]);
  });
});

describe('What does not hold', () => {
  test.each<[string, Conclusion, string]>([
    ['another word', { verdicts: [{ seq: 1, verdict: 'stale' }] }, '/verdicts/0'],
    ['another code', { verdicts: [{ seq: 1, verdict: 'violation', code: 'state-missing' }] }, '/verdicts/0'],
    ['a verdict that was not given', { verdicts: [{ seq: 9, verdict: 'violation' }] }, '/verdicts/0'],
    ['a violation too many', { violations: [] }, '/violations'],
    [
      'a contract error elsewhere',
      { contractErrors: [{ seq: 1, correlationId: 'c1', code: 'attempts-exhausted' }] },
      '/contractErrors/0',
    ],
    ['another number of dead letters', { quarantined: 0 }, '/quarantined'],
    ['a redispatch too many', { commands: [redispatch] }, '/commands'],
    ['a missing query', { commands: [{ ...query, agentId: 'B' }, first, second] }, '/commands/0'],
    ['the wrong order', { commands: [{ ...redispatch, correlationId: 'c2' }, redispatch] }, '/commands/1'],
    ['another first choice', expected({ ...redispatch, to: 'C' }), '/commands/0'],
    ['a candidate too few', expected({ ...redispatch, toAnyOf: ['B'] }), '/commands/0'],
    ['a candidate too many', expected({ ...redispatch, toAnyOf: ['B', 'C', 'D'] }), '/commands/0'],
    ['a forbidden candidate', expected({ ...redispatch, never: ['C'] }), '/commands/0'],
    ['issued anew', expected({ ...redispatch, again: true }), '/commands/0'],
    ['another state', { ledger: { c1: { state: 'working' } } }, '/ledger/c1/state'],
    ['an artifact too many', { ledger: { c1: { artifacts: {} } } }, '/ledger/c1/artifacts'],
    ['a record that is there', { ledger: { c1: null } }, '/ledger/c1'],
    ['a record that is not', { ledger: { 'a/b~': {} } }, '/ledger/a~1b~0'],
  ])('%s', (_, want, where) => {
    expect(places(want)).toContain(where);
  });
});
