import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentConfig, HoldfastConfig } from '../../infra/config/config.js';
import { resolveConfig } from '../../infra/config/read-config.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import { cloudEventHeaders } from '../../infra/registry/cloud-event-headers.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { subjects } from '../../schemas/catalogue.js';
import type { Service } from '../../services/ledger/ledger-service.js';
import type { ContractsView } from '../../services/mesh/contracts-view.js';
import { Mesh } from '../../services/mesh/mesh.js';
import { topicSpecs } from '../../services/topic-specs.js';
import { startVerifier } from '../../services/verifier/verifier.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { contractOf, type AgentContract } from '../../topology/agent/contracts.js';
import { utf8 } from '../../topology/kit/record-key.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { CommandRecord, EvidenceRecord } from '../../topology/ledger-records.js';
import { COMMANDS, EVIDENCE } from '../../topology/topics.js';
import { silent, testBrokers } from './kafka-fixture.js';

const PARTITIONS = 3;

/** An installation of one test's own: topics, schemas and a reader of the agents topic; verifiers are started in it. */
export class VerifierFixture {
  readonly #config: HoldfastConfig;
  readonly #serdes: Serdes;
  readonly #directory: string;
  readonly #onlooker: Mesh;
  readonly #contracts: ContractsView;
  readonly #services = new Set<Service>();
  readonly #records: AgentRecord[] = [];
  readonly #watchers = new Set<() => void>();

  static async open(): Promise<VerifierFixture> {
    const url = process.env.HOLDFAST_REGISTRY_URL ?? '';
    if (url === '') throw new Error('HOLDFAST_REGISTRY_URL names no registry: run this by "npm test integration"');
    const topicPrefix = `v${randomUUID().slice(0, 8)}.`;
    const directory = mkdtempSync(join(tmpdir(), 'holdfast-verifier-'));
    const config = resolveConfig({
      kafka: { brokers: testBrokers(), topicPrefix, partitions: PARTITIONS },
      registry: { url },
      stateDir: directory,
    });
    const admin = new KafkaAdmin({ brokers: testBrokers(), clientId: 'holdfast-test' }, silent);
    await admin.createTopics(topicSpecs(config));
    await admin.close();
    await registerAll(openRegistryClient({ url }), subjects(topicPrefix));
    const serdes = await openRegistrySerdes({ url, topicPrefix, schemaWaitMs: 0 });
    const onlooker = new Mesh('onlooker', config, serdes, silent);
    return new VerifierFixture(config, serdes, directory, onlooker, await onlooker.openContracts());
  }

  private constructor(
    config: HoldfastConfig,
    serdes: Serdes,
    directory: string,
    onlooker: Mesh,
    contracts: ContractsView,
  ) {
    this.#config = config;
    this.#serdes = serdes;
    this.#directory = directory;
    this.#onlooker = onlooker;
    this.#contracts = contracts;
    contracts.onChange((_, record) => {
      this.#records.push(record);
      for (const watcher of [...this.#watchers]) watcher();
    });
  }

  /** All that was written to the agents topic, in order. */
  get records(): readonly AgentRecord[] {
    return [...this.#records];
  }

  contract(agentId: string): AgentContract {
    return contractOf(this.#contracts.current, agentId);
  }

  async verifier(
    agents: readonly AgentConfig[],
    settings: Partial<HoldfastConfig['verifier']> = {},
    policy: Partial<HoldfastConfig['policy']> = {},
  ): Promise<Service> {
    const { verifier, policy: rest } = this.#config;
    const config = { ...this.#config, agents, verifier: { ...verifier, ...settings }, policy: { ...rest, ...policy } };
    const service = await startVerifier(new Mesh('verifier', config, this.#serdes, silent));
    this.#services.add(service);
    return service;
  }

  async stop(service: Service): Promise<void> {
    this.#services.delete(service);
    await service.stop();
  }

  /** Resolves once the contract is as wanted. */
  async until(agentId: string, wanted: (agent: AgentContract) => boolean): Promise<AgentContract> {
    while (!wanted(this.contract(agentId)))
      await new Promise<void>((resolve) => {
        const watcher = (): void => {
          this.#watchers.delete(watcher);
          resolve();
        };
        this.#watchers.add(watcher);
      });
    return this.contract(agentId);
  }

  /** What a ledger task says about a lost task, in its own partition. */
  async lose(agentId: string, partition = 0): Promise<void> {
    const lost: EvidenceRecord = {
      type: 'Evidence',
      kind: 'task-lost',
      agentId,
      correlationId: randomUUID(),
      serverTaskId: 't-1',
      state: 'input-required',
      observedAt: Date.now(),
    };
    await this.#write(EVIDENCE, [{ value: lost, partition }]);
  }

  /** Every ledger task asks for the card. */
  async askForCard(agentId: string): Promise<void> {
    const asked = Array.from({ length: PARTITIONS }, (_, partition): { value: CommandRecord; partition: number } => ({
      value: { type: 'RefreshCard', commandId: randomUUID(), agentId, issuedAt: Date.now() },
      partition,
    }));
    await this.#write(COMMANDS, asked);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#services].map((service) => service.stop()));
    await this.#onlooker.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #write<Value extends { readonly type: string }>(
    topic: Topic<Value>,
    records: readonly { readonly value: Value; readonly partition: number }[],
  ): Promise<void> {
    const producer = createPlainProducer({ brokers: testBrokers(), clientId: 'holdfast-test' }, silent);
    await producer.send(
      records.map(({ value, partition }) => ({
        topic: `${this.#config.kafka.topicPrefix}${topic.name}`,
        partition,
        key: utf8('w1'),
        value: this.#serdes.serialize(topic, value.type, value),
        headers: cloudEventHeaders({ id: randomUUID(), source: '/test', record: value.type }),
      })),
    );
    await producer.close();
  }
}
