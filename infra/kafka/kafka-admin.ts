import type { Admin } from 'kafkajs';
import { BrokerError } from '../streams/errors.js';
import type { PartitionRef, Position } from '../streams/ports.js';
import { corrected } from './corrected-kafkajs.js';
import { kafkaConfig, PATIENT_RETRY } from './kafka-config.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { BrokerRefusedError, translate } from './kafka-errors.js';
import type { Cluster } from './kafkajs-internals.js';
import { logBounds } from './log-bounds.js';
import type { Bounds, Isolation } from './log-bounds.js';
import { createCluster } from './open-cluster.js';
import { repeated } from './retrying.js';
import { TopicMetadata } from './topic-metadata.js';
import { differences, specFaults } from './topic-spec.js';
import type { FoundTopic, TopicSpec } from './topic-spec.js';

/** What an operator does to topics. Every method throws BrokerError or BrokerRefusedError when the broker fails it. */
export class KafkaAdmin {
  readonly #admin: Admin;
  readonly #cluster: Cluster;
  readonly #metadata: TopicMetadata;
  #connected: Promise<void> | undefined;

  constructor(connection: KafkaConnection, logger: KafkaLogger) {
    this.#admin = new (corrected().kafkajs.Kafka)(kafkaConfig(connection, logger)).admin();
    this.#cluster = createCluster(connection, logger, { retry: PATIENT_RETRY }).cluster;
    this.#metadata = new TopicMetadata(this.#cluster);
  }

  /**
   * Creates the topics that do not exist, and resolves when each has its leaders. Existing ones are left as they are:
   * see `checkTopics`. Returns the names of those it created. @throws BrokerRefusedError also for faults of the specs
   */
  async createTopics(specs: readonly TopicSpec[]): Promise<string[]> {
    const faults = specFaults(specs);
    if (faults.length > 0) throw new BrokerRefusedError(`no topic was created: ${faults.join('; ')}`);
    return this.#doing('creating topics', async () => {
      const created: string[] = [];
      for (const { name, partitions, replicationFactor, config } of specs) {
        const topic = {
          topic: name,
          numPartitions: partitions,
          ...(replicationFactor === undefined ? {} : { replicationFactor }),
          configEntries: Object.entries(config).map(([key, value]) => ({ name: key, value })),
        };
        // Waiting is done here: KRaft answers before the new topic is known, and kafkajs calls that a failure.
        if (await this.#admin.createTopics({ topics: [topic], waitForLeaders: false })) created.push(name);
      }
      await this.#untilLed(created);
      return created;
    });
  }

  /** Every way in which the topics are not what the specs say, a sentence each; empty: they are. */
  async checkTopics(specs: readonly TopicSpec[]): Promise<string[]> {
    const faults = specFaults(specs);
    if (faults.length > 0) return faults;
    const found = await this.findTopics(specs.map(({ name }) => name));
    return specs.flatMap((spec) => differences(spec, found.get(spec.name)));
  }

  /** The topics as the broker holds them; those that do not exist are left out. */
  async findTopics(names: readonly string[]): Promise<ReadonlyMap<string, FoundTopic>> {
    return this.#doing('checking topics', async () => {
      const missing = new Set(await this.#metadata.refresh(names));
      return this.#describe(names.filter((name) => !missing.has(name)));
    });
  }

  /** Deletes every topic whose name begins so, and resolves when they are gone. Returns their names. */
  async deleteTopics(prefix: string): Promise<string[]> {
    if (prefix === '') throw new BrokerRefusedError('an empty prefix would delete every topic');
    return this.#doing(`deleting the topics ${prefix}*`, async () => {
      const names = (await this.#admin.listTopics()).filter((name) => name.startsWith(prefix)).toSorted();
      if (names.length === 0) return [];
      await this.#admin.deleteTopics({ topics: names, timeout: 30_000 });
      await repeated(
        async () => {
          const left = (await this.#admin.listTopics()).filter((name) => names.includes(name));
          if (left.length > 0) throw new BrokerError(`still there: ${left.join(', ')}`);
        },
        { between: () => Promise.resolve() },
      );
      return names;
    });
  }

  /** First offset held and end of each partition of the topics. @throws TopicMissingError */
  async describeOffsets(topics: readonly string[], isolation: Isolation = 'read-committed'): Promise<Bounds[]> {
    return this.#doing('describing offsets', async () => {
      await this.#metadata.know(topics);
      return logBounds({ cluster: this.#cluster, metadata: this.#metadata }, this.#partitionsOf(topics), isolation);
    });
  }

  /** For each partition of the topics the first offset that was appended at `time` (ms) or later, or its end. */
  async offsetsAt(topics: readonly string[], time: number): Promise<Position[]> {
    return this.#doing('asking for the offsets of a time', async () => {
      const found: Position[] = [];
      for (const topic of topics)
        for (const { partition, offset } of await this.#admin.fetchTopicOffsetsByTimestamp(topic, time))
          found.push({ topic, partition, offset: BigInt(offset) });
      return found;
    });
  }

  /** The offsets a group has committed; partitions without one are left out. */
  async committedOffsets(groupId: string, topics: readonly string[]): Promise<Position[]> {
    return this.#doing(`reading the offsets of group ${groupId}`, async () => {
      const committed = await this.#admin.fetchOffsets({ groupId, topics: [...topics] });
      return committed.flatMap(({ topic, partitions }) =>
        partitions
          .map(({ partition, offset }) => ({ topic, partition, offset: BigInt(offset) }))
          .filter(({ offset }) => offset >= 0n),
      );
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#admin.disconnect(), this.#cluster.disconnect()]);
  }

  async #describe(names: readonly string[]): Promise<ReadonlyMap<string, FoundTopic>> {
    if (names.length === 0) return new Map();
    const { resources } = await this.#admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: corrected().kafkajs.ConfigResourceTypes.TOPIC, name })),
    });
    return new Map(
      resources.map(({ resourceName, configEntries }) => [
        resourceName,
        {
          partitions: this.#metadata.partitionCount(resourceName),
          replicationFactor: this.#metadata.replicaCount(resourceName),
          config: Object.fromEntries(configEntries.map(({ configName, configValue }) => [configName, configValue])),
        },
      ]),
    );
  }

  async #untilLed(topics: readonly string[]): Promise<void> {
    const attempt = async (): Promise<void> => {
      const missing = await this.#metadata.refresh(topics);
      if (topics.some((topic) => missing.includes(topic) || !this.#metadata.isLed(topic))) {
        throw new BrokerError('the new topics have no leaders yet');
      }
    };
    if (topics.length === 0) return;
    await repeated(attempt, { between: () => Promise.resolve() });
    // The metadata name a leader before it knows of its office itself; one that answers does.
    await logBounds(
      { cluster: this.#cluster, metadata: this.#metadata },
      this.#partitionsOf(topics),
      'read-uncommitted',
    );
  }

  #partitionsOf(topics: readonly string[]): PartitionRef[] {
    return topics.flatMap((topic) =>
      Array.from({ length: this.#metadata.partitionCount(topic) }, (_, partition) => ({ topic, partition })),
    );
  }

  async #doing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      await (this.#connected ??= this.#admin.connect());
      return await work();
    } catch (error) {
      throw translate(what, error);
    }
  }
}
