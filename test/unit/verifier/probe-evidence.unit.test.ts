import { describe, expect, test } from '@jest/globals';
import type { CanaryConfig } from '../../../infra/config/config.js';
import { conclude, type CanaryOutcome } from '../../../services/verifier/probe-evidence.js';
import { BLANK, type Transcript } from '../../../services/verifier/transcript.js';
import { contractOf, type AgentContract } from '../../../topology/agent/contracts.js';
import { agent, contractsFrom, type AgentOptions } from '../../kit/decider-kit/agents.js';

const NOW = 1_000_000_000;
const known = (options: AgentOptions = {}): AgentContract =>
  contractOf(contractsFrom(agent('w1', { hash: 'h1', against: 'h1', verified: null, ...options })), 'w1');

const ASK: CanaryConfig = { state: 'input-required', message: 'ask', answer: 'yes' };
const JSON_MODE: CanaryConfig = { mode: 'application/json', message: 'json' };

const shown = (more: Partial<Transcript> = {}): Transcript => ({
  ...BLANK,
  taskId: 't',
  end: 'settled',
  states: ['submitted', 'working', 'completed'],
  checks: [{ state: 'completed', found: 'same' }],
  ...more,
});
const outcome = (canary: CanaryConfig, more: Partial<Transcript> = {}): CanaryOutcome => ({
  canary,
  transcript: shown(more),
});
const ASKED = outcome(ASK, {
  states: ['submitted', 'working', 'input-required', 'working', 'completed'],
  checks: [
    { state: 'input-required', found: 'same' },
    { state: 'completed', found: 'same' },
  ],
  emitted: ['application/json'],
});
const probed = (...states: readonly string[]): unknown => states.map((state) => ({ state, basis: 'probed' }));

describe('what a probe proves', () => {
  test('should be every state that was seen, and seen again', () => {
    expect(conclude([ASKED], known(), NOW)).toStrictEqual({
      states: probed('submitted', 'working', 'input-required', 'completed'),
      refuted: [],
      modes: ['application/json'],
      reobservable: true,
    });
  });

  test('should be submitted by a task that was begun, and working only where it was seen', () => {
    expect(conclude([outcome(JSON_MODE, { states: ['completed'] })], known(), NOW)?.states).toStrictEqual(
      probed('submitted', 'completed'),
    );
  });

  test('should not be a state that no fresh view looked at', () => {
    const findings = conclude([outcome(JSON_MODE, { checks: [] })], known(), NOW);

    expect(findings?.states).toStrictEqual(probed('submitted', 'working'));
    expect(findings).not.toHaveProperty('reobservable');
  });

  test.each(['different', 'not-found'] as const)('should be the opposite where a fresh view finds it %s', (found) => {
    const lost = outcome(ASK, { states: ['working', 'input-required'], checks: [{ state: 'input-required', found }] });

    expect(conclude([lost], known(), NOW)).toStrictEqual({
      states: probed('submitted', 'working'),
      refuted: ['input-required'],
      modes: [],
      reobservable: false,
      ...(found === 'not-found' ? { durable: false } : {}),
    });
  });

  test('should withdraw what a task that was lost at work contradicts, and refute no state', () => {
    const checks = [{ state: 'working', found: 'not-found' }] as const;
    const lost = outcome(ASK, { end: 'lost', states: ['working'], checks });

    expect(conclude([lost], known(), NOW)).toStrictEqual({
      states: probed('submitted', 'working'),
      refuted: [],
      modes: [],
      reobservable: false,
      durable: false,
    });
  });

  test('should be the opposite where one canary shows it and another one does not', () => {
    const lost = outcome(JSON_MODE, { checks: [{ state: 'completed', found: 'not-found' }] });

    const findings = conclude([ASKED, lost], known(), NOW);

    expect(findings?.states).toStrictEqual(probed('submitted', 'working', 'input-required'));
    expect(findings).toMatchObject({ refuted: ['completed'], reobservable: false });
  });

  test('should refute the state that was to be forced and never came', () => {
    expect(conclude([outcome(ASK)], known(), NOW)).toMatchObject({
      states: probed('submitted', 'working', 'completed'),
      refuted: ['input-required'],
    });
    const said = { ...BLANK, end: 'message' } as const;
    expect(conclude([{ canary: ASK, transcript: said }], known(), NOW)).toStrictEqual({
      states: [],
      refuted: ['input-required'],
      modes: [],
    });
  });
});

describe('the modes that it proves', () => {
  test.each<[string, CanaryConfig, readonly string[], readonly string[]]>([
    ['the type asked for', JSON_MODE, ['application/json'], ['application/json']],
    [
      'as it is advertised, whatever parameters came',
      JSON_MODE,
      ['Application/JSON; charset=utf-8'],
      ['application/json'],
    ],
    ['another type, as itself', JSON_MODE, ['text/plain'], ['text/plain']],
    ['none, where nothing was emitted', JSON_MODE, [], []],
    ['nothing by what is no concrete type', JSON_MODE, ['application/*', 'json', 'raw'], []],
    ['one parameter is not another', { mode: 'text/csv; header=present', message: 'x' }, ['text/csv'], ['text/csv']],
  ])('should be %s', (_, canary, emitted, modes) => {
    expect(conclude([outcome(canary, { emitted })], known(), NOW)?.modes).toStrictEqual(modes);
  });
});

describe('a probe that proves nothing', () => {
  test.each<[string, readonly CanaryOutcome[]]>([
    ['one canary came to no end', [ASKED, outcome(JSON_MODE, { end: 'unfinished' })]],
    ['the agent was not there', [{ canary: ASK, transcript: { ...BLANK, end: 'unreached' } }]],
    ['the agent took none of them', [{ canary: ASK, transcript: { ...BLANK, end: 'refused' } }]],
  ])('should lead to no verification: %s', (_, outcomes) => {
    expect(conclude(outcomes, known(), NOW)).toBeUndefined();
  });

  test('should not speak of what one refused canary was for, in one direction or the other', () => {
    const refused = { canary: ASK, transcript: { ...BLANK, end: 'refused' as const } };

    expect(conclude([refused, outcome(JSON_MODE)], known(), NOW)).toMatchObject({
      states: probed('submitted', 'working', 'completed'),
      refuted: [],
    });
  });
});

describe('what traffic confirmed before', () => {
  const observed: AgentOptions = { verified: ['auth-required'], basis: 'observed' };
  const states = (options: AgentOptions): readonly string[] | undefined =>
    conclude([ASKED], known({ ...observed, ...options }), NOW)?.states.map(({ state, basis }) => `${state} ${basis}`);

  test('should stay under the same card', () => {
    expect(states({})).toContain('auth-required observed');
  });

  test.each<[string, AgentOptions]>([
    ['a changed card', { against: 'h0' }],
    ['the end of its verification', { verificationExpiresAt: NOW }],
    ['a basis that was no observation', { basis: 'assumed' }],
  ])('should not survive %s', (_, options) => {
    expect(states(options)).not.toContain('auth-required observed');
  });

  test('should yield to a probe that shows the opposite', () => {
    const lost = outcome({ state: 'auth-required', message: 'x' });

    expect(conclude([lost], known(observed), NOW)?.states.map(({ state }) => state)).not.toContain('auth-required');
  });
});
