import { describe, expect, test } from '@jest/globals';
import type { CardTerms } from '../../../topology/agent/agent-records.js';
import { judgeCard, type CardFetched } from '../../../topology/agent/card.decider.js';
import { readCard } from '../../../topology/agent/card-terms.js';
import { contractOf, type AgentContract } from '../../../topology/agent/contracts.js';
import { agent, contractsFrom } from '../../kit/decider-kit/agents.js';

const TERMS: CardTerms = { defaultOutputModes: ['application/json'], skills: [] };
const known = (removed = false): AgentContract =>
  contractOf(
    contractsFrom([
      ...agent('w1', { hash: 'h1' }),
      ...(removed ? [{ type: 'AgentRemoved', agentId: 'w1' } as const] : []),
    ]),
    'w1',
  );
const unknown = contractOf(contractsFrom([]), 'w1');
const fetched = (rest: Partial<CardFetched> = {}): CardFetched => ({
  agentId: 'w1',
  httpStatus: 200,
  expiresAt: 500,
  body: { kind: 'card', hash: 'h2', terms: TERMS },
  ...rest,
});
const bare = ({ body: _, ...answer }: CardFetched): CardFetched => answer;
const same = { kind: 'card', hash: 'h1', terms: TERMS } as const;

describe('the answer to a card fetch', () => {
  test.each([
    ['a body that differs', known(), fetched(), 'accepted', 'CardAccepted'],
    ['the first body', unknown, fetched(), 'accepted', 'CardAccepted'],
    ['the same body', known(), fetched({ body: same }), 'revalidated', 'CardRevalidated'],
    ['304', known(), bare(fetched({ httpStatus: 304 })), 'revalidated', 'CardRevalidated'],
    ['304 where no card is held', unknown, bare(fetched({ httpStatus: 304 })), 'rejected-card', 'CardRefused'],
    ['no answer', known(), fetched({ httpStatus: 0 }), 'rejected-card', 'CardRefused'],
    ['a redirect', known(), fetched({ httpStatus: 302 }), 'rejected-card', 'CardRefused'],
    ['a server error with a good body', known(), fetched({ httpStatus: 500 }), 'rejected-card', 'CardRefused'],
    ['no body', known(), bare(fetched()), 'rejected-card', 'CardRefused'],
    ['an invalid body', known(), fetched({ body: { kind: 'invalid', reason: 'x' } }), 'rejected-card', 'CardRefused'],
    ['a bad signature', known(), fetched({ signatureValid: false }), 'rejected-card', 'CardRefused'],
    [
      'a bad signature of the same body',
      known(),
      fetched({ body: same, signatureValid: false }),
      'rejected-card',
      'CardRefused',
    ],
    ['a good signature', known(), fetched({ signatureValid: true }), 'accepted', 'CardAccepted'],
    ['a removed agent', known(true), fetched(), 'ignored', undefined],
  ] as const)('should be judged by R6 and R7: %s', (_, contract, answer, verdict, type) => {
    const judgement = judgeCard(contract, answer);

    expect([judgement.verdict, judgement.record?.type]).toStrictEqual([verdict, type]);
  });

  test('should be published whole', () => {
    const body = { kind: 'card', hash: 'h2', terms: TERMS, version: '2' } as const;

    expect(judgeCard(known(), fetched({ etag: 'e', body })).record).toStrictEqual({
      type: 'CardAccepted',
      agentId: 'w1',
      hash: 'h2',
      terms: TERMS,
      version: '2',
      etag: 'e',
      expiresAt: 500,
    });
    expect(judgeCard(known(), fetched({ etag: 'e', body: same })).record).toStrictEqual({
      type: 'CardRevalidated',
      agentId: 'w1',
      hash: 'h1',
      etag: 'e',
      expiresAt: 500,
    });
    expect(judgeCard(known(), fetched({ httpStatus: 503 })).record).toStrictEqual({
      type: 'CardRefused',
      agentId: 'w1',
      reason: 'HTTP 503',
    });
  });
});

describe('a card body', () => {
  const ours = (params: unknown) => ({
    extensions: [{ uri: 'urn:other' }, { uri: 'urn:holdfast:a2a-lifecycle:v1', params }],
  });

  test.each([
    [
      'states in both spellings, once each',
      { states: ['working', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'] },
      ['working', 'completed'],
    ],
    ['an empty list', { states: [] }, []],
    ['no list', {}, undefined],
    ['no params', undefined, undefined],
  ])('should promise the states of the lifecycle extension: %s', (_, params, states) => {
    const read = readCard({ name: 'w1', capabilities: ours(params) });

    expect(read.kind === 'card' ? read.terms.states : read).toStrictEqual(states);
  });

  test('should be read whole', () => {
    const skills = [{ id: 's', name: 'x', outputModes: ['text/plain'] }, { id: 'e', outputModes: [] }, { id: 'a' }];

    expect(
      readCard({
        name: 'w1',
        version: '7',
        provider: { organization: 'acme' },
        defaultOutputModes: ['image/png'],
        skills,
      }),
    ).toStrictEqual({
      kind: 'card',
      terms: {
        defaultOutputModes: ['image/png'],
        skills: [{ id: 's', outputModes: ['text/plain'] }, { id: 'e', outputModes: [] }, { id: 'a' }],
        provider: 'acme',
      },
      version: '7',
    });
  });

  test.each([
    ['no object', []],
    ['null', null],
    ['empty', {}],
    ['without a name', { skills: [] }],
    ['modes that are no list', { name: 'x', defaultOutputModes: 'text/plain' }],
    ['a mode that is no text', { name: 'x', defaultOutputModes: [1] }],
    ['a skill without an ID', { name: 'x', skills: [{}] }],
    ['a skill with modes that are no texts', { name: 'x', skills: [{ id: 's', outputModes: [null] }] }],
    ['skills that are no list', { name: 'x', skills: {} }],
    ['a state that is none', { name: 'x', capabilities: ours({ states: ['done'] }) }],
    ['states that are no list', { name: 'x', capabilities: ours({ states: 'working' }) }],
    ['an unspecified state', { name: 'x', capabilities: ours({ states: ['unknown'] }) }],
  ])('should be no card: %s', (_, body) => {
    expect(readCard(body).kind).toBe('invalid');
  });
});
