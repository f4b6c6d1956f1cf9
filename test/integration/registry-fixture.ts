import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { resolveConfig } from '../../infra/config/read-config.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createPlainProducer, type PlainProducer } from '../../infra/kafka/plain-producer.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { subjects, type Subject } from '../../schemas/catalogue.js';
import { readTopic } from '../../services/console/read-topic.js';
import { startLedger, type Service } from '../../services/ledger/ledger-service.js';
import { Mesh } from '../../services/mesh/mesh.js';
import { topicSpecs } from '../../services/topic-specs.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import { TASK_EVENTS, VERDICTS } from '../../topology/topics.js';
import { dispatched } from '../kit/decider-kit/builders.js';
import { eventually, silent, testBrokers } from './kafka-fixture.js';
import { RegistryProxy } from './registry-proxy.js';

/** How long the ledger asks for an ID that is missing, and how long it waits for an answer. */
const SCHEMA_WAIT_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** A ledger of one partition on the real broker, whose way to the real registry is in the hand of the test. */
export class RegistryWorld {
  readonly prefix: string;
  readonly stateDir = mkdtempSync(join(tmpdir(), 'holdfast-registry-'));
  /** What the ledger has logged as warnings, without what is not said in words. */
  readonly warnings: string[] = [];
  readonly config: HoldfastConfig;
  readonly #admin = new KafkaAdmin({ brokers: testBrokers(), clientId: 'test' }, silent);
  readonly #proxy: RegistryProxy;
  readonly #producer: PlainProducer;
  readonly #serdes: Serdes;
  readonly #mesh: Mesh;
  #ledger: Service | undefined;
  #versions = 0;

  private constructor(config: HoldfastConfig, proxy: RegistryProxy, serdes: Serdes, prefix: string) {
    this.prefix = prefix;
    this.config = config;
    this.#proxy = proxy;
    this.#serdes = serdes;
    this.#producer = createPlainProducer({ brokers: testBrokers(), clientId: 'test' }, silent);
    this.#mesh = new Mesh('test', config, serdes, silent);
  }

  static async open(registryUrl: string): Promise<RegistryWorld> {
    const prefix = `reg-${randomUUID().slice(0, 8)}.`;
    const proxy = await RegistryProxy.open(registryUrl);
    const config = resolveConfig({
      kafka: { brokers: testBrokers(), topicPrefix: prefix, partitions: 1, groups: 1 },
      registry: { url: proxy.url },
    });
    await registerAll(openRegistryClient({ url: registryUrl }), subjects(prefix));
    const serdes = await openRegistrySerdes({ url: registryUrl, topicPrefix: prefix, schemaWaitMs: 0 });
    const world = new RegistryWorld(config, proxy, serdes, prefix);
    await world.#admin.createTopics(topicSpecs(config));
    await world.#startLedger();
    return world;
  }

  get registry(): RegistryProxy {
    return this.#proxy;
  }

  async close(): Promise<void> {
    await this.#ledger?.stop();
    await this.#producer.close();
    await this.#mesh.close();
    await this.#proxy.shut();
    await this.#admin.deleteTopics(this.prefix);
    await this.#admin.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  /** The schema of `record`, as it is registered. */
  subjectOf(record: string): Subject {
    const found = subjects(this.prefix).find((subject) => subject.record === record);
    if (found === undefined) throw new Error(`no subject of ${record}`);
    return found;
  }

  /** Registers a version of the dispatch that no process has seen; its ID. */
  registerVersion(): Promise<number> {
    const { schema, subject } = this.subjectOf('DispatchObserved');
    const held = JSON.parse(schema) as { readonly fields: readonly unknown[] };
    this.#versions += 1;
    const note = { name: `note${this.#versions}`, type: ['null', 'string'], default: null };
    const url = process.env.HOLDFAST_REGISTRY_URL ?? '';
    return openRegistryClient({ url }).register(subject, JSON.stringify({ ...held, fields: [...held.fields, note] }));
  }

  /** Writes a dispatch under a schema ID, or under that of this version; where it lies. */
  async send(correlationId: string, schemaId?: number): Promise<bigint> {
    const observation = dispatched('w1', { correlationId });
    const own = this.#serdes.serialize(TASK_EVENTS, 'DispatchObserved', observation);
    const value = schemaId === undefined ? Buffer.from(own) : Buffer.concat([own, Buffer.of(0)]);
    if (schemaId !== undefined) value.writeUInt32BE(schemaId, 1);
    const topic = `${this.prefix}${TASK_EVENTS.name}`;
    const [at] = await this.#producer.send([
      { topic, key: utf8(recordKey(undefined, correlationId)), value, headers: {} },
    ]);
    return at?.offset ?? -1n;
  }

  /** What was concluded about the record at an offset, once it was. */
  verdictAt(offset: bigint): Promise<string> {
    return eventually(async () => (await this.verdicts()).get(offset), `a verdict on ${offset.toString()}`, 60_000);
  }

  /** By offset of the record that each is about. */
  async verdicts(): Promise<ReadonlyMap<bigint, string>> {
    const found = new Map<bigint, string>();
    const source = { reader: this.#mesh.clients.reader, serdes: this.#serdes };
    await readTopic(source, VERDICTS, [0], ({ value }) => {
      if (value?.cause !== undefined) found.set(value.cause.offset, `${value.verdict}: ${value.reason}`);
    });
    return found;
  }

  /** Waits for a new warning of the ledger that contains this. */
  async warned(text: string, since: number): Promise<void> {
    await eventually(
      () => (this.warnings.slice(since).some((warning) => warning.includes(text)) ? true : undefined),
      `a warning of ${text} among ${JSON.stringify(this.warnings.slice(since))}`,
      60_000,
    );
  }

  async #startLedger(): Promise<void> {
    const { url } = this.#proxy;
    const serdes = await openRegistrySerdes({
      ...{ url, topicPrefix: this.prefix, schemaWaitMs: SCHEMA_WAIT_MS, timeoutMs: TIMEOUT_MS },
    });
    const warn = (said: { readonly error?: string }, message: string): void => {
      this.warnings.push(`${message}: ${said.error ?? ''}`);
    };
    const logger = { ...silent, warn } as typeof silent;
    this.#ledger = await startLedger({ ...this.config, stateDir: this.stateDir }, serdes, logger);
  }
}
