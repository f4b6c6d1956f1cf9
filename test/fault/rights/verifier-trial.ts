import { expect } from '@jest/globals';
import { cloudEventHeaders } from '../../../infra/registry/cloud-event-headers.js';
import { readTopic } from '../../../services/console/read-topic.js';
import type { Topic } from '../../../topology/kit/topology.js';
import { utf8 } from '../../../topology/kit/record-key.js';
import type { CommandRecord, EvidenceRecord } from '../../../topology/ledger-records.js';
import { AGENTS, COMMANDS, EVIDENCE } from '../../../topology/topics.js';
import { eventually } from '../../integration/kafka-fixture.js';
import type { StubAgent } from '../../unit/dispatcher/stub-agent.js';
import type { GuardedMesh } from './guarded-mesh.js';
import { POLICY } from './ledger-trial.js';
import type { ServiceTrial } from './service-trial.js';

const AGENT = 'v1';

/** Somebody asks for the card of an agent, and traffic shows that it lost a task, or has one that was taken for lost. */
export const verifierTrial = (mesh: GuardedMesh, agent: StubAgent): ServiceTrial => {
  let turn = 0;
  let cards = 0;
  const isLossNext = (): boolean => turn % 2 === 0;
  const known = async (): Promise<{ readonly cards: number; readonly reobservable: boolean | undefined }> => {
    let looked = 0;
    let reobservable: boolean | undefined;
    await readTopic(mesh.source, AGENTS, [0], ({ value }) => {
      if (value === undefined || !('agentId' in value) || value.agentId !== AGENT) return;
      if (value.type === 'CardAccepted' || value.type === 'CardRevalidated') looked += 1;
      if (value.type === 'EvidenceFolded') ({ reobservable } = value);
    });
    return { cards: looked, reobservable };
  };
  return {
    role: 'verifier',
    config: { agents: [{ id: AGENT, cardUrl: agent.cardUrl }], policy: POLICY },
    prepare: () => Promise.resolve(),
    provoke: async () => {
      turn += 1;
      ({ cards } = await known());
      const issuedAt = Date.now();
      await write(mesh, COMMANDS, { type: 'RefreshCard', agentId: AGENT, commandId: `refresh-${turn}`, issuedAt });
      await write(mesh, EVIDENCE, {
        type: 'Evidence',
        kind: isLossNext() ? 'task-lost' : 'state-reobserved',
        agentId: AGENT,
        correlationId: `seen-${turn}`,
        serverTaskId: `t-${turn}`,
        state: 'working',
        observedAt: issuedAt,
      });
    },
    settled: async () => {
      const found = await eventually(async () => {
        const now = await known();
        return now.cards > cards && now.reobservable === !isLossNext() ? now : undefined;
      }, 'the card was looked at, and the evidence was folded');

      expect(found.reobservable).toBe(!isLossNext());
    },
  };
};

const write = async <Value extends CommandRecord | EvidenceRecord>(
  mesh: GuardedMesh,
  topic: Topic<Value>,
  value: Value,
): Promise<void> => {
  await mesh.producer.send([
    {
      topic: mesh.topic(topic),
      key: utf8(value.type),
      value: mesh.serdes.serialize(topic, value.type, value),
      headers: cloudEventHeaders({ id: value.type, source: '/test', record: value.type }),
    },
  ]);
};
