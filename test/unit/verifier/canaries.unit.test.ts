import { describe, expect, test } from '@jest/globals';
import type { CanaryConfig } from '../../../infra/config/config.js';
import { canariesFor } from '../../../services/verifier/canaries.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { contractOf, type AgentContract } from '../../../topology/agent/contracts.js';
import { agent, contractsFrom, type AgentOptions } from '../../kit/decider-kit/agents.js';

const known = (options: AgentOptions): AgentContract => contractOf(contractsFrom(agent('w1', options)), 'w1');
const DECLARES = [LIFECYCLE_EXTENSION];
const messages = (canaries: readonly CanaryConfig[]): readonly string[] => canaries.map(({ message }) => message);

describe('our canaries', () => {
  test.each<[string, AgentOptions, readonly string[]]>([
    [
      'what waits, and every mode',
      { states: ['working', 'input-required', 'completed'], defaultOutputModes: ['application/json', 'text/plain'] },
      ['canary: input-required', 'canary: mode application/json', 'canary: mode text/plain'],
    ],
    [
      'nothing that is not advertised',
      { states: ['submitted', 'working', 'completed'], defaultOutputModes: ['text/plain'] },
      ['canary: mode text/plain'],
    ],
    [
      'modes of skills, but no ranges',
      { states: ['completed'], defaultOutputModes: ['image/*'], skills: [{ id: 's', outputModes: ['image/png'] }] },
      ['canary: mode image/png'],
    ],
    [
      'how every task ends, where nothing else shows it',
      { states: ['completed'], defaultOutputModes: [] },
      ['canary: completed'],
    ],
  ])('should ask for %s', (_, options, expected) => {
    expect(messages(canariesFor(known(options), {}, DECLARES))).toStrictEqual(expected);
  });

  test('should be answered where they ask for input, and there alone', () => {
    const states = ['input-required', 'auth-required'] as const;

    const canaries = canariesFor(known({ states, defaultOutputModes: [] }), {}, DECLARES);

    expect(canaries).toStrictEqual([
      { state: 'input-required', message: 'canary: input-required', answer: 'blue' },
      { state: 'auth-required', message: 'canary: auth-required' },
    ]);
  });

  test('should not be put to agents that do not declare the extension', () => {
    expect(canariesFor(known({ states: null }), {}, ['urn:other'])).toStrictEqual([]);
  });
});

describe("the operator's canaries", () => {
  const ask: CanaryConfig = { state: 'input-required', message: 'ask me', answer: 'yes' };
  const json: CanaryConfig = { mode: 'application/json', message: 'as json', skillId: 'own' };

  test('should replace ours, states first, under the skill that is known', () => {
    const canaries = canariesFor(known({ states: null }), { canaries: [json, ask], defaultSkill: 'offer' }, DECLARES);

    expect(canaries).toStrictEqual([{ ...ask, skillId: 'offer' }, json]);
  });

  test('should not be put where the card does not promise what they show', () => {
    const contract = known({ states: ['completed'], defaultOutputModes: ['text/plain'] });

    expect(canariesFor(contract, { canaries: [ask, json] }, DECLARES)).toStrictEqual([]);
  });

  test.each(['*/*', 'text', 'image/png'])('should not be put for %s under a range of text', (mode) => {
    const contract = known({ defaultOutputModes: ['text/*'] });

    expect(canariesFor(contract, { canaries: [{ mode, message: 'x' }] }, [])).toStrictEqual([]);
  });

  test('should be put for a type inside an advertised range', () => {
    const canary = { mode: 'text/csv', message: 'x' };

    expect(canariesFor(known({ defaultOutputModes: ['text/*'] }), { canaries: [canary] }, [])).toStrictEqual([canary]);
  });
});
