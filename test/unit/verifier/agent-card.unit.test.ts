import { describe, expect, test } from '@jest/globals';
import type { CardAnswer } from '../../../infra/http/card-fetch.js';
import { cardHash } from '../../../infra/http/card-hash.js';
import { cardFetched, holdCard, isWorthARecord } from '../../../services/verifier/agent-card.js';
import { judgeCard } from '../../../topology/agent/card.decider.js';
import { contractOf, foldContracts, unknownAgent, type AgentContract } from '../../../topology/agent/contracts.js';
import { agent, contractsFrom } from '../../kit/decider-kit/agents.js';

const NOW = 1_000_000_000;
const CARD = {
  name: 'W1',
  version: '2',
  defaultOutputModes: ['text/plain'],
  supportedInterfaces: [{ url: 'http://w1/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
};
const answer = (value: unknown, more: Partial<CardAnswer> = {}): CardAnswer => ({
  httpStatus: 200,
  expiresAt: NOW,
  body: { kind: 'json', value },
  held: { etag: '"1"' },
  ...more,
});

describe('a card answer', () => {
  test('should be judged by its hash and its terms (R6)', () => {
    expect(cardFetched('w1', answer(CARD, { etag: '"1"' }))).toStrictEqual({
      agentId: 'w1',
      httpStatus: 200,
      etag: '"1"',
      expiresAt: NOW,
      body: {
        kind: 'card',
        hash: cardHash(CARD),
        version: '2',
        terms: { defaultOutputModes: ['text/plain'], skills: [] },
      },
    });
  });

  test.each<[string, CardAnswer, string]>([
    ['no object', answer('hello'), 'the body is no JSON object'],
    ['an empty object', answer({}), 'the body is empty'],
    ['half a card', answer({ ...CARD, skills: 'many' }), 'skills is no list of skills'],
    ['no JSON', answer(undefined, { body: { kind: 'invalid', reason: 'the body is no JSON' } }), 'the body is no JSON'],
    ['nothing', { httpStatus: 200, expiresAt: NOW }, 'the body is empty'],
    ['no answer', { httpStatus: 0, expiresAt: NOW }, 'no answer'],
    ['a refusal', { httpStatus: 403, expiresAt: NOW }, 'HTTP 403'],
  ])('should be refused where it is %s (R7)', (_, given, reason) => {
    const judged = judgeCard(unknownAgent('w1'), cardFetched('w1', given));

    expect(judged).toMatchObject({ verdict: 'rejected-card', record: { type: 'CardRefused', reason } });
  });

  test('should be held with where the agent is, and a confirmation with where it was', () => {
    const held = holdCard(undefined, answer(CARD));
    const confirmed = holdCard(held, { httpStatus: 304, expiresAt: NOW, held: { etag: '"2"' } });
    const endpoint = { url: 'http://w1/rpc', streaming: true, extensions: [] };

    expect(held).toStrictEqual({ endpoint, headers: { etag: '"1"' } });
    expect(confirmed).toStrictEqual({ endpoint, headers: { etag: '"2"' } });
  });

  test('should be held without a place where it names none that is spoken', () => {
    expect(holdCard(undefined, answer({ ...CARD, supportedInterfaces: [] }))).toStrictEqual({
      headers: { etag: '"1"' },
    });
  });
});

describe('a judgement', () => {
  const good = contractOf(contractsFrom(agent('w1')), 'w1');
  const refusal = { type: 'CardRefused', agentId: 'w1', reason: 'HTTP 500' } as const;
  const failing = contractOf(foldContracts(contractsFrom(agent('w1')), refusal, 9n, NOW), 'w1');
  const again = { asked: false, now: NOW, writtenAt: NOW - 5_000 };

  test.each<[string, Parameters<typeof isWorthARecord>[0]['verdict'], AgentContract, Partial<typeof again>, boolean]>([
    ['a new card', 'accepted', good, {}, true],
    ['the same, for whoever asks (R8)', 'revalidated', good, { asked: true }, true],
    ['a failure, for whoever asks (R8)', 'rejected-card', failing, { asked: true }, true],
    ['the same, a moment later', 'revalidated', good, {}, false],
    ['the same, a minute later', 'revalidated', good, { writtenAt: NOW - 60_000 }, true],
    ['the first failure', 'rejected-card', good, {}, true],
    ['the next one, a moment later', 'rejected-card', failing, {}, false],
    ['the next one, a minute later', 'rejected-card', failing, { writtenAt: NOW - 60_000 }, true],
    ['the end of a failure', 'revalidated', failing, {}, true],
  ])('should be worth a record or not: %s', (_, verdict, contract, more, worth) => {
    expect(isWorthARecord({ verdict, reason: '' }, contract, { ...again, ...more })).toBe(worth);
  });

  test('should be worth one where none was written yet', () => {
    const first = { asked: false, now: NOW, writtenAt: undefined };

    expect(isWorthARecord({ verdict: 'revalidated', reason: '' }, good, first)).toBe(true);
  });
});
