/**
 * The stream runtime's clients on kafkajs 2.2.4, corrected where it is slow and kept away from where it is wrong:
 *
 * - Transactions: kafkajs's producer, one to a lock, with a cluster of its own, one awaited batch to a transaction. The
 *   first error ends its life, so its states that cannot be left and the sequence numbers it takes back after an unknown
 *   outcome are never met again (transactional-producer.ts).
 * - Reading, of restores, tails and sources alike: our own fetcher over kafkajs's connections and metadata. kafkajs has
 *   no reading without a group, and its read committed is not to be trusted (log-fetcher.ts).
 * - Membership: join and heartbeat by kafkajs's requests, without its consumer (group-membership.ts).
 */
import { BrokerError, TopicMissingError } from '../streams/errors.js';
import type { LogReader, Membership, StreamClients, TransactionalProducer } from '../streams/ports.js';
import { GROUP_TIMES, joinGroup } from './group-membership.js';
import type { GroupTimes } from './group-session.js';
import { PATIENT_RETRY } from './kafka-config.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { translate } from './kafka-errors.js';
import type { Cluster } from './kafkajs-internals.js';
import { logBounds } from './log-bounds.js';
import { LogFetcher } from './log-fetcher.js';
import { createCluster } from './open-cluster.js';
import { repeated } from './retrying.js';
import { TopicMetadata } from './topic-metadata.js';
import { fenceTransactionalId } from './transactional-producer.js';

export type StreamClientsOptions = {
  readonly connection: KafkaConnection;
  readonly logger: KafkaLogger;
  /** The consumer group under which transactions commit source positions; the application's ID. */
  readonly groupId: string;
  readonly times?: GroupTimes;
};

/**
 * Clients for one instance of a stream application; connects when something is asked of it.
 * @throws HoldfastError `HOLDFAST_KAFKAJS_VERSION`
 */
export function createKafkaStreamClients(options: StreamClientsOptions): StreamClients {
  return new KafkaStreamClients(options);
}

class KafkaStreamClients implements StreamClients {
  readonly reader: LogReader;
  readonly #options: StreamClientsOptions;
  readonly #cluster: Cluster;
  readonly #metadata: TopicMetadata;
  /** Restores have records waiting, tails wait for records: on one connection the former would wait for the latter. */
  readonly #restores: LogFetcher;
  readonly #tails: LogFetcher;
  readonly #open = new Set<() => Promise<void>>();
  #closed = false;

  constructor(options: StreamClientsOptions) {
    const { connection, logger } = options;
    const open = (): Cluster => createCluster(connection, logger, { retry: PATIENT_RETRY }).cluster;
    this.#options = options;
    this.#cluster = open();
    this.#metadata = new TopicMetadata(this.#cluster);
    this.#restores = new LogFetcher(open());
    this.#tails = new LogFetcher(open());
    this.reader = {
      bounds: (partitions) => logBounds({ cluster: this.#cluster, metadata: this.#metadata }, partitions),
      read: (partition, range, onFetched, signal) =>
        (range.to === undefined ? this.#tails : this.#restores).read(partition, range, onFetched, signal),
    };
  }

  readonly fence = async (transactionalId: string): Promise<TransactionalProducer> => {
    this.#refuseClosed();
    const { connection, logger, groupId } = this.#options;
    const producer = await fenceTransactionalId(connection, logger, { transactionalId, groupId });
    return { commit: producer.commit, close: this.#tracked(producer.close) };
  };

  readonly partitionCounts = async (topics: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    this.#refuseClosed();
    try {
      const missing = await repeated(() => this.#metadata.refresh(topics), { between: () => Promise.resolve() });
      const absent = missing.filter((topic) => topics.includes(topic));
      if (absent.length > 0) throw new TopicMissingError(absent);
      return new Map(topics.map((topic) => [topic, this.#metadata.partitionCount(topic)]));
    } catch (error) {
      throw translate('asking for the partitions of topics', error);
    }
  };

  readonly join: StreamClients['join'] = async (subscription, events): Promise<Membership> => {
    this.#refuseClosed();
    const { connection, logger, times = GROUP_TIMES } = this.#options;
    const { leave, ...membership } = await joinGroup(connection, logger, subscription, events, times);
    return { ...membership, leave: this.#tracked(leave) };
  };

  /** Leaves every group, closes every producer and reader. */
  readonly close = async (): Promise<void> => {
    this.#closed = true;
    await Promise.all([...this.#open].map((close) => close()));
    await Promise.all([this.#cluster.disconnect(), this.#restores.close(), this.#tails.close()]);
  };

  #tracked(close: () => Promise<void>): () => Promise<void> {
    const once = async (): Promise<void> => {
      this.#open.delete(once);
      await close();
    };
    this.#open.add(once);
    return once;
  }

  #refuseClosed(): void {
    if (this.#closed) throw new BrokerError('the clients are closed');
  }
}
