import { describe, expect, test } from '@jest/globals';
import type { CardTerms } from '../../../topology/agent/agent-records.js';
import { contractOf } from '../../../topology/agent/contracts.js';
import { meetsAcceptedModes, modesInForce } from '../../../topology/artifact/output-modes.js';
import { agent, contractsFrom, type AgentOptions } from '../../kit/decider-kit/agents.js';
import { dispatched, wrote } from '../../kit/decider-kit/builders.js';
import { Ledger, wordOf } from '../../kit/decider-kit/ledger.js';

const TERMS: CardTerms = {
  defaultOutputModes: ['text/plain'],
  skills: [
    { id: 'own', outputModes: ['image/png', 'application/json'] },
    { id: 'empty', outputModes: [] },
    { id: 'absent' },
    { id: 'same', outputModes: ['text/plain', 'image/png'] },
  ],
};
const UNION = ['text/plain', 'image/png', 'application/json'];

describe('the output modes in force', () => {
  test.each([
    ["the skill's own replace the default", 'own', ['image/png', 'application/json'], true],
    ['an empty list falls back', 'empty', ['text/plain'], true],
    ['an absent list falls back', 'absent', ['text/plain'], true],
    ['a skill that the card does not know: the union', 'other', UNION, false],
    ['IDs are opaque', 'OWN', UNION, false],
    ['no skill known: the union', undefined, UNION, false],
  ] as const)('should follow R5 and R18: %s', (_, skillId, modes, skillKnown) => {
    expect(modesInForce(TERMS, skillId)).toStrictEqual({ modes, skillKnown });
  });

  test.each([
    ['the request names it', { skillId: 'own' }, undefined, 'violation mode-not-advertised', true],
    ['the configuration names it', {}, 'own', 'violation mode-not-advertised', true],
    ['the request goes before the configuration', { skillId: 'absent' }, 'own', 'accepted', true],
    ['nobody names it', {}, undefined, 'accepted', false],
  ] as const)("should be those of the unit's skill: %s", (_, request, defaultSkill, word, skillKnown) => {
    const config = defaultSkill === undefined ? {} : { defaultSkill };
    const options: AgentOptions = {
      defaultOutputModes: TERMS.defaultOutputModes,
      skills: TERMS.skills,
      verified: null,
      config,
    };
    const ledger = new Ledger(agent('w1', options)).given(dispatched('w1', { serverTaskId: 't-1', ...request }));

    const decision = ledger.observe(wrote('w1', 't-1', { parts: [{ kind: 'text' }] }));

    expect([wordOf(decision), decision.judgement.skillKnown]).toStrictEqual([word, skillKnown]);
  });
});

describe('whether an agent can emit what the client takes', () => {
  const png = { defaultOutputModes: ['image/*', 'application/json'], modes: ['image/png', 'application/json'] };

  test.each([
    ['the client named none', png, [], 'meets'],
    ['a verified mode inside an accepted one', png, ['image/png'], 'meets'],
    ['a verified mode inside an accepted range', png, ['image/*'], 'meets'],
    ['one of several', png, ['video/mp4', 'application/json'], 'meets'],
    ['advertised, not verified', { ...png, modes: ['application/json'] }, ['image/png'], 'not-verified'],
    ['a verified range verifies nothing', { ...png, modes: ['image/*'] }, ['image/png'], 'not-verified'],
    ['never verified', { ...png, verified: null }, ['image/png'], 'not-verified'],
    [
      'verified, but the card in force denies it',
      { ...png, defaultOutputModes: ['text/plain'] },
      ['image/png'],
      'denied-by-card',
    ],
    ['accepted modes that are none', png, ['png'], 'not-verified'],
  ] as const)('should follow R33: %s', (_, options, accepted, answer) => {
    const contract = contractOf(contractsFrom(agent('w1', options)), 'w1');

    expect(meetsAcceptedModes(contract, undefined, accepted)).toBe(answer);
  });

  test('should look at the modes of the skill alone', () => {
    const skills = [{ id: 's', outputModes: ['text/plain'] }];
    const contract = contractOf(contractsFrom(agent('w1', { ...png, skills })), 'w1');

    expect(meetsAcceptedModes(contract, 's', ['image/png'])).toBe('denied-by-card');
    expect(meetsAcceptedModes(contract, undefined, ['image/png'])).toBe('meets');
  });
});

describe("the client's accepted modes", () => {
  test('should judge each artifact', () => {
    const options = { defaultOutputModes: ['application/json', 'text/plain'] };
    const ledger = new Ledger(agent('w1', options)).given(
      dispatched('w1', { serverTaskId: 't-1', acceptedOutputModes: ['text/plain'] }),
    );

    expect(wordOf(ledger.observe(wrote('w1', 't-1')))).toBe('violation mode-not-accepted');
    expect(wordOf(ledger.observe(wrote('w1', 't-1', { parts: [{ kind: 'text' }] })))).toBe('accepted');
  });
});
