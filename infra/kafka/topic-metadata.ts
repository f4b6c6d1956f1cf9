import { TopicMissingError } from '../streams/errors.js';
import type { PartitionRef } from '../streams/ports.js';
import { failureOf } from './kafka-errors.js';
import type { Cluster } from './kafkajs-internals.js';

export const keyOf = ({ topic, partition }: PartitionRef): string => `${topic}/${partition}`;

/**
 * Which topics exist and who leads their partitions. Guards kafkajs's metadata: a refresh of it fails as a whole when one
 * topic it ever knew is gone, and of two refreshes at a time the second gets the answer to the first.
 */
export class TopicMetadata {
  readonly #cluster: Cluster;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Makes sure that the topics are known. @throws TopicMissingError, and what kafkajs throws */
  async know(topics: readonly string[]): Promise<void> {
    if (topics.every((topic) => this.#partitions(topic).length > 0)) return;
    const missing = await this.refresh(topics);
    const wanted = missing.filter((topic) => topics.includes(topic));
    if (wanted.length > 0) throw new TopicMissingError(wanted);
  }

  /** Asks the brokers anew about the topics, and all asked about before. Returns those that do not exist. */
  refresh(topics: readonly string[]): Promise<readonly string[]> {
    const turn = this.#turn.then(async () => {
      await this.#cluster.connect();
      return this.#ask([...new Set([...this.#cluster.targetTopics, ...topics])]);
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #ask(topics: readonly string[]): Promise<readonly string[]> {
    this.#cluster.targetTopics = new Set(topics);
    try {
      await this.#cluster.refreshMetadata();
      return [];
    } catch (error) {
      if (failureOf(error).type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
      if (topics.length === 1) {
        this.#cluster.targetTopics = new Set();
        return topics;
      }
    }
    const missing: string[] = [];
    for (const topic of topics) missing.push(...(await this.#ask([topic])));
    const there = topics.filter((topic) => !missing.includes(topic));
    return there.length > 0 ? [...missing, ...(await this.#ask(there))] : missing;
  }

  /** Number of partitions of a topic that is known. */
  partitionCount(topic: string): number {
    return this.#partitions(topic).length;
  }

  /** Number of replicas of each partition of a topic that is known. */
  replicaCount(topic: string): number {
    return this.#partitions(topic)[0]?.replicas.length ?? 0;
  }

  /** Whether every partition of the topic has a leader. */
  isLed(topic: string): boolean {
    const partitions = this.#partitions(topic);
    return partitions.length > 0 && partitions.every(({ leader }) => leader >= 0);
  }

  /** The node that leads the partition. @throws TopicMissingError when a known topic has no such partition */
  leaderId(ref: PartitionRef): string {
    const partitions = this.#partitions(ref.topic);
    const found = partitions.find(({ partitionId }) => partitionId === ref.partition);
    if (found !== undefined) return String(found.leader);
    throw partitions.length === 0 ? new Error(`no metadata of ${ref.topic}`) : new TopicMissingError([keyOf(ref)]);
  }

  #partitions(topic: string): ReturnType<Cluster['findTopicPartitionMetadata']> {
    try {
      return this.#cluster.findTopicPartitionMetadata(topic);
    } catch {
      return []; // nothing is known yet
    }
  }
}
