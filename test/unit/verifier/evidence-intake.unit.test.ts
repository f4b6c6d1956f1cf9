import { describe, expect, test } from '@jest/globals';
import { EvidenceIntake, isNews } from '../../../services/verifier/evidence-intake.js';
import { contractOf, foldContracts, unknownAgent } from '../../../topology/agent/contracts.js';
import type { EvidenceRecord } from '../../../topology/ledger-records.js';
import { agent, contractsFrom, verificationOf } from '../../kit/decider-kit/agents.js';
import { agentsTopic } from './agents-topic.js';

const evidence = (kind: EvidenceRecord['kind'], state: 'working' | 'input-required' = 'working'): EvidenceRecord => ({
  type: 'Evidence',
  kind,
  agentId: 'w1',
  correlationId: 'c1',
  serverTaskId: 't1',
  state,
  observedAt: 0,
});
const LOST = evidence('task-lost');
const SEEN = evidence('state-reobserved');
const KNOWN = contractsFrom(agent('w1', { config: {}, reobservable: true }));

describe('evidence (R10)', () => {
  test.each<[string, EvidenceRecord, number, boolean]>([
    ['a loss since', LOST, 100, true],
    ['a loss that a verification has answered', LOST, 99, false],
    ['a state seen again since both', SEEN, 200, true],
    ['a state seen again before the loss', SEEN, 199, false],
    ['a loss before another one', LOST, 150, true],
  ])('should be news or not by its time: %s', (_, given, time, expected) => {
    const horizon = { verifiedAt: 100, lostAt: 200 };

    expect(isNews(given, time, horizon, contractOf(KNOWN, 'w1'))).toBe(expected);
  });

  test('should be none about agents that nobody configured, or that were removed (R57)', () => {
    const horizon = { verifiedAt: 0, lostAt: 0 };
    const removed = foldContracts(KNOWN, { type: 'AgentRemoved', agentId: 'w1' }, 9n, 0);

    expect(isNews(LOST, 1, horizon, unknownAgent('w1'))).toBe(false);
    expect(isNews(LOST, 1, horizon, contractOf(removed, 'w1'))).toBe(false);
  });
});

describe('the intake', () => {
  test('should fold a loss once, withdraw what it contradicts and ask for a probe', async () => {
    const { written, writer } = agentsTopic(KNOWN);
    const folded: number[] = [];
    const intake = new EvidenceIntake(writer, new Map(), (_, time) => folded.push(time));

    await intake.take(LOST, 1);
    await intake.take(LOST, 2);

    expect(written).toStrictEqual([
      { type: 'EvidenceFolded', agentId: 'w1', reobservable: false, durable: false, observed: [], needsProbe: true },
    ]);
    expect(folded).toStrictEqual([1, 2]);
  });

  test('should not hold old evidence against a newer verification, of before or of now', async () => {
    const { written, writer } = agentsTopic(KNOWN);
    const intake = new EvidenceIntake(writer, new Map([['w1', 100]]), () => undefined);

    await intake.take(LOST, 99);
    intake.verified('w1', 200);
    await intake.take(LOST, 150);

    expect(written).toStrictEqual([]);
  });

  test('should write about one agent in turns, each by what the one before led to', async () => {
    const { written, writer } = agentsTopic(KNOWN);
    const intake = new EvidenceIntake(writer, new Map(), () => undefined);

    const verified = writer.write('w1', () => verificationOf('w1', { reobservable: true }));
    await Promise.all([verified, intake.take(LOST, 1), intake.take(evidence('state-reobserved'), 2)]);

    expect(written.map(({ type }) => type)).toStrictEqual(['AgentVerified', 'EvidenceFolded', 'EvidenceFolded']);
    expect(contractOf({ ...KNOWN }, 'w1').needsProbe).toBe(false);
    expect(writer.contract('w1')).toMatchObject({ needsProbe: true, reobservable: true, durable: false });
  });

  test('should give the next its turn where one could not be written', async () => {
    const { written, writer } = agentsTopic(KNOWN);
    const broken = writer.write('w1', () => {
      throw new Error('away');
    });

    await expect(broken).rejects.toThrow('away');
    await writer.write('w1', () => verificationOf('w1'));

    expect(written).toHaveLength(1);
  });
});
