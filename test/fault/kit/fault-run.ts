import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveConfig } from '../../../infra/config/read-config.js';
import type { HoldfastConfig } from '../../../infra/config/config.js';
import { KafkaAdmin } from '../../../infra/kafka/kafka-admin.js';
import { createPlainProducer, type PlainProducer } from '../../../infra/kafka/plain-producer.js';
import { registerAll } from '../../../infra/registry/registration.js';
import { openRegistryClient } from '../../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../../infra/streams/serdes.js';
import { subjects } from '../../../schemas/catalogue.js';
import { topicSpecs } from '../../../services/topic-specs.js';
import { ledgerTopology } from '../../../topology/ledger.topology.js';
import { silent } from '../../integration/kafka-fixture.js';
import { LedgerChild, type ChildOptions } from './ledger-child.js';
import type { LoggedStep } from './step-log.js';

/** A variable that names a part of the backend. A tier that cannot run fails. */
export const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} names no backend to test against`);
  return value;
};

export type RunOptions = {
  readonly brokers: readonly string[];
  readonly registryUrl: string;
  /** Where the schemas are registered; the services may be given another way there. */
  readonly servedRegistryUrl?: string;
  readonly partitions: number;
  readonly groups: number;
  /** Of a run before whose schemas are used: registering takes seconds. */
  readonly schemasOf?: FaultRun;
};

/** Topics, schemas, directories and processes of one run, under names of its own; `close` removes them all. */
export class FaultRun {
  readonly config: HoldfastConfig;
  readonly configFile: string;
  readonly directory: string;
  /** The registry itself, whatever way the services are given. */
  readonly registryUrl: string;
  readonly schemaPrefix: string;
  readonly serdes: Serdes;
  readonly admin: KafkaAdmin;
  readonly producer: PlainProducer;
  readonly #children: LedgerChild[] = [];

  private constructor(parts: Pick<FaultRun, 'config' | 'directory' | 'registryUrl' | 'schemaPrefix' | 'serdes'>) {
    this.config = parts.config;
    this.directory = parts.directory;
    this.registryUrl = parts.registryUrl;
    this.schemaPrefix = parts.schemaPrefix;
    this.serdes = parts.serdes;
    this.configFile = join(parts.directory, 'holdfast.yaml');
    const connection = { brokers: parts.config.kafka.brokers, clientId: 'holdfast-fault' };
    this.admin = new KafkaAdmin(connection, silent);
    this.producer = createPlainProducer(connection, silent);
  }

  static async open(options: RunOptions): Promise<FaultRun> {
    const { brokers, groups, partitions, registryUrl, schemasOf, servedRegistryUrl = registryUrl } = options;
    const prefix = `fault-${randomUUID().slice(0, 8)}.`;
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-fault-'));
    const said = {
      kafka: { brokers, topicPrefix: prefix, partitions, groups },
      registry: { url: servedRegistryUrl },
      stateDir: join(directory, 'state'),
      schemaWaitMs: 1_000,
    };
    const schemaPrefix = schemasOf?.schemaPrefix ?? prefix;
    if (schemasOf === undefined) await registerAll(openRegistryClient({ url: registryUrl }), subjects(prefix));
    const serdes =
      schemasOf?.serdes ??
      (await openRegistrySerdes({ url: registryUrl, topicPrefix: schemaPrefix, schemaWaitMs: 1_000 }));
    const run = new FaultRun({ config: resolveConfig(said), directory, registryUrl, schemaPrefix, serdes });
    // YAML is a superset of JSON.
    await writeFile(run.configFile, JSON.stringify({ ...said, logLevel: 'info' }));
    await run.admin.createTopics(topicSpecs(run.config));
    return run;
  }

  get groupId(): string {
    return `${this.config.kafka.topicPrefix}${ledgerTopology.applicationId}`;
  }

  topic(name: string): string {
    return `${this.config.kafka.topicPrefix}${name}`;
  }

  /** Partitions of a task group. */
  partitionsOf(group: number): readonly number[] {
    const { groups, partitions } = this.config.kafka;
    return Array.from({ length: partitions }, (_, partition) => partition).filter((p) => p % groups === group);
  }

  /** Starts an instance, or starts it again, with its stores where it left them. */
  async serve(
    instance: string,
    options: Pick<ChildOptions, 'killAt' | 'signal' | 'program'> = {},
  ): Promise<LedgerChild> {
    const start = this.#children.filter((child) => child.instance === instance).length + 1;
    const child = await LedgerChild.start({
      instance,
      start,
      config: this.configFile,
      directory: this.directory,
      ...options,
    });
    this.#children.push(child);
    return child;
  }

  steps(): readonly LoggedStep[] {
    return this.#children.flatMap((child) => child.steps());
  }

  storesOf(instance: string): string {
    return join(this.config.stateDir, instance);
  }

  async wipeStores(instance: string): Promise<void> {
    await rm(this.storesOf(instance), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill()));
    await this.producer.close();
    await this.admin.deleteTopics(this.config.kafka.topicPrefix);
    await this.admin.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}
