/**
 * Reads partitions of the log, read committed, without a group: any number of partitions over one connection to each
 * broker, each from an offset of its own and at the speed of whoever takes what is read.
 *
 * Not with kafkajs's consumer, which has no assignment by hand, waits for all handlers before it fetches again, delivers
 * records of interleaved aborted transactions, never gets past an empty batch that the next one does not fit behind,
 * calls nobody when a fetch held nothing readable, checks no checksums, and on a lost offset resets silently and commits
 * that. Here a position moves by whole batches, so that markers, aborted and cleaned ranges are passed like records.
 *
 * A broker answers one request of a connection at a time: while it waits for news of some partitions, the others cannot
 * be asked for. So all that can take more are asked for together, and the wait is short when one had to be left out.
 */
import { setMaxListeners } from 'node:events';
import type { HoldfastError } from '../errors.js';
import type { PartitionRef } from '../streams/ports.js';
import { BrokerError, OffsetLostError } from '../streams/errors.js';
import { corrected } from './corrected-kafkajs.js';
import { fetchOnce } from './fetch-protocol.js';
import type { FetchedPartition } from './fetch-protocol.js';
import type { Cluster } from './kafkajs-internals.js';
import { failureOf, notAuthorized, translate } from './kafka-errors.js';
import { groupedBy } from './grouped.js';
import { logBounds } from './log-bounds.js';
import { LogRead } from './log-read.js';
import type { OnFetched, ReadRange } from './log-read.js';
import { nextWait } from './retrying.js';
import { keyOf, TopicMetadata } from './topic-metadata.js';

/** A restored changelog holds batches of up to a megabyte; more than one must fit, or a cleaned range costs a request each. */
const MAX_BYTES_PER_PARTITION = 2 * 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
const LONG_WAIT_MS = 100;
const SHORT_WAIT_MS = 10;

const OFFSET_OUT_OF_RANGE = 1;
const TOPIC_AUTHORIZATION_FAILED = 29;

/** The leader moved, is being elected, or does not know itself yet: look again. */
const PASSING = new Map([
  [-1, 'UNKNOWN'],
  [3, 'UNKNOWN_TOPIC_OR_PARTITION'],
  [5, 'LEADER_NOT_AVAILABLE'],
  [6, 'NOT_LEADER_FOR_PARTITION'],
  [9, 'REPLICA_NOT_AVAILABLE'],
  [56, 'KAFKA_STORAGE_ERROR'],
  [74, 'FENCED_LEADER_EPOCH'],
  [75, 'UNKNOWN_LEADER_EPOCH'],
  [78, 'OFFSET_NOT_AVAILABLE'],
]);

export class LogFetcher {
  readonly #cluster: Cluster;
  readonly #metadata: TopicMetadata;
  readonly #reads = new Set<LogRead>();
  readonly #asking = new Set<string>();
  #wait = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** The fetcher owns the cluster and closes it. */
  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#metadata = new TopicMetadata(cluster);
  }

  /**
   * Reads `partition` from `range.from` until `range.to`, or for ever, handing over each fetch in order and waiting for
   * `onFetched` before the next; one more is fetched ahead. Ends without error when `signal` aborts, after the call that
   * is under way; no call begins after that.
   * @throws OffsetLostError, TopicMissingError, BrokerError, UnreadableBatchError, and what `onFetched` throws
   */
  async read(partition: PartitionRef, range: ReadRange, onFetched: OnFetched, signal?: AbortSignal): Promise<void> {
    if (this.#closed) throw new BrokerError('the reader is closed');
    if (signal?.aborted === true || (range.to !== undefined && range.from >= range.to)) return;
    const read = new LogRead(partition, range, onFetched, () => {
      this.#pump();
    });
    const stop = (): void => {
      read.stop();
    };
    // One signal ends the reading of many partitions; Node would take that for a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await this.#metadata.know([partition.topic]).catch((error: unknown) => {
        throw translate(`reading ${keyOf(partition)}`, error);
      });
      this.#reads.add(read);
      this.#pump();
      await read.ended;
    } finally {
      this.#reads.delete(read);
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends every read without error and closes the connections. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    for (const read of this.#reads) read.stop();
    await this.#cluster.disconnect();
  }

  /** Asks every leader that is not being asked for all that can take more. */
  #pump(): void {
    if (this.#closed || this.#retry !== undefined) return;
    // A request names a partition once: of several reads of it, the one served longest ago.
    const wanting = new Map<string, LogRead>();
    for (const read of this.#reads)
      if (read.wants && !wanting.has(keyOf(read.partition))) wanting.set(keyOf(read.partition), read);
    const maxWait = wanting.size < this.#reads.size ? SHORT_WAIT_MS : LONG_WAIT_MS;
    for (const [nodeId, reads] of groupedBy(wanting.values(), (read) => this.#leaderOf(read))) {
      if (nodeId !== undefined && !this.#asking.has(nodeId)) void this.#ask(nodeId, reads, maxWait);
    }
  }

  #leaderOf(read: LogRead): string | undefined {
    try {
      return this.#metadata.leaderId(read.partition);
    } catch (error) {
      this.#later([read], error);
      return undefined;
    }
  }

  async #ask(nodeId: string, reads: readonly LogRead[], maxWaitTime: number): Promise<void> {
    this.#asking.add(nodeId);
    try {
      const answers = await this.#fetch(nodeId, reads, maxWaitTime);
      this.#wait = 0;
      const idle = answers.every(({ records }) => records.length === 0);
      const byPartition = new Map(answers.map((answer) => [keyOf(answer), answer]));
      for (const read of reads) this.#take(read, byPartition.get(keyOf(read.partition)), idle);
    } catch (error) {
      this.#later(reads, error);
    } finally {
      this.#asking.delete(nodeId);
    }
    await this.#closeLate();
    this.#pump();
  }

  async #fetch(nodeId: string, reads: readonly LogRead[], maxWaitTime: number): Promise<readonly FetchedPartition[]> {
    const broker = await this.#cluster.findBroker({ nodeId });
    const topics = [...groupedBy(reads, (read) => read.partition.topic)].map(([topic, of]) => ({
      topic,
      partitions: of.map((read) => ({
        partition: read.partition.partition,
        fetchOffset: read.next.toString(),
        maxBytes: MAX_BYTES_PER_PARTITION,
      })),
    }));
    const limits = { isolationLevel: 1, minBytes: 1, maxBytes: MAX_BYTES, maxWaitTime, rackId: '' };
    try {
      return await fetchOnce(corrected().internals.requests, broker, { ...limits, topics });
    } catch (error) {
      // kafkajs leaves a connection half open that the broker closed.
      if (failureOf(error).name === 'KafkaJSConnectionClosedError') await broker.disconnect();
      throw error;
    }
  }

  #take(read: LogRead, answer: FetchedPartition | undefined, idle: boolean): void {
    if (this.#reads.delete(read)) this.#reads.add(read);
    if (answer?.errorCode === 0) read.take(answer, idle);
    else if (answer?.errorCode === OFFSET_OUT_OF_RANGE) void this.#lost(read);
    else if (answer?.errorCode === TOPIC_AUTHORIZATION_FAILED) read.fail(notReadable(read.partition));
    else this.#later([read], answer === undefined ? new Error('the broker left the partition out') : answer.errorCode);
  }

  async #lost(read: LogRead): Promise<void> {
    read.hold();
    try {
      const [bounds] = await logBounds({ cluster: this.#cluster, metadata: this.#metadata }, [read.partition]);
      read.fail(new OffsetLostError(read.partition, read.next, bounds?.low ?? 0n));
    } catch (error) {
      read.fail(translate(`reading ${keyOf(read.partition)}`, error));
    }
  }

  /** Looks again after a while, at new metadata; whatever has waited too long, or cannot succeed, fails. */
  #later(reads: readonly LogRead[], reason: unknown): void {
    const error =
      typeof reason === 'number' ? new BrokerError(`error ${PASSING.get(reason) ?? reason} of the leader`) : reason;
    const lasting = typeof reason === 'number' && !PASSING.has(reason);
    for (const read of reads) read.setBack(translate(`reading ${keyOf(read.partition)}`, error), lasting);
    if (this.#closed || this.#retry !== undefined) return;
    this.#wait = nextWait(Math.max(this.#wait, 10));
    this.#retry = setTimeout(() => {
      void this.#lookAgain();
    }, this.#wait);
  }

  async #lookAgain(): Promise<void> {
    await this.#metadata.refresh([...this.#reads].map((read) => read.partition.topic)).catch(() => undefined);
    this.#retry = undefined;
    await this.#closeLate();
    this.#pump();
  }

  /** Closes a connection that was being made when the others were closed. */
  async #closeLate(): Promise<void> {
    if (this.#closed) await this.#cluster.disconnect().catch(() => undefined);
  }
}

const notReadable = (partition: PartitionRef): HoldfastError =>
  notAuthorized(`reading ${keyOf(partition)}`, [{ operation: 'Read', resource: 'Topic', name: partition.topic }]);
