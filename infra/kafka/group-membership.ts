/**
 * A membership of a consumer group, over kafkajs's connections and requests but not its consumer. That one sends
 * heartbeats by the wall clock and only between fetches, asks for positions it then resets and commits by itself, begins
 * a rebalance whenever the leader of a partition moves, and is over for good after some errors. Of all it does, a runtime
 * that names its own positions needs the join and the heartbeat. Records come from a `LogFetcher`.
 *
 * Membership is a hint (the lock is the producer's epoch), so nothing here has to stop in time for anything to be right:
 * partitions go on being delivered until the next generation says otherwise.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { MembershipLostError } from '../streams/errors.js';
import type { Membership, MembershipEvents, PartitionRef } from '../streams/ports.js';
import { groupsOf } from './group-assignment.js';
import { GroupSession } from './group-session.js';
import type { GroupDivision, GroupTimes } from './group-session.js';
import { PATIENT_RETRY } from './kafka-config.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { BrokerRefusedError, failureOf, translate } from './kafka-errors.js';
import type { Cluster } from './kafkajs-internals.js';
import { LogFetcher } from './log-fetcher.js';
import { createCluster } from './open-cluster.js';
import { nextWait } from './retrying.js';
import { keyOf, TopicMetadata } from './topic-metadata.js';

export const GROUP_TIMES: GroupTimes = { sessionMs: 10_000, rebalanceMs: 30_000, heartbeatMs: 1_000 };

/** How long `leave` waits for a coordinator that may be in the middle of a rebalance. */
const LEAVE_LIMIT_MS = 2_000;

/** A new generation has begun, or this member belongs to none: join again, at once. */
const REJOIN = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

/**
 * Begins to join the group. What cannot be joined at all is told here, everything later through `events`.
 * @throws TopicMissingError, BrokerError, BrokerRefusedError
 */
export async function joinGroup(
  connection: KafkaConnection,
  logger: KafkaLogger,
  division: GroupDivision,
  events: MembershipEvents,
  times = GROUP_TIMES,
): Promise<Membership> {
  const { cluster } = createCluster(connection, logger, { retry: PATIENT_RETRY });
  try {
    if (division.groups > division.partitions) {
      throw new BrokerRefusedError(`${division.groups} task groups cannot share ${division.partitions} partitions`);
    }
    await new TopicMetadata(cluster).know([division.source]);
  } catch (error) {
    await cluster.disconnect();
    throw translate(`joining the group ${division.groupId}`, error);
  }
  const fetcher = new LogFetcher(createCluster(connection, logger, { retry: PATIENT_RETRY }).cluster);
  return new GroupMembership({ cluster, fetcher, logger, division, events, times });
}

type Parts = {
  readonly cluster: Cluster;
  readonly fetcher: LogFetcher;
  readonly logger: KafkaLogger;
  readonly division: GroupDivision;
  readonly events: MembershipEvents;
  readonly times: GroupTimes;
};

class GroupMembership implements Membership {
  readonly #parts: Parts;
  readonly #session: GroupSession;
  readonly #running = new Map<string, AbortController>();
  readonly #stopped = new AbortController();
  #assigned: ReadonlySet<number> = new Set();
  #owned: readonly number[] = [];
  #member = false;
  #departure: Promise<void> | undefined;
  /** Who waits for a heartbeat that is yet to be sent. */
  #unconfirmed: (() => void)[] = [];
  #hurry = new AbortController();
  /** When the coordinator last agreed, on a clock that cannot be set back. */
  #lastSign = performance.now();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#session = new GroupSession(parts.cluster, parts.division, parts.times);
    void this.#live();
  }

  readonly run = (partition: PartitionRef, offset: bigint): void => {
    this.pause(partition);
    // The assignment may have changed since the runtime decided; then somebody else runs it.
    if (this.#over() || !this.#assigned.has(partition.partition)) return;
    const stop = new AbortController();
    this.#running.set(keyOf(partition), stop);
    this.#parts.fetcher
      .read(partition, { from: offset }, this.#parts.events.onFetched, stop.signal)
      .catch((error: unknown) => {
        // What an older generation still trips over concerns nobody.
        if (!stop.signal.aborted) this.#fail(error);
      });
  };

  readonly pause = (partition: PartitionRef): void => {
    this.#running.get(keyOf(partition))?.abort();
    this.#running.delete(keyOf(partition));
  };

  readonly confirm = (): Promise<void> =>
    new Promise((resolve) => {
      this.#unconfirmed.push(resolve);
      // Not at the next beat: whoever asks stands still until it is answered.
      this.#hurry.abort();
    });

  readonly leave = async (): Promise<void> => {
    const member = this.#member;
    this.#end();
    await (this.#departure ??= this.#depart(member));
  };

  /** Tells the group, so that others need not wait for the session to run out, and closes the connections. */
  async #depart(member: boolean): Promise<void> {
    if (member)
      await Promise.race([
        this.#session.leave().catch(() => undefined),
        delay(LEAVE_LIMIT_MS, undefined, { ref: false }),
      ]);
    await this.#disconnect();
  }

  #over(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Joins, beats, joins again, until it is ended or the coordinator has been silent for too long. */
  async #live(): Promise<void> {
    for (let wait = 0; !this.#over();) {
      try {
        if (this.#member) await this.#beat();
        else this.#joined(await this.#session.join(this.#owned));
        this.#lastSign = performance.now();
        wait = 0;
        await this.#untilNextBeat();
      } catch (error) {
        wait = this.#recover(error, wait);
        await this.#pausedFor(wait);
      }
    }
    await this.#departure;
    // A connection that was being made when the others were closed.
    await this.#parts.cluster.disconnect().catch(() => undefined);
  }

  async #beat(): Promise<void> {
    const confirmed = this.#unconfirmed.length;
    await this.#session.heartbeat();
    for (const confirm of this.#unconfirmed.splice(0, confirmed)) confirm();
  }

  #joined(partitions: readonly number[]): void {
    if (this.#over()) return;
    this.#member = true;
    // The assignment tells them more.
    this.#unconfirmed = [];
    this.#stopAll();
    this.#assigned = new Set(partitions);
    this.#owned = groupsOf(partitions, this.#parts.division.groups);
    this.#parts.logger.info({ groupId: this.#parts.division.groupId, groups: this.#owned }, 'joined the group');
    try {
      this.#parts.events.onAssigned(this.#owned);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What to make of an error; returns how long to wait before the next attempt. */
  #recover(error: unknown, waited: number): number {
    if (this.#over()) return 0;
    const { type } = failureOf(error);
    if (type !== undefined && REJOIN.has(type)) {
      if (type === 'UNKNOWN_MEMBER_ID') this.#session.forgetMember();
      this.#member = false;
      this.#lastSign = performance.now();
      return 0;
    }
    const { sessionMs, rebalanceMs } = this.#parts.times;
    const translated = translate(`the group ${this.#parts.division.groupId}`, error);
    const silent = performance.now() - this.#lastSign;
    if (!translated.retryable || silent > sessionMs + rebalanceMs) {
      this.#fail(translated);
    } else if (silent > sessionMs) {
      // Its partitions belong to somebody else by now.
      this.#member = false;
      this.#stopAll();
    }
    this.#session.forgetCoordinator();
    return nextWait(Math.max(waited, 10));
  }

  async #untilNextBeat(): Promise<void> {
    if (this.#unconfirmed.length > 0) return;
    this.#hurry = new AbortController();
    await this.#pausedFor(this.#parts.times.heartbeatMs, this.#hurry.signal);
  }

  async #pausedFor(ms: number, hurry?: AbortSignal): Promise<void> {
    const signals = [this.#stopped.signal, ...(hurry === undefined ? [] : [hurry])];
    await delay(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
  }

  #fail(error: unknown): void {
    if (this.#over()) return;
    this.#end();
    this.#departure = this.#depart(this.#member);
    this.#parts.events.onFailed(new MembershipLostError(this.#parts.division.groupId, error));
  }

  #end(): void {
    this.#stopped.abort();
    this.#stopAll();
  }

  #stopAll(): void {
    for (const stop of this.#running.values()) stop.abort();
    this.#running.clear();
  }

  async #disconnect(): Promise<void> {
    await Promise.all(
      [this.#parts.cluster.disconnect(), this.#parts.fetcher.close()].map((closed) => closed.catch(() => undefined)),
    );
  }
}
