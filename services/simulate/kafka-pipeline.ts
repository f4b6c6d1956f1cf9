import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { kafkaConnection } from '../../infra/config/connection.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import { createPlainProducer, type PlainProducer } from '../../infra/kafka/plain-producer.js';
import { prefixed } from '../../infra/kafka/prefixed-stream-clients.js';
import { ManualClock } from '../../infra/memory/manual-clock.js';
import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';
import type { Membership, StreamClients } from '../../infra/streams/ports.js';
import { systemClock } from '../../infra/streams/clock.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { StreamApplication } from '../../infra/streams/stream-application.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { isInternalKey, utf8 } from '../../topology/kit/record-key.js';
import type { Topic } from '../../topology/kit/topology.js';
import { ledgerTopology } from '../../topology/ledger.topology.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import { AGENTS, LEDGER, TASK_EVENTS } from '../../topology/topics.js';
import { topicSpecs } from '../topic-specs.js';
import type { CommittedRecord, Pipeline, PublishedRecord } from './pipeline.js';

/** What all stories of one run share. */
export type KafkaBackend = {
  readonly config: HoldfastConfig;
  readonly serdes: Serdes;
  readonly logger: Logger;
  readonly admin: KafkaAdmin;
};

/** Opens what all stories share; close its `admin` afterwards. */
export const openKafkaBackend = (config: HoldfastConfig, serdes: Serdes, logger: Logger): KafkaBackend => ({
  config,
  serdes,
  logger,
  admin: new KafkaAdmin(connectionOf(config), logger),
});

const connectionOf = (config: HoldfastConfig) => kafkaConnection(config, 'holdfast-simulate');

/**
 * The running ledger on a real broker and RocksDB, under topics of its own with the story's times (CreateTime) and a clock
 * that the story moves. Topics and stores are removed by `close`.
 */
export const kafkaPipeline = async (backend: KafkaBackend, partitions: number): Promise<Pipeline> => {
  const prefix = `simulate-${randomUUID().slice(0, 8)}.`;
  const stateDir = await mkdtemp(join(tmpdir(), 'holdfast-simulate-'));
  const kafka = { ...backend.config.kafka, topicPrefix: prefix, partitions };
  const config = { ...backend.config, kafka, stateDir };
  const pipeline = new KafkaPipeline(backend, config);
  try {
    await backend.admin.createTopics(
      topicSpecs(config, { 'message.timestamp.type': 'CreateTime', 'retention.ms': '-1' }),
    );
    await pipeline.start();
    return pipeline;
  } catch (error) {
    await pipeline.close();
    throw error;
  }
};

class KafkaPipeline implements Pipeline {
  readonly partitions: number;
  readonly #backend: KafkaBackend;
  readonly #config: HoldfastConfig;
  readonly #clock = new ManualClock();
  readonly #reader: StreamClients;
  /** Of this story alone: a producer goes on asking for every topic it ever wrote to, deleted ones as well. */
  readonly #producer: PlainProducer;
  /** Of this story alone, as the producer is. */
  readonly #offsets: KafkaAdmin;
  readonly #read = new Map<string, bigint>();
  readonly #ledger = new Map<string, LedgerEntry>();
  #application: StreamApplication<never, never, never, never, never> | undefined;
  #membership: Membership | undefined;

  constructor(backend: KafkaBackend, config: HoldfastConfig) {
    this.#backend = backend;
    this.#config = config;
    this.partitions = config.kafka.partitions;
    this.#reader = this.#clients('reader');
    this.#producer = createPlainProducer(connectionOf(config), backend.logger);
    this.#offsets = new KafkaAdmin(connectionOf(config), backend.logger);
  }

  async start(): Promise<void> {
    const clients = this.#clients('ledger');
    // The story moves the clock; pauses between attempts at the broker are real.
    const clock = { now: this.#clock.now, sleepUntil: this.#clock.sleepUntil, backOff: systemClock.backOff };
    const application = new StreamApplication(
      ledgerTopology,
      {
        clients: {
          ...clients,
          join: async (subscription, events) => (this.#membership = await clients.join(subscription, events)),
        },
        stores: new RocksStateStores(this.#config.stateDir),
        serdes: this.#backend.serdes,
      },
      { instanceId: 'story', groups: Math.min(this.#config.kafka.groups, this.partitions), clock },
    );
    await application.start();
    this.#application = application as unknown as StreamApplication<never, never, never, never, never>;
    await this.#settle();
  }

  async publish({ key, value, event, time, partition }: PublishedRecord): Promise<Coordinates> {
    const bytes =
      value === null || value instanceof Uint8Array
        ? value
        : this.#backend.serdes.serialize(TASK_EVENTS, value.type, value);
    const headers = event === undefined ? {} : { ce_source: utf8(event.source), ce_id: utf8(event.id) };
    return this.#produce(
      TASK_EVENTS,
      key === null ? null : utf8(key),
      bytes,
      headers,
      time,
      partition ?? (key === null ? 0 : undefined),
    );
  }

  publishAgent(record: AgentRecord, time: number): Promise<Coordinates> {
    return this.#produce(AGENTS, null, this.#backend.serdes.serialize(AGENTS, record.type, record), {}, time, 0);
  }

  async advance(time: number): Promise<void> {
    this.#clock.advanceTo(time);
    await this.#settle();
  }

  async redeliver({ partition, offset }: Coordinates): Promise<void> {
    this.#membership?.run({ topic: TASK_EVENTS.name, partition }, offset);
    await this.#settle();
  }

  async restart(): Promise<void> {
    await this.#application?.stop();
    await this.start();
  }

  async committed<Value>(topic: Topic<Value>): Promise<readonly CommittedRecord<Value>[]> {
    const fresh: CommittedRecord<Value>[] = [];
    await this.#follow(topic, (coordinates, _, value) => {
      if (value !== undefined) fresh.push({ coordinates, value });
    });
    return fresh;
  }

  async ledger(): Promise<ReadonlyMap<string, LedgerEntry>> {
    await this.#follow(LEDGER, (_, key, value) => {
      if (isInternalKey(key)) return;
      if (value === undefined) this.#ledger.delete(key);
      else this.#ledger.set(key, value);
    });
    return this.#ledger;
  }

  async close(): Promise<void> {
    await this.#application?.stop();
    await this.#producer.close();
    await this.#offsets.close();
    await this.#reader.close();
    await this.#backend.admin.deleteTopics(this.#config.kafka.topicPrefix);
    await rm(this.#config.stateDir, { recursive: true, force: true });
  }

  /** Reads what was committed since the last call, partition by partition. */
  async #follow<Value>(
    topic: Topic<Value>,
    take: (coordinates: Coordinates, key: string, value: Value | undefined) => void,
  ): Promise<void> {
    const refs = Array.from({ length: this.partitions }, (_, partition) => ({ topic: topic.name, partition }));
    for (const { partition, low, end } of await this.#reader.reader.bounds(refs)) {
      const place = `${topic.name}/${partition}`;
      const from = this.#read.get(place) ?? low;
      if (from >= end) continue;
      await this.#reader.reader.read({ topic: topic.name, partition }, { from, to: end }, async ({ records }) => {
        const { serdes } = this.#backend;
        await serdes.prepare(
          topic,
          records.flatMap(({ value }) => (value === null ? [] : [value])),
        );
        for (const { key, value, offset } of records) {
          const read = value === null ? undefined : serdes.deserialize(topic, value);
          take(
            { topic: topic.name, partition, offset },
            Buffer.from(key ?? '').toString(),
            read?.kind === 'value' ? read.value : undefined,
          );
        }
      });
      this.#read.set(place, end);
    }
  }

  async #produce(
    topic: Topic<unknown>,
    key: Uint8Array | null,
    value: Uint8Array | null,
    headers: Readonly<Record<string, Uint8Array>>,
    time: number,
    partition: number | undefined,
  ): Promise<Coordinates> {
    const name = `${this.#config.kafka.topicPrefix}${topic.name}`;
    const record = { topic: name, key, value, headers, time };
    const [position] = await this.#producer.send([partition === undefined ? record : { ...record, partition }]);
    await this.#settle();
    return { topic: topic.name, partition: position?.partition ?? 0, offset: position?.offset ?? -1n };
  }

  async #settle(): Promise<void> {
    const application = this.#application;
    if (application === undefined) return;
    const groups = Math.min(this.#config.kafka.groups, this.partitions);
    do {
      await application.idle();
      if (application.running.length < groups) await new Promise((resolve) => setTimeout(resolve, 10));
    } while (application.running.length < groups);
    await application.idle();
    await this.#visible();
  }

  /**
   * A commit is acknowledged before its markers are written: what was committed may be seen only a moment later. Nothing
   * is under way here, so all of it is visible once no partition holds anything back.
   */
  async #visible(): Promise<void> {
    const names = [ledgerTopology.store.changelog, ...ledgerTopology.sinks].map(({ name }) => name);
    const topics = names.map((name) => `${this.#config.kafka.topicPrefix}${name}`);
    for (;;) {
      const stable = await this.#offsets.describeOffsets(topics);
      const written = await this.#offsets.describeOffsets(topics, 'read-uncommitted');
      const ends = new Map(stable.map(({ topic, partition, end }) => [`${topic}/${partition}`, end]));
      if (written.every(({ topic, partition, end }) => ends.get(`${topic}/${partition}`) === end)) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #clients(name: string): StreamClients {
    const { kafka } = this.#config;
    const clients = createKafkaStreamClients({
      connection: kafkaConnection(this.#config, `holdfast-simulate-${name}`),
      logger: this.#backend.logger,
      groupId: `${kafka.topicPrefix}${ledgerTopology.applicationId}`,
    });
    return prefixed(clients, kafka.topicPrefix);
  }
}
