import { describe, expect, test } from '@jest/globals';
import type { CardRequest } from '../../../infra/http/card-fetch.js';
import { AgentCards } from '../../../services/gateway/agent-cards.js';
import { atGateway } from '../../../services/gateway/card-rewrite.js';

const card = (url = 'http://w1/rpc') => ({
  name: 'w1',
  version: '3',
  supportedInterfaces: [
    { url: 'http://w1/grpc', protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' },
  ],
  signatures: [{ protected: 'x', signature: 'y' }],
  skills: [{ id: 's', url: 'http://stays' }],
  documentationUrl: 'http://docs',
});

test('a card should be shown with the gateway as its only interface, unsigned, and else as it is', () => {
  const hybrid = {
    ...card(),
    url: 'http://w1/0.3',
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{}],
    protocolVersion: '0.3',
  };
  expect(atGateway(hybrid, 'http://gateway/agents/w1')).toStrictEqual({
    name: 'w1',
    version: '3',
    skills: [{ id: 's', url: 'http://stays' }],
    documentationUrl: 'http://docs',
    supportedInterfaces: [
      { url: 'http://gateway/agents/w1', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' },
    ],
  });
});

describe('the cards of the agents', () => {
  const cardsOf = (answers: readonly ({ body?: unknown; status?: number } | 'unreachable')[]) => {
    const asked: CardRequest[] = [];
    const clock = { now: 0 };
    const cards = new AgentCards(
      [{ id: 'w1', cardUrl: 'http://w1/card' }],
      () => 'http://gateway',
      (request) => {
        asked.push(request);
        const answer = answers[Math.min(asked.length, answers.length) - 1] ?? 'unreachable';
        if (answer === 'unreachable') return Promise.resolve({ httpStatus: 0, expiresAt: clock.now });
        const { body, status = 200 } = answer;
        return Promise.resolve({
          httpStatus: status,
          expiresAt: clock.now + 1_000,
          held: { etag: '"e"' },
          ...(body === undefined ? {} : { body: { kind: 'json' as const, value: body } }),
        });
      },
      () => clock.now,
    );
    return { cards, asked, clock };
  };

  test('should be fetched once while they are fresh, also by many at a time', async () => {
    const { cards, asked } = cardsOf([{ body: card() }]);
    await Promise.all([cards.endpoint('w1'), cards.endpoint('w1'), cards.card('w1')]);
    expect((await cards.endpoint('w1')).url).toBe('http://w1/rpc');
    expect(asked).toHaveLength(1);
  });

  test('should be renewed by 304, and replaced by another body', async () => {
    const { cards, asked, clock } = cardsOf([{ body: card() }, { status: 304 }, { body: card('http://w1/new') }]);
    await cards.card('w1');
    clock.now = 10_000;
    expect((await cards.card('w1')).freshUntil).toBe(11_000);
    expect(asked[1]?.held).toStrictEqual({ etag: '"e"' });
    clock.now = 20_000;
    await cards.card('w1');
    expect((await cards.endpoint('w1')).url).toBe('http://w1/new');
  });

  test.each([['unreachable' as const], [{ status: 500 }], [{ body: {} }], [{ body: 'a page' }]])(
    'should stay in force where the refresh is %j',
    async (answer) => {
      const { cards, asked, clock } = cardsOf([{ body: card() }, answer]);
      await cards.card('w1');
      clock.now = 10_000;
      await cards.card('w1');
      await cards.card('w1');
      expect((await cards.endpoint('w1')).url).toBe('http://w1/rpc');
      expect(asked).toHaveLength(2);
    },
  );

  test.each([
    ['it was never read', 'unreachable' as const],
    ['it names no JSON-RPC interface', { body: { name: 'w1', supportedInterfaces: [] } }],
  ])('should lead nowhere where %s', async (_, answer) => {
    const { cards } = cardsOf([answer]);
    await expect(cards.endpoint('w1')).rejects.toMatchObject({ code: 'HOLDFAST_AGENT_UNREACHABLE' });
  });
});
