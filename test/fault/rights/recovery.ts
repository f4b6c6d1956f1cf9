import { Role as Speaker, type SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import type { PartialConfig } from '../../../infra/config/read-config.js';
import { freePorts } from '../../../infra/local/free-ports.js';
import { readTopic } from '../../../services/console/read-topic.js';
import { WorkerProcess } from '../../../services/demo/worker-process.js';
import { ROLES } from '../../../services/roles.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import type { LedgerEntry } from '../../../topology/ledger-records.js';
import { AGENTS } from '../../../topology/topics.js';
import { eventually } from '../../integration/kafka-fixture.js';
import type { GuardedMesh } from './guarded-mesh.js';

const UNIT = 'offer-1';
const [LOSER, OTHER] = ['W1', 'W2'] as const;

/**
 * Real agents are verified, a client's task is dispatched through the gateway, its agent is killed and forgets it, the
 * client asks for it; the task is lost, and taken over. Each part of Holdfast comes under its own name.
 */
export const recovered = async (mesh: GuardedMesh): Promise<LedgerEntry> => {
  const workers = [await WorkerProcess.start({ name: LOSER }), await WorkerProcess.start({ name: OTHER })] as const;
  try {
    const [port = 0] = await freePorts(1);
    const config = configOf(workers, port);
    for (const role of ROLES) {
      await mesh.kafka.grant(role, mesh.rights(role));
      await mesh.start(role, config);
    }
    for (const agentId of [LOSER, OTHER]) await verified(mesh, agentId);
    const client = await new ClientFactory().createFromUrl(
      `http://127.0.0.1:${port}/agents/${LOSER}/.well-known/agent-card.json`,
      '',
    );
    const names: string[] = [];
    for await (const { payload } of client.sendMessageStream(REQUEST))
      if (payload?.$case === 'task') names.push(payload.value.id);
    await workers[0].restart();
    await client.getTask({ tenant: '', id: names[0] ?? '' });
    return await mesh.unit(UNIT, ({ attempts }) => attempts[1]?.state === 'input-required', 'taken over');
  } finally {
    await mesh.stopAll();
    for (const worker of workers) await worker.kill();
  }
};

const configOf = (workers: readonly WorkerProcess[], port: number): PartialConfig => ({
  gateway: { host: '127.0.0.1', port },
  dispatcher: { recheckMs: [100] },
  policy: { substitutionGroups: [[LOSER, OTHER]] },
  agents: workers.map(({ cardUrl }, index) => ({
    id: index === 0 ? LOSER : OTHER,
    cardUrl,
    serviceIdentity: { headers: {} },
    canaries: [
      { state: 'input-required', message: 'canary: input-required', answer: 'blue' },
      { mode: 'application/json', message: 'canary: mode application/json' },
    ],
  })),
});

const verified = (mesh: GuardedMesh, agentId: string): Promise<true> =>
  eventually(async () => {
    let isVerified = false;
    await readTopic(mesh.source, AGENTS, [0], ({ value }) => {
      if (value?.type !== 'AgentVerified' || value.agentId !== agentId) return;
      isVerified = value.states.some(({ state }) => state === 'input-required') && value.modes.length > 0;
    });
    return isVerified ? true : undefined;
  }, `${agentId} is verified`);

const REQUEST: SendMessageRequest = {
  tenant: '',
  message: {
    messageId: 'm-1',
    role: Speaker.ROLE_USER,
    parts: [
      {
        content: { $case: 'text', value: 'twenty chairs' },
        mediaType: 'text/plain',
        filename: '',
        metadata: undefined,
      },
    ],
    taskId: '',
    contextId: '',
    metadata: { [LIFECYCLE_EXTENSION]: { correlationId: UNIT } },
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
};
