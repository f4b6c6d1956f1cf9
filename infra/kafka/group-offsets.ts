import type { PartitionRef, Position } from '../streams/ports.js';
import { groupedBy } from './grouped.js';
import { BrokerError } from '../streams/errors.js';
import { PATIENT_RETRY } from './kafka-config.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { translate } from './kafka-errors.js';
import type { Cluster } from './kafkajs-internals.js';
import { createCluster } from './open-cluster.js';
import { repeated } from './retrying.js';

/** What kafkajs's broker answers to OffsetFetch; an offset of -1 is none. */
type OffsetCoordinator = {
  offsetFetch(request: {
    readonly groupId: string;
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number }[];
    }[];
  }): Promise<{
    readonly responses: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
    }[];
  }>;
};

/** Reads what a consumer group has committed. */
export class GroupOffsets {
  readonly #cluster: Cluster;
  readonly #groupId: string;

  constructor(connection: KafkaConnection, logger: KafkaLogger, groupId: string) {
    this.#cluster = createCluster(connection, logger, { retry: PATIENT_RETRY }).cluster;
    this.#groupId = groupId;
  }

  /**
   * The committed positions, without those that have none. Where the group commits in transactions this may be older than
   * the last one, unless its lock was taken before: settle first, then ask. @throws BrokerError
   */
  async committed(partitions: readonly PartitionRef[]): Promise<readonly Position[]> {
    const topics = [...groupedBy(partitions, ({ topic }) => topic)].map(([topic, of]) => ({
      topic,
      partitions: of.map(({ partition }) => ({ partition })),
    }));
    try {
      return await repeated(() => this.#ask(topics), { between: () => this.#cluster.refreshMetadata() });
    } catch (error) {
      throw translate(`asking for the offsets of group ${this.#groupId}`, error);
    }
  }

  close(): Promise<void> {
    return this.#cluster.disconnect();
  }

  async #ask(topics: Parameters<OffsetCoordinator['offsetFetch']>[0]['topics']): Promise<readonly Position[]> {
    await this.#cluster.connect();
    await this.#cluster.refreshMetadataIfNecessary();
    const coordinator: unknown = await this.#cluster.findGroupCoordinator({ groupId: this.#groupId });
    if (!fetchesOffsets(coordinator)) throw new BrokerError('this kafkajs cannot fetch offsets');
    const { responses } = await coordinator.offsetFetch({ groupId: this.#groupId, topics });
    return responses.flatMap(({ topic, partitions }) =>
      partitions
        .map(({ partition, offset }) => ({ topic, partition, offset: BigInt(offset) }))
        .filter(({ offset }) => offset >= 0n),
    );
  }
}

const fetchesOffsets = (broker: unknown): broker is OffsetCoordinator =>
  typeof broker === 'object' && broker !== null && 'offsetFetch' in broker && typeof broker.offsetFetch === 'function';
