import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AgentConfig } from '../../infra/config/config.js';
import { fetchCard } from '../../infra/http/card-fetch.js';
import { WorkerProcess } from '../../services/demo/worker-process.js';
import type { AgentContract } from '../../topology/agent/contracts.js';
import { DEFAULT_POLICY } from '../../topology/policy.js';
import { VerifierFixture } from './verifier-fixture.js';

let mesh: VerifierFixture;
const workers: WorkerProcess[] = [];
const servers: Server[] = [];

beforeEach(async () => {
  mesh = await VerifierFixture.open();
});

afterEach(async () => {
  await mesh.close();
  await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

type WorkerOptions = Parameters<typeof WorkerProcess.start>[0];

const worker = async (options: WorkerOptions = {}): Promise<WorkerProcess> => {
  const started = await WorkerProcess.start({ stepMs: 20, ...options });
  workers.push(started);
  return started;
};
const configured = (id: string, { cardUrl }: { readonly cardUrl: string }): AgentConfig => ({ id, cardUrl });
const isVerified = (agent: AgentContract): boolean => agent.verification !== undefined;
const bases = ({ verification }: AgentContract): Readonly<Record<string, string>> =>
  Object.fromEntries(verification?.states ?? []);

/** Counts what an agent's card is asked for; nothing else of it works. */
const cardServer = async (): Promise<{ readonly cardUrl: string; readonly asked: () => number }> => {
  let asked = 0;
  const card = JSON.stringify({ name: 'W', defaultOutputModes: ['text/plain'], skills: [] });
  const server = createServer((_, response) => {
    asked += 1;
    response.setHeader('cache-control', 'max-age=3600').end(card);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { cardUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: () => asked };
};

describe('first contact', () => {
  test('should verify what an agent shows and nothing else', async () => {
    const w1 = await worker();
    const w2 = await worker({
      name: 'W2',
      states: ['submitted', 'working', 'completed'],
      modes: ['text/plain'],
      emit: 'text/plain',
    });

    await mesh.verifier([configured('w1', w1), configured('w2', w2)]);
    const [first, second] = await Promise.all([mesh.until('w1', isVerified), mesh.until('w2', isVerified)]);

    const probed = { submitted: 'probed', working: 'probed', completed: 'probed' };
    expect(bases(first)).toStrictEqual({ ...probed, 'input-required': 'probed' });
    expect(bases(second)).toStrictEqual(probed);
    expect(first.verification).toMatchObject({ refuted: [], modes: ['application/json'], cardHash: first.card?.hash });
    expect(second.verification).toMatchObject({ refuted: [], modes: ['text/plain'], cardHash: second.card?.hash });
    expect([first.reobservable, second.reobservable]).toStrictEqual([true, true]);
    // A fresh connection proves nothing about a restart (R9).
    expect([first.durable, second.durable]).toStrictEqual([false, false]);
  });

  test('should verify no mode that is promised and never emitted', async () => {
    const liar = await worker({ modes: ['application/json'], emit: 'text/plain' });

    await mesh.verifier([configured('w1', liar)]);

    expect((await mesh.until('w1', isVerified)).verification?.modes).toStrictEqual(['text/plain']);
  });

  test('should leave an agent unverified that no canary is known for', async () => {
    const { cardUrl } = await cardServer();
    const w1 = await worker();

    await mesh.verifier([{ id: 'plain', cardUrl }, configured('w1', w1)]);
    await mesh.until('plain', ({ card }) => card !== undefined);
    await mesh.until('w1', isVerified);

    expect(mesh.contract('plain').verification).toBeUndefined();
  });

  test('should not be kept waiting by an agent that hangs, or is not there', async () => {
    const hanging = createServer(() => undefined);
    servers.push(hanging);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const w1 = await worker();
    const gone = await worker({ name: 'W2' });
    await gone.kill();

    await mesh.verifier([
      { id: 'hangs', cardUrl: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/` },
      configured('gone', gone),
      configured('w1', w1),
    ]);
    await mesh.until('w1', isVerified);
    await mesh.until('gone', ({ refreshFailedAt }) => refreshFailedAt !== undefined);

    expect(mesh.contract('hangs').card).toBeUndefined();
    await gone.restart();
    await mesh.until('gone', isVerified);
  });
});

describe('what changes later', () => {
  test('should be verified again, against the card that is in force then', async () => {
    const w1 = await worker();
    await mesh.verifier([configured('w1', w1)]);
    const before = await mesh.until('w1', isVerified);

    await w1.restart({ states: ['submitted', 'working', 'completed'], modes: ['text/plain'], emit: 'text/plain' });
    const after = await mesh.until(
      'w1',
      ({ verification }) => verification?.revision !== before.verification?.revision,
    );

    expect(after.card?.hash).not.toBe(before.card?.hash);
    expect(after.verification).toMatchObject({ cardHash: after.card?.hash, modes: ['text/plain'] });
    expect(bases(after)).not.toHaveProperty('input-required');
  });

  test('should be withdrawn when a task is lost, and verified again', async () => {
    const w1 = await worker();
    await mesh.verifier([configured('w1', w1)]);
    const before = await mesh.until('w1', isVerified);

    await mesh.lose('w1', 2);
    const after = await mesh.until(
      'w1',
      ({ verification }) => verification?.revision !== before.verification?.revision,
    );

    const folded = mesh.records.filter(({ type }) => type === 'EvidenceFolded');
    expect(folded).toStrictEqual([
      { type: 'EvidenceFolded', agentId: 'w1', reobservable: false, durable: false, observed: [], needsProbe: true },
    ]);
    expect(after).toMatchObject({ needsProbe: false, reobservable: true });
    expect(bases(after)).toStrictEqual(bases(before));
  });

  test('should not be held against an agent again by a verifier that starts anew', async () => {
    const w1 = await worker();
    const agents = [configured('w1', w1)];
    const first = await mesh.verifier(agents);
    const before = await mesh.until('w1', isVerified);
    await mesh.lose('w1');
    const verified = await mesh.until(
      'w1',
      ({ verification }) => verification?.revision !== before.verification?.revision,
    );
    await mesh.stop(first);
    const written = mesh.records.length;

    await mesh.verifier(agents);
    await mesh.until('w1', ({ answeredAt }) => answeredAt !== verified.answeredAt);

    // A verifier that took the old loss for new would say so before it could probe again.
    await mesh.lose('w1', 1);
    await mesh.until('w1', ({ verification }) => verification?.revision !== verified.verification?.revision);
    expect(mesh.records.slice(written).map(({ type }) => type)).toStrictEqual([
      'CardRevalidated',
      'EvidenceFolded',
      'AgentVerified',
    ]);
  });

  test('should lead to no verification while the agent is away', async () => {
    const w1 = await worker();
    await mesh.verifier([configured('w1', w1)]);
    const before = await mesh.until('w1', isVerified);

    await w1.kill();
    await mesh.lose('w1');
    await mesh.until('w1', ({ needsProbe }) => needsProbe);
    await mesh.askForCard('w1');
    await mesh.until('w1', ({ refreshFailedAt }) => refreshFailedAt !== undefined);

    expect(mesh.contract('w1').verification).toStrictEqual(before.verification);
    await w1.restart();
    await mesh.until('w1', ({ needsProbe }) => !needsProbe);
  });
});

describe('a request for the card (R8)', () => {
  test('should be answered by 304 by a real agent whose card is held', async () => {
    const { cardUrl } = await worker();
    const first = await fetchCard({ url: cardUrl, defaultTtlMs: 1 });

    const again = await fetchCard({ url: cardUrl, defaultTtlMs: 1, held: first.held ?? {} });

    expect(first).toMatchObject({ httpStatus: 200, body: { kind: 'json' } });
    expect(again).toMatchObject({ httpStatus: 304, etag: first.etag });
    expect(again.expiresAt).toBeGreaterThan(Date.now());
  });

  test('should be answered once for all who ask', async () => {
    const { cardUrl, asked } = await cardServer();
    await mesh.verifier([{ id: 'w1', cardUrl }]);
    const { answeredAt } = await mesh.until('w1', ({ card }) => card !== undefined);

    await mesh.askForCard('w1');
    await mesh.until('w1', (agent) => agent.answeredAt !== answeredAt);

    expect(mesh.records.filter(({ type }) => type === 'CardRevalidated')).toHaveLength(1);
    expect(asked()).toBe(2);
  });
});

describe('the configuration', () => {
  test('should be on the topic once, and follow what is configured', async () => {
    const { cardUrl } = await cardServer();
    const [one, two]: readonly AgentConfig[] = [
      { id: 'one', cardUrl },
      { id: 'two', cardUrl, persistence: 'durable' },
    ];
    if (one === undefined || two === undefined) throw new Error('two agents');
    const published = (): readonly string[] =>
      mesh.records.map(({ type }) => type).filter((type) => !type.startsWith('Card'));

    await mesh.stop(await mesh.verifier([one, two]));
    const first = published();
    await mesh.stop(await mesh.verifier([one, two]));
    const second = published();
    await mesh.stop(await mesh.verifier([one], {}, { ...DEFAULT_POLICY, maxAttempts: 7 }));
    const third = published();

    expect(first).toStrictEqual(['PolicyChanged', 'AgentConfigured', 'AgentConfigured']);
    expect(second).toStrictEqual(first);
    expect(third).toStrictEqual([...first, 'PolicyChanged', 'AgentRemoved']);
    expect(mesh.contract('two')).toMatchObject({ removed: true, durable: true });
  });
});
