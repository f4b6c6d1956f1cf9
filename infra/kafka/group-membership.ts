/**
 * A membership of a consumer group: kafkajs's consumer joins, heartbeats and receives the assignment, and fetches
 * nothing, ever; every partition it is given stays paused. What is assigned is read by a `LogFetcher` from the positions
 * the runtime names, which spares us everything kafkajs does with positions of its own.
 */
import type { Consumer } from 'kafkajs';
import { MembershipLostError } from '../streams/errors.js';
import type { Membership, MembershipEvents, PartitionRef, StreamClients } from '../streams/ports.js';
import { corrected } from './corrected-kafkajs.js';
import { groupsOf } from './group-assignment.js';
import { kafkaConfig, PATIENT_RETRY } from './kafka-config.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { translate } from './kafka-errors.js';
import { LogFetcher } from './log-fetcher.js';
import { createCluster } from './open-cluster.js';
import { taskGroupAssigner } from './task-group-assigner.js';
import { keyOf } from './topic-metadata.js';

export type Subscription = Parameters<StreamClients['join']>[0];

export type MembershipTimes = {
  readonly sessionMs: number;
  readonly rebalanceMs: number;
  readonly heartbeatMs: number;
};

export const MEMBERSHIP_TIMES: MembershipTimes = { sessionMs: 10_000, rebalanceMs: 30_000, heartbeatMs: 1_000 };

/**
 * Joins the group; resolves once kafkajs has begun, the first `onAssigned` comes before or after that.
 * @throws TopicMissingError, BrokerError, BrokerRefusedError
 */
export async function joinGroup(
  connection: KafkaConnection,
  logger: KafkaLogger,
  subscription: Subscription,
  events: MembershipEvents,
  times = MEMBERSHIP_TIMES,
): Promise<Membership> {
  const member = new GroupMembership(connection, logger, subscription, events, times);
  await member.start();
  return member;
}

class GroupMembership implements Membership {
  readonly #subscription: Subscription;
  readonly #events: MembershipEvents;
  readonly #times: MembershipTimes;
  readonly #consumer: Consumer;
  readonly #fetcher: LogFetcher;
  readonly #running = new Map<string, AbortController>();
  #owned: readonly number[] = [];
  #assigned: ReadonlySet<number> = new Set();
  #over = false;
  #joined = false;
  #lastSign = performance.now();
  #watchdog: NodeJS.Timeout | undefined;

  constructor(
    connection: KafkaConnection,
    logger: KafkaLogger,
    subscription: Subscription,
    events: MembershipEvents,
    times: MembershipTimes,
  ) {
    this.#subscription = subscription;
    this.#events = events;
    this.#times = times;
    this.#fetcher = new LogFetcher(createCluster(connection, logger, { retry: PATIENT_RETRY }).cluster);
    this.#consumer = new (corrected().kafkajs.Kafka)(kafkaConfig(connection, logger)).consumer({
      groupId: subscription.groupId,
      partitionAssigners: [taskGroupAssigner({ ...subscription, owned: () => this.#owned })],
      sessionTimeout: times.sessionMs,
      rebalanceTimeout: times.rebalanceMs,
      heartbeatInterval: times.heartbeatMs,
      // With nothing to fetch kafkajs sleeps this long between two looks at the clock.
      maxWaitTimeInMs: Math.min(times.heartbeatMs / 4, 250),
      allowAutoTopicCreation: false,
      // A membership that broke is replaced by the runtime, which then restores; kafkajs must not come back by itself.
      retry: { ...PATIENT_RETRY, restartOnFailure: () => Promise.resolve(false) },
    });
  }

  async start(): Promise<void> {
    const { GROUP_JOIN, HEARTBEAT, REBALANCING, CRASH } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => {
      this.#onJoined(payload.memberAssignment[this.#subscription.source] ?? []);
    });
    this.#consumer.on(HEARTBEAT, () => {
      this.#lastSign = performance.now();
    });
    this.#consumer.on(REBALANCING, () => {
      this.#joined = false;
      this.#lastSign = performance.now();
    });
    this.#consumer.on(CRASH, ({ payload }) => {
      this.#fail(payload.error);
    });
    try {
      await this.#consumer.connect();
      await this.#consumer.subscribe({ topic: this.#subscription.source, fromBeginning: true });
      this.#watchdog = setInterval(() => {
        this.#watch();
      }, this.#times.heartbeatMs);
      await this.#consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: () => Promise.resolve() });
    } catch (error) {
      this.#end();
      await this.#disconnect();
      throw translate(`joining the group ${this.#subscription.groupId}`, error);
    }
  }

  readonly run = (partition: PartitionRef, offset: bigint): void => {
    this.pause(partition);
    // The assignment may have changed since the runtime decided; then somebody else runs it.
    if (this.#over || !this.#assigned.has(partition.partition)) return;
    const stop = new AbortController();
    this.#running.set(keyOf(partition), stop);
    this.#fetcher.read(partition, { from: offset }, this.#events.onFetched, stop.signal).catch((error: unknown) => {
      // What an older generation still trips over concerns nobody.
      if (!stop.signal.aborted) this.#fail(error);
    });
  };

  readonly pause = (partition: PartitionRef): void => {
    this.#running.get(keyOf(partition))?.abort();
    this.#running.delete(keyOf(partition));
  };

  readonly leave = async (): Promise<void> => {
    this.#end();
    await this.#disconnect();
  };

  /** kafkajs calls this before the first fetch of the generation, and waits for it to return. */
  #onJoined(partitions: readonly number[]): void {
    if (this.#over) return;
    const { source, groups } = this.#subscription;
    this.#joined = true;
    this.#lastSign = performance.now();
    this.#stopAll();
    this.#consumer.pause([{ topic: source }]);
    this.#assigned = new Set(partitions);
    this.#owned = groupsOf(partitions, groups);
    this.#events.onAssigned(this.#owned);
  }

  /**
   * kafkajs sends heartbeats by the wall clock: set back, it sends none and notices nothing. While the group rebalances
   * there are none either, for as long as the slowest member may take.
   */
  #watch(): void {
    const limit = this.#joined ? this.#times.sessionMs : this.#times.sessionMs + this.#times.rebalanceMs;
    const silent = performance.now() - this.#lastSign;
    if (silent > limit) this.#fail(new Error(`no sign of the group's coordinator for ${Math.round(silent)} ms`));
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#end();
    void this.#disconnect();
    this.#events.onFailed(new MembershipLostError(this.#subscription.groupId, error));
  }

  #end(): void {
    this.#over = true;
    clearInterval(this.#watchdog);
    this.#stopAll();
  }

  #stopAll(): void {
    for (const stop of this.#running.values()) stop.abort();
    this.#running.clear();
  }

  async #disconnect(): Promise<void> {
    await Promise.all([
      this.#consumer.disconnect().catch(() => undefined),
      this.#fetcher.close().catch(() => undefined),
    ]);
  }
}
