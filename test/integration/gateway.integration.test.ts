/** A gateway, a ledger and a dispatcher on real Kafka and registry, in front of real agents that are killed. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Role, TaskState, type SendMessageRequest, type StreamResponse } from '@a2a-js/sdk';
import { ClientFactory, type Client } from '@a2a-js/sdk/client';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { DEFAULT_CONFIG } from '../../infra/config/default-config.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { registerAll } from '../../infra/registry/registration.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { subjects } from '../../schemas/catalogue.js';
import { WorkerProcess } from '../../services/demo/worker-process.js';
import { startDispatcher } from '../../services/dispatcher/dispatcher-service.js';
import { startGateway, type GatewayService } from '../../services/gateway/gateway-service.js';
import { startLedger, type Service } from '../../services/ledger/ledger-service.js';
import { Mesh } from '../../services/mesh/mesh.js';
import { topicSpecs } from '../../services/topic-specs.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import { recordKey } from '../../topology/kit/record-key.js';
import { DEFAULT_POLICY } from '../../topology/policy.js';
import { agent, policyChanged } from '../kit/decider-kit/agents.js';
import { eventually, KafkaFixture, silent, testBrokers } from './kafka-fixture.js';

const CORRELATION_ID = 'order-1';
const fixture = new KafkaFixture();
const stateDir = mkdtempSync(join(tmpdir(), 'holdfast-gateway-'));
const running: Service[] = [];
let workers: readonly WorkerProcess[] = [];
let config: HoldfastConfig;
let serdes: Serdes;
let gateway: GatewayService;
let client: Client;

const request = (text: string, more: { taskId?: string; contextId?: string } = {}): SendMessageRequest => ({
  tenant: '',
  message: {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text', value: text }, mediaType: 'text/plain', filename: '', metadata: undefined }],
    taskId: more.taskId ?? '',
    contextId: more.contextId ?? '',
    metadata: more.taskId === undefined ? { [LIFECYCLE_EXTENSION]: { correlationId: CORRELATION_ID } } : undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});

const connect = (agentId: string): Promise<Client> =>
  new ClientFactory().createFromUrl(`${gateway.url}/agents/${agentId}/.well-known/agent-card.json`, '');

const taskIdOf = ({ payload }: StreamResponse): string | undefined =>
  payload?.$case === 'task' ? payload.value.id : payload?.$case === 'statusUpdate' ? payload.value.taskId : undefined;

beforeAll(async () => {
  const registry = process.env.HOLDFAST_REGISTRY_URL ?? '';
  if (registry === '') throw new Error('HOLDFAST_REGISTRY_URL names no registry to test against');
  const topicPrefix = fixture.prefix;
  workers = await Promise.all(['w1', 'w3'].map((name) => WorkerProcess.start({ name, stepMs: 60 })));
  config = {
    ...DEFAULT_CONFIG,
    kafka: { ...DEFAULT_CONFIG.kafka, brokers: testBrokers(), topicPrefix, partitions: 3, groups: 1 },
    registry: { url: registry },
    stateDir,
    instanceId: 'test',
    gateway: { host: '127.0.0.1', port: 0 },
    dispatcher: { recheckMs: [200, 500], sendTimeoutMs: 10_000 },
    agents: workers.map(({ cardUrl }, index) => ({
      id: index === 0 ? 'w1' : 'w3',
      cardUrl,
      serviceIdentity: { headers: { authorization: 'Holdfast' } },
    })),
  };
  await fixture.admin.createTopics(topicSpecs(config));
  await registerAll(openRegistryClient({ url: registry }), subjects(topicPrefix));
  serdes = await openRegistrySerdes({ url: registry, topicPrefix, schemaWaitMs: 5_000 });

  const operator = new Mesh('operator', config, serdes, silent);
  const log = operator.openLog();
  const policy = { ...DEFAULT_POLICY, substitutionGroups: [['w1', 'w3']] };
  for (const record of [
    policyChanged(policy),
    ...['w1', 'w3'].flatMap((id) => agent(id, { config: { serviceIdentity: true } })),
  ])
    await log.publishAgent(record);
  await operator.close();

  running.push(await startLedger(config, serdes, silent));
  running.push(await startDispatcher(new Mesh('dispatcher', config, serdes, silent)));
  gateway = await startGateway({ config, serdes, logger: silent });
  running.push(gateway);
  client = await connect('w1');
}, 120_000);

afterAll(async () => {
  for (const service of running.reverse()) await service.stop();
  await Promise.all(workers.map((worker) => worker.kill()));
  await fixture.clean();
  rmSync(stateDir, { recursive: true, force: true });
}, 60_000);

test('a task whose agent was killed should be indeterminate, and go on elsewhere under its old ID', async () => {
  const events: StreamResponse[] = [];
  for await (const event of client.sendMessageStream(request('twenty chairs'))) events.push(event);
  const taskId = events.map(taskIdOf).find((id) => id !== undefined) ?? '';
  expect(events.at(-1)?.payload).toMatchObject({ value: { status: { state: TaskState.TASK_STATE_INPUT_REQUIRED } } });

  await workers[0]?.restart();
  const asked = await client.getTask({ tenant: '', id: taskId });
  const refusal = await client.sendMessage(request('red', { taskId })).catch((error: unknown) => error);

  expect(asked.id).toBe(taskId);
  expect(asked.status?.state).toBe(TaskState.TASK_STATE_UNSPECIFIED);
  expect(asked.metadata?.[LIFECYCLE_EXTENSION]).toMatchObject({
    correlationId: CORRELATION_ID,
    phase: 'indeterminate',
    reason: expect.stringContaining('agent w1 lost the task, last seen input-required') as unknown,
  });
  expect(refusal).toMatchObject({ envelopeCode: -32090 });

  const redispatched = await eventually(async () => {
    const task = await client.getTask({ tenant: '', id: taskId });
    return task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED ? task : undefined;
  }, 'redispatched and asking again');
  expect(redispatched.id).toBe(taskId);

  const answered: StreamResponse[] = [];
  for await (const event of client.sendMessageStream(request('red', { taskId, contextId: redispatched.contextId })))
    answered.push(event);
  expect(new Set(answered.map(taskIdOf).filter((id) => id !== undefined))).toStrictEqual(new Set([taskId]));
  const completed = await client.getTask({ tenant: '', id: taskId });
  expect(completed.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(completed.artifacts).toHaveLength(1);
}, 90_000);

test('the record should have one digest for the artifact that was streamed and polled', async () => {
  const mesh = new Mesh('reader', config, serdes, silent);
  try {
    const ledger = await mesh.openLedger();
    const entry = await eventually(async () => {
      const found = await ledger.get(recordKey(undefined, CORRELATION_ID));
      return found?.state === 'completed' ? found : undefined;
    }, 'completed on record');

    expect(entry.attempts.map(({ agentId, by }) => `${agentId} by ${by}`)).toStrictEqual([
      'w1 by client',
      'w3 by holdfast',
    ]);
    expect(entry.serverTasks.map(({ agentId, lost }) => [agentId, lost])).toStrictEqual([
      ['w1', true],
      ['w3', false],
    ]);
    expect(entry.violations).toStrictEqual([]);
    expect(entry.counts.violations).toBe(0);
    expect(entry.artifacts.map(({ attempt, sealed }) => [attempt, sealed])).toStrictEqual([
      [1, false],
      [2, true],
    ]);
  } finally {
    await mesh.close();
  }
}, 60_000);

test('a gateway that was started anew should still know the old ID', async () => {
  const { tasks } = await (
    await connect('w3')
  ).listTasks({
    tenant: '',
    contextId: '',
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: '',
    statusTimestampAfter: undefined,
  });
  const shown = tasks.find(({ status }) => status?.state === TaskState.TASK_STATE_COMPLETED);

  const before = running.pop();
  await before?.stop();
  gateway = await startGateway({ config, serdes, logger: silent });
  running.push(gateway);
  const task = await (await connect('w1')).getTask({ tenant: '', id: shown?.id ?? '' });

  expect(task.id).toBe(shown?.id);
  expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
}, 60_000);
