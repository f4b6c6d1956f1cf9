import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentConfig, HoldfastConfig } from '../../infra/config/config.js';
import { resolveConfig } from '../../infra/config/read-config.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { subjects } from '../../schemas/catalogue.js';
import { verdictOn } from '../../services/console/verdict-log.js';
import { startDispatcher } from '../../services/dispatcher/dispatcher-service.js';
import { startLedger, type Service } from '../../services/ledger/ledger-service.js';
import type { EventLog } from '../../services/mesh/event-log.js';
import { Mesh } from '../../services/mesh/mesh.js';
import type { TopicTable } from '../../services/mesh/topic-table.js';
import { topicSpecs } from '../../services/topic-specs.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { LedgerEntry, Verdict } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { eventually, silent, testBrokers } from './kafka-fixture.js';

export const PARTITIONS = 3;

/** One call as an agent got it. */
export type Call = {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
};

/** What an agent does with a call: a JSON-RPC member to answer with, or the response itself. */
export type Answer = (
  call: Call,
  response: ServerResponse,
) => { readonly result?: unknown; readonly error?: unknown } | undefined;

export const TASK_NOT_FOUND = { error: { code: -32001, message: 'Task not found' } };

export const taskBody = (id: string, state: string, contextId = `ctx-${id}`): object => ({
  id,
  contextId,
  status: { state: `TASK_STATE_${state}`, timestamp: new Date().toISOString() },
});

/** Writes stream frames, and ends the stream unless told otherwise. */
export const stream = (response: ServerResponse, frames: readonly object[], end = true): undefined => {
  response.setHeader('content-type', 'text/event-stream');
  for (const result of frames) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`);
  if (end) response.end();
};

/** A new task, and the states it goes through. */
export const taskStream = (id: string, ...states: readonly string[]): readonly object[] => [
  { task: taskBody(id, 'SUBMITTED') },
  ...states.map((state) => ({
    statusUpdate: {
      taskId: id,
      contextId: `ctx-${id}`,
      status: { state: `TASK_STATE_${state}`, timestamp: new Date().toISOString() },
    },
  })),
];

/** An A2A agent whose every answer the test gives. */
export class StubAgent {
  readonly calls: Call[] = [];
  answer: Answer = () => TASK_NOT_FOUND;
  readonly #server: Server;
  readonly cardUrl: string;

  static async start(streaming = true): Promise<StubAgent> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return new StubAgent(server, `http://127.0.0.1:${port}`, streaming);
  }

  private constructor(server: Server, url: string, streaming: boolean) {
    this.#server = server;
    this.cardUrl = `${url}/card.json`;
    const card = {
      name: 'stub',
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming },
    };
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method === 'GET') {
          response.setHeader('content-type', 'application/json').end(JSON.stringify(card));
          return;
        }
        const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Pick<Call, 'method' | 'params'>;
        const call = { method, params, headers: request.headers, at: performance.now() };
        this.calls.push(call);
        const said = this.answer(call, response);
        if (said !== undefined)
          response
            .setHeader('content-type', 'application/json')
            .end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...said }));
      });
    });
  }

  methods(): readonly string[] {
    return this.calls.map(({ method }) => method);
  }

  stop(): void {
    this.#server.close().closeAllConnections();
  }
}

/** A ledger and dispatchers on the real broker and registry, under topics of their own. */
export class DispatcherWorld {
  readonly prefix = `disp-${randomUUID().slice(0, 8)}.`;
  readonly stateDir = mkdtempSync(join(tmpdir(), 'holdfast-dispatcher-'));
  readonly #admin = new KafkaAdmin({ brokers: testBrokers(), clientId: 'test' }, silent);
  readonly #services: Service[] = [];
  config: HoldfastConfig;
  #serdes: Serdes | undefined;
  #mesh: Mesh | undefined;
  #log: EventLog | undefined;
  #ledger: TopicTable<LedgerEntry> | undefined;

  constructor(agents: readonly AgentConfig[]) {
    this.config = resolveConfig({
      kafka: { brokers: testBrokers(), topicPrefix: this.prefix, partitions: PARTITIONS, groups: 3 },
      registry: { url: process.env['HOLDFAST_REGISTRY_URL'] ?? '' },
      stateDir: this.stateDir,
      dispatcher: { recheckMs: [100, 300], sendTimeoutMs: 2_000 },
      agents,
    });
  }

  async start(): Promise<void> {
    const { registry, schemaWaitMs } = this.config;
    await this.#admin.createTopics(topicSpecs(this.config));
    await registerAll(openRegistryClient(registry.url), subjects(this.prefix));
    this.#serdes = await openRegistrySerdes({ url: registry.url, topicPrefix: this.prefix, schemaWaitMs });
    this.#services.push(await startLedger(this.config, this.#serdes, silent));
    this.#mesh = new Mesh('test', this.config, this.#serdes, silent);
    this.#log = this.#mesh.openLog();
    this.#ledger = await this.#mesh.openLedger();
  }

  async dispatcher(instanceId: string, recheckMs = this.config.dispatcher.recheckMs): Promise<Service> {
    const config = { ...this.config, instanceId, dispatcher: { ...this.config.dispatcher, recheckMs } };
    const service = await startDispatcher(new Mesh('dispatcher', config, this.serdes, silent));
    this.#services.push(service);
    return service;
  }

  async stop(): Promise<void> {
    for (const service of this.#services.reverse()) await service.stop().catch(() => undefined);
    await this.#mesh?.close();
    await this.#admin.deleteTopics(this.prefix);
    await this.#admin.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  get serdes(): Serdes {
    if (this.#serdes === undefined) throw new Error('not started');
    return this.#serdes;
  }

  get mesh(): Mesh {
    if (this.#mesh === undefined) throw new Error('not started');
    return this.#mesh;
  }

  get log(): EventLog {
    if (this.#log === undefined) throw new Error('not started');
    return this.#log;
  }

  async tell(...records: readonly AgentRecord[]): Promise<void> {
    for (const record of records) await this.log.publishAgent(record);
  }

  partition(correlationId: string): number {
    return partitionOf(utf8(recordKey(undefined, correlationId)), PARTITIONS);
  }

  /** Writes it, and waits for what the ledger concludes. */
  async verdict(observation: Observation): Promise<Verdict> {
    const found = await verdictOn(
      { reader: this.mesh.clients.reader, serdes: this.serdes },
      this.partition(observation.correlationId),
      async () => (await this.log.observe([observation]))[0],
      30_000,
    );
    if (found === undefined) throw new Error(`no verdict on ${observation.type}`);
    return found.value;
  }

  /** A client's dispatch to `agentId`, whose task says `state`. */
  async dispatched(correlationId: string, agentId: string, state = 'input-required'): Promise<void> {
    const message = { messageId: `m-${correlationId}`, role: 'ROLE_USER', parts: [{ text: 'twenty chairs' }] };
    const request = JSON.stringify({ message, configuration: { acceptedOutputModes: ['application/json'] } });
    await this.log.keepInput({ type: 'TaskInput', correlationId, agentId, request, keptAt: Date.now() });
    await this.verdict({
      type: 'DispatchObserved',
      correlationId,
      agentId,
      by: 'client',
      principal: 'p',
      messageId: message.messageId,
      acceptedOutputModes: ['application/json'],
      inputKept: true,
      continues: false,
    });
    const spoken = { correlationId, agentId, serverTaskId: `t-${correlationId}` } as const;
    await this.verdict({ type: 'TaskStateObserved', ...spoken, via: 'send-response', state });
  }

  /** The client asks and is told that there is no such task. */
  async lost(correlationId: string, agentId: string): Promise<Verdict> {
    return this.verdict({
      type: 'TaskNotFoundObserved',
      correlationId,
      agentId,
      serverTaskId: `t-${correlationId}`,
      method: 'GetTask',
      principal: 'p',
      by: 'client',
    });
  }

  /** The unit's record, once it is as wanted. */
  async unit(correlationId: string, wanted: (entry: LedgerEntry) => boolean, what: string): Promise<LedgerEntry> {
    const key = recordKey(undefined, correlationId);
    return eventually(async () => {
      const entry = await this.#ledger?.get(key);
      return entry !== undefined && wanted(entry) ? entry : undefined;
    }, `${correlationId}: ${what}`);
  }
}
