import { describe, expect, test } from '@jest/globals';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { agent, cardOf, verificationOf, type AgentOptions } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, said, wrote } from '../../kit/decider-kit/builders.js';
import { commandsOf, Ledger, START, wordOf } from '../../kit/decider-kit/ledger.js';

const NARROW = ['submitted', 'working'] as const;
const EXPIRED: AgentOptions = { states: NARROW, expiresAt: START };
const STALE: AgentOptions = {
  states: [...NARROW, 'completed', 'input-required'],
  verified: NARROW,
  against: 'an-earlier-card',
};

const open = (options: AgentOptions): Ledger =>
  new Ledger(agent('w1', options)).given(dispatched('w1', { serverTaskId: 't-1' }));
const completed = said('w1', 't-1', 'completed');
const asked = said('w1', 't-1', 'input-required');
const words = (ledger: Ledger, ...records: readonly AgentRecord[]): readonly string[] =>
  ledger.tell(...records).map(wordOf);

describe('a refusal under an expired card', () => {
  test('should be put off, and the card asked for once', () => {
    const ledger = open(EXPIRED);

    const first = ledger.observe(completed);
    const second = ledger.observe(said('w1', 't-1', 'working'));

    expect([wordOf(first), commandsOf(first)]).toStrictEqual(['deferred', ['refresh-card w1']]);
    expect([wordOf(second), commandsOf(second)]).toStrictEqual(['deferred', []]);
    expect([ledger.unit.state, ledger.unit.counts.violations, ledger.unit.deferral?.queue.length]).toStrictEqual([
      null,
      0,
      2,
    ]);
  });

  test('should be judged in the original order when a card that permits it comes, verified again', () => {
    const ledger = open(EXPIRED).given(completed, said('w1', 't-1', 'working'));
    const wide = { states: [...NARROW, 'completed'], hash: 'h-2' } as const;

    expect(words(ledger, cardOf('w1', wide))).toStrictEqual([]);
    expect(words(ledger, verificationOf('w1', wide))).toStrictEqual(['accepted', 'violation terminal-change']);
    expect([ledger.unit.state, ledger.unit.deferral]).toStrictEqual(['completed', undefined]);
  });

  test.each([
    ['is confirmed', { type: 'CardRevalidated', agentId: 'w1', hash: 'w1-card', expiresAt: START + 10 ** 9 }],
    ['could not be fetched', { type: 'CardRefused', agentId: 'w1', reason: 'HTTP 500' }],
  ] as const)('should stand when the card %s', (_, record) => {
    const ledger = open(EXPIRED).given(completed);

    expect(words(ledger, record)).toStrictEqual(['violation state-not-advertised']);
    expect([ledger.unit.deferral, ledger.unit.counts.violations]).toStrictEqual([undefined, 1]);
  });

  test('should stand when nobody answers in time', () => {
    const ledger = open(EXPIRED).given(completed);

    expect(ledger.wait(29_999)).toStrictEqual([]);
    expect(ledger.wait(1).map(wordOf)).toStrictEqual(['violation state-not-advertised']);
  });

  test('should convict at once for a while after a refresh that failed, and be put off again after that', () => {
    const ledger = open(EXPIRED).given(completed);
    ledger.tell({ type: 'CardRefused', agentId: 'w1', reason: 'HTTP 500' });

    expect(wordOf(ledger.observe(asked, { after: 59_000 }))).toBe('violation state-not-advertised');
    const later = ledger.observe(asked, { after: 1_000 });
    expect([wordOf(later), commandsOf(later)]).toStrictEqual(['deferred', ['refresh-card w1']]);
  });

  test('should convict at once for a while after a refresh that nobody answered', () => {
    const ledger = open(EXPIRED).given(completed);
    ledger.wait(30_000);

    expect(wordOf(ledger.observe(asked, { after: 1 }))).toBe('violation state-not-advertised');
    expect(wordOf(ledger.observe(asked, { after: 60_000 }))).toBe('deferred');
  });

  test('should be put off for artifacts too', () => {
    const ledger = open(EXPIRED);

    expect(wordOf(ledger.observe(wrote('w1', 't-1', { parts: [{ kind: 'raw', mediaType: 'image/png' }] })))).toBe(
      'deferred',
    );
  });

  test('should not be asked for where nothing is refused', () => {
    const ledger = open(EXPIRED);

    expect(wordOf(ledger.observe(said('w1', 't-1', 'working')))).toBe('accepted');
  });

  test('should not happen under a fresh card', () => {
    expect(wordOf(open({ states: NARROW, expiresAt: START + 3 }).observe(completed, { after: 1 }))).toBe(
      'violation state-not-advertised',
    );
    expect(wordOf(open({ states: NARROW, expiresAt: START + 2 }).observe(completed, { after: 1 }))).toBe('deferred');
  });

  test('should leave no trace of a judgement that was put off', () => {
    const ledger = open(EXPIRED);
    const before = ledger.unit;

    ledger.observe(said('w1', 't-9', 'completed', { contextId: 'x-9', statusTimestamp: 5, messageId: 'm' }));

    expect({ ...ledger.unit, deferral: undefined, lastWordAt: 0 }).toStrictEqual({
      ...before,
      deferral: undefined,
      lastWordAt: 0,
    });
  });

  test('should make a TaskNotFound wait behind it', () => {
    const ledger = open(EXPIRED).given(completed);

    expect(wordOf(ledger.observe(lostTask('w1', 't-1')))).toBe('deferred');
    expect(ledger.wait(30_000).map(wordOf)).toStrictEqual(['violation state-not-advertised', 'terminal-ok']);
  });

  test('should be asked once per agent, however many units wait', () => {
    const first = open(EXPIRED).given(completed);
    const second = open(EXPIRED);
    second.waits = first.waits;

    expect(commandsOf(second.observe(completed))).toStrictEqual([]);
    expect(second.unit.deferral?.awaits).toBe('card');
  });
});

describe('a refusal by a verification older than the card', () => {
  test('should be put off until the agent is verified again', () => {
    const ledger = open(STALE);

    const decision = ledger.observe(asked);

    expect([wordOf(decision), commandsOf(decision), decision.waits.map(({ awaits }) => awaits)]).toStrictEqual([
      'deferred',
      [],
      ['verification'],
    ]);
    expect(words(ledger, verificationOf('w1', { verified: [...NARROW, 'input-required'] }))).toStrictEqual([
      'accepted',
    ]);
  });

  test('should stand when the new verification lacks it as well', () => {
    const ledger = open(STALE).given(asked);

    expect(words(ledger, verificationOf('w1', { verified: NARROW }))).toStrictEqual(['violation state-not-verified']);
  });

  test('should convict at once where it was verified against the card in force', () => {
    expect(wordOf(open({ ...STALE, against: 'w1-card' }).observe(asked))).toBe('violation state-not-verified');
  });

  test('should be put off for output modes as for states', () => {
    const ledger = open({
      ...STALE,
      defaultOutputModes: ['application/json', 'image/png'],
      modes: ['application/json'],
    });

    expect(wordOf(ledger.observe(wrote('w1', 't-1', { parts: [{ kind: 'raw', mediaType: 'image/png' }] })))).toBe(
      'deferred',
    );
    expect(wordOf(open(STALE).observe(wrote('w1', 't-1', { parts: [{ kind: 'raw' }] })))).toBe(
      'violation media-type-missing',
    );
  });
});

describe('the same event', () => {
  const ID = { idHash: 'a'.repeat(64), contentHash: 'b'.repeat(64) };

  test('should change nothing but when something was last heard', () => {
    const ledger = open({});
    ledger.observe(said('w1', 't-1', 'working'), { event: ID });
    const before = ledger.unit;

    const again = ledger.observe(said('w1', 't-1', 'working'), { event: ID, after: 5 });

    expect([again.judgement.word, again.judgement.rule, again.events]).toStrictEqual([
      'idempotent',
      'R17',
      [{ type: 'WordHeard', at: ledger.now }],
    ]);
    expect(ledger.unit).toStrictEqual({ ...before, lastWordAt: ledger.now });
  });

  test('should be judged, and counted, when its content is another', () => {
    const ledger = open({});
    ledger.observe(said('w1', 't-1', 'working'), { event: ID });

    const other = ledger.observe(said('w1', 't-1', 'completed'), { event: { ...ID, contentHash: 'c'.repeat(64) } });

    expect([wordOf(other), ledger.unit.counts.eventIdConflicts]).toStrictEqual(['accepted', 1]);
  });

  test('should be known while it waits for evidence', () => {
    const ledger = open(EXPIRED);
    ledger.observe(completed, { event: ID });

    expect(wordOf(ledger.observe(completed, { event: ID }))).toBe('idempotent');
    expect(ledger.unit.deferral?.queue.length).toBe(1);
  });
});
