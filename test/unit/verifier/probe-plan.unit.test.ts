import { describe, expect, test } from '@jest/globals';
import { contractOf, unknownAgent, type AgentContract } from '../../../topology/agent/contracts.js';
import { backoff, nextStep, probeReason, type Situation } from '../../../services/verifier/probe-plan.js';
import { agent, contractsFrom, type AgentOptions } from '../../kit/decider-kit/agents.js';

const NOW = 1_000_000_000;
const DAY = 24 * 60 * 60 * 1_000;
const CANARIES = [
  { state: 'input-required', message: 'ask' },
  { mode: 'text/plain', message: 'write' },
] as const;

const known = (options: AgentOptions = {}, more: Partial<AgentContract> = {}): AgentContract => ({
  ...contractOf(contractsFrom(agent('w1', { hash: 'h1', against: 'h1', ...options })), 'w1'),
  ...more,
});

const FRESH: Situation['card'] = {
  held: true,
  dueAt: NOW + 60_000,
  checkedAt: NOW - 60_000,
  failures: 0,
  changes: 0,
  asked: false,
};
const UNTRIED: Situation['probe'] = { failures: 0, begun: [], budget: 20 };

const situation = (more: Partial<Situation> = {}): Situation => ({
  now: NOW,
  agent: known(),
  card: FRESH,
  canaries: CANARIES,
  probe: UNTRIED,
  ...more,
});
const card = (more: Partial<Situation['card']>): Situation => situation({ card: { ...FRESH, ...more } });
const unverified = (probe: Partial<Situation['probe']> = {}, more: Partial<Situation> = {}): Situation =>
  situation({ agent: known({ verified: null }), probe: { ...UNTRIED, ...probe }, ...more });

describe('the card', () => {
  test.each<[string, Situation, 'fetch-card' | number]>([
    [
      'never fetched',
      situation({ card: { held: false, dueAt: 0, failures: 0, changes: 0, asked: false } }),
      'fetch-card',
    ],
    ['fresh', card({}), NOW + 60_000],
    ['due', card({ dueAt: NOW }), 'fetch-card'],
    ['fresh, but somebody asks', card({ asked: true }), 'fetch-card'],
    ['asked for while it cannot be had', card({ asked: true, failures: 9, checkedAt: NOW - 1 }), 'fetch-card'],
    ['always expired: not more often than every 5 s', card({ dueAt: 0, checkedAt: NOW - 1_000 }), NOW + 4_000],
    ['failed once: in a second', card({ dueAt: 0, failures: 1, checkedAt: NOW - 400 }), NOW + 600],
    ['failed once, a second ago', card({ dueAt: 0, failures: 1, checkedAt: NOW - 1_000 }), 'fetch-card'],
    ['failed for long: once a minute', card({ dueAt: 0, failures: 50, checkedAt: NOW - 1_000 }), NOW + 59_000],
  ])('should be fetched when it is due: %s', (_, given, expected) => {
    const step = nextStep(given);

    expect(step).toStrictEqual(expected === 'fetch-card' ? { kind: 'fetch-card' } : { kind: 'wait', until: expected });
  });

  test('should not be fetched for an agent that was removed (R57)', () => {
    const removed = known({}, { removed: true, needsProbe: true });

    expect(nextStep(situation({ agent: removed, card: { ...FRESH, asked: true } }))).toStrictEqual({ kind: 'wait' });
  });
});

describe('a probe', () => {
  test.each([
    ['nothing', known(), undefined],
    ['first contact', known({ verified: null }), 'first contact'],
    ['a changed card (R11)', known({ against: 'h0' }), 'changed card'],
    ['an expired verification (R11)', known({ verificationExpiresAt: NOW }), 'expired verification'],
    ['evidence against it (R10)', known({}, { needsProbe: true }), 'evidence against it'],
  ])('should have a reason: %s', (_, contract, reason) => {
    expect(probeReason(contract, NOW)).toBe(reason);
    expect(nextStep(situation({ agent: contract })).kind).toBe(reason === undefined ? 'wait' : 'probe');
  });

  test('should wait for the end of the verification, where that comes before the end of the card', () => {
    const expiring = known({ verificationExpiresAt: NOW + 1_000 });

    expect(nextStep(situation({ agent: expiring }))).toStrictEqual({ kind: 'wait', until: NOW + 1_000 });
  });

  test.each<[string, Partial<Situation>]>([
    ['there is no canary for the agent', { canaries: [] }],
    ['its card was not read by this process', { card: { ...FRESH, held: false, checkedAt: NOW } }],
    ['its card cannot be had', { card: { ...FRESH, failures: 1, checkedAt: NOW } }],
    ['no card is in force', { agent: unknownAgent('w1') }],
  ])('should not be made while %s', (_, more) => {
    expect(nextStep(unverified({}, more)).kind).toBe('wait');
  });

  test('should come after the card where that is due', () => {
    expect(nextStep(unverified({}, { card: { ...FRESH, dueAt: NOW } }))).toStrictEqual({ kind: 'fetch-card' });
  });

  test.each<[string, Partial<Situation['probe']>, number | 'probe']>([
    ['one that came to no end: in a second', { failures: 1, endedAt: NOW - 100 }, NOW + 900],
    ['three of them: in four', { failures: 3, endedAt: NOW }, NOW + 4_000],
    ['one that came to an end', { failures: 0, endedAt: NOW }, 'probe'],
  ])('should be made again after %s', (_, probe, expected) => {
    const step = nextStep(unverified(probe));

    expect(step.kind === 'wait' ? step.until : step.kind).toBe(expected);
  });

  test.each<[string, Partial<Situation['probe']>, number | 'probe']>([
    ['less than half is used', { budget: 6, begun: [NOW - 2, NOW - 1] }, 'probe'],
    ['half is used: the rest is spread over the day', { budget: 4, begun: [NOW - 9, NOW - 9] }, NOW - 9 + DAY / 2],
    ['its share of the day has passed', { budget: 4, begun: [NOW - DAY + 1, NOW - DAY / 2] }, 'probe'],
    ['room for one: when the older is a day old', { budget: 3, begun: [NOW - 10, NOW - 1] }, NOW - 10 + DAY],
    ['no room: when both are', { budget: 2, begun: [NOW - 9, NOW - 7] }, NOW - 7 + DAY],
    ['begun a day ago', { budget: 2, begun: [NOW - DAY, NOW - DAY] }, 'probe'],
  ])('should stay within the budget of a day: %s', (_, probe, expected) => {
    const step = nextStep(unverified(probe, { card: { ...FRESH, dueAt: NOW + 2 * DAY } }));

    expect(step.kind === 'wait' ? step.until : step.kind).toBe(expected);
  });

  test('should leave out what one probe cannot pay for, modes first', () => {
    const step = nextStep(unverified({ budget: 1 }));

    expect(step).toStrictEqual({ kind: 'probe', reason: 'first contact', canaries: [CANARIES[0]] });
  });
});

test('should wait twice as long after each failure, up to the most', () => {
  expect([0, 1, 2, 3, 6, 7, 8, 2_000].map((failures) => backoff(failures, 60_000))).toStrictEqual([
    0, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
  ]);
});
