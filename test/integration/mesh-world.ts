import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HoldfastConfig } from '../../infra/config/config.js';
import type { PartialConfig } from '../../infra/config/config-source.js';
import { resolveConfig } from '../../infra/config/read-config.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { subjects } from '../../schemas/catalogue.js';
import type { Service } from '../../services/ledger/ledger-service.js';
import { Mesh } from '../../services/mesh/mesh.js';
import { topicSpecs } from '../../services/topic-specs.js';
import { silent, testBrokers } from './kafka-fixture.js';

/** Holdfast's topics and schemas on the real broker and registry, under a prefix of their own, and what runs on them. */
export class MeshWorld {
  readonly prefix: string;
  readonly stateDir: string;
  config: HoldfastConfig;
  /** Stopped with the world, the last one first. */
  protected readonly services: Service[] = [];
  readonly #admin = new KafkaAdmin({ brokers: testBrokers(), clientId: 'test' }, silent);
  #serdes: Serdes | undefined;
  #mesh: Mesh | undefined;

  constructor(name: string, partitions: number, settings: PartialConfig) {
    this.prefix = `${name}-${randomUUID().slice(0, 8)}.`;
    this.stateDir = mkdtempSync(join(tmpdir(), `holdfast-${name}-`));
    this.config = resolveConfig({
      kafka: { brokers: testBrokers(), topicPrefix: this.prefix, partitions, groups: 3 },
      registry: { url: process.env.HOLDFAST_REGISTRY_URL ?? '' },
      stateDir: this.stateDir,
      ...settings,
    });
  }

  async start(): Promise<void> {
    const { registry, schemaWaitMs } = this.config;
    await this.#admin.createTopics(topicSpecs(this.config));
    await registerAll(openRegistryClient(registry), subjects(this.prefix));
    this.#serdes = await openRegistrySerdes({ url: registry.url, topicPrefix: this.prefix, schemaWaitMs });
    this.#mesh = new Mesh('test', this.config, this.#serdes, silent);
  }

  async stop(): Promise<void> {
    for (const service of this.services.reverse()) await service.stop();
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
}
