import { afterEach, describe, expect, test } from '@jest/globals';
import type { CanaryConfig } from '../../../infra/config/config.js';
import { AgentProbe } from '../../../services/verifier/agent-probe.js';
import type { EvidenceRecord } from '../../../topology/ledger-records.js';
import { agent, contractsFrom } from '../../kit/decider-kit/agents.js';
import { silent } from '../../integration/kafka-fixture.js';
import { agentsTopic } from './agents-topic.js';
import { fakeAgent, task, type Reply } from './fake-agent.js';
import { closeServed } from './served.js';

afterEach(closeServed);

const CANARIES: readonly CanaryConfig[] = [
  { mode: 'text/plain', message: 'one' },
  { mode: 'text/html', message: 'two' },
];
const COMPLETED: Reply = { stream: [{ task: task('WORKING') }, { task: task('COMPLETED') }] };
const LOST: EvidenceRecord = {
  type: 'Evidence',
  kind: 'task-lost',
  agentId: 'w1',
  correlationId: 'c1',
  serverTaskId: 't9',
  observedAt: 0,
};
const SETTINGS = { verificationTtlMs: 60_000, cardTtlMs: 1, probeTimeoutMs: 1_500, probeBudget: 20, idleMs: 1 };

type Setting = {
  readonly reply?: Reply;
  /** Happens while the fresh view is asked for. */
  readonly meanwhile?: (probe: AgentProbe) => void;
  readonly before?: (probe: AgentProbe) => void;
};

const probed = async ({ reply = COMPLETED, meanwhile, before }: Setting = {}) => {
  const { written, writer } = agentsTopic(contractsFrom(agent('w1', { hash: 'h1', verified: null, config: {} })));
  const verifiedAt: number[] = [];
  const probe = new AgentProbe({
    agent: { id: 'w1', cardUrl: 'http://w1/' },
    settings: SETTINGS,
    writer,
    logger: silent,
    onVerified: (time) => verifiedAt.push(time),
  });
  const { url } = await fakeAgent(({ method }) => {
    if (method !== 'GetTask') return reply;
    meanwhile?.(probe);
    return { result: task('COMPLETED') };
  });
  before?.(probe);
  const endpoint = { url, streaming: true, extensions: [] };
  const began = Date.now();
  await probe.run({ reason: 'first contact', canaries: CANARIES, endpoint }, new AbortController().signal);
  return { written, writer, probe, verifiedAt, began };
};

describe('a probe', () => {
  test('should publish what it proves against the card it was made under, and when it began', async () => {
    const { written, probe, verifiedAt, began } = await probed();

    expect(written).toStrictEqual([
      {
        type: 'AgentVerified',
        agentId: 'w1',
        states: ['submitted', 'working', 'completed'].map((state) => ({ state, basis: 'probed' })),
        refuted: [],
        modes: [],
        reobservable: true,
        cardHash: 'h1',
        expiresAt: expect.any(Number) as unknown,
      },
    ]);
    expect(verifiedAt).toHaveLength(1);
    expect(verifiedAt[0]).toBeGreaterThanOrEqual(began);
    expect(probe.situation).toMatchObject({ failures: 0, budget: 20 });
    expect(probe.situation.begun).toHaveLength(CANARIES.length);
  });

  test('should publish nothing where a canary comes to no end, and put no more of them', async () => {
    const { written, probe, verifiedAt } = await probed({ reply: 'hang' });

    expect(written).toStrictEqual([]);
    expect(verifiedAt).toStrictEqual([]);
    expect(probe.situation).toMatchObject({ failures: 1 });
    expect(probe.situation.begun).toHaveLength(1);
  });

  test('should not count what the agent refuses against its budget', async () => {
    const { written, probe } = await probed({ reply: { error: { code: -32004 } } });

    expect(written).toStrictEqual([]);
    expect(probe.situation).toMatchObject({ failures: 1, begun: [] });
  });
});

describe('a task that is lost', () => {
  test('should count for more than the probe that it was lost under, and ask for another', async () => {
    const { written, writer } = await probed({
      meanwhile: (probe) => {
        probe.noteLoss(LOST, Date.now());
      },
    });

    expect(written.map(({ type }) => type)).toStrictEqual(['AgentVerified', 'EvidenceFolded']);
    expect(written[0]).toMatchObject({ reobservable: false });
    expect(writer.contract('w1')).toMatchObject({ reobservable: false, durable: false, needsProbe: true });
  });

  test.each<[string, Setting]>([
    [
      'before the probe began',
      {
        before: (probe) => {
          probe.noteLoss(LOST, Date.now());
        },
      },
    ],
    [
      'before it, and heard of only now',
      {
        meanwhile: (probe) => {
          probe.noteLoss(LOST, Date.now() - 60_000);
        },
      },
    ],
  ])('should be answered by the probe where that was %s', async (_, setting) => {
    const { writer } = await probed(setting);

    expect(writer.contract('w1')).toMatchObject({ reobservable: true, needsProbe: false });
  });
});
