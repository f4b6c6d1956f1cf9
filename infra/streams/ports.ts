/**
 * What the stream runtime needs from the outside: a log (Kafka), a lock (the transactional ID's epoch) and a store.
 * Adapters translate a library into these and its failures into `HoldfastError`s; nothing else may touch a client.
 */

import type { QuarantineReason } from '../../topology/vocabulary.js';

export type PartitionRef = { readonly topic: string; readonly partition: number };

/** A record as it lies on the log. `time`: append time, ms since the epoch. */
export type LogRecord = PartitionRef & {
  /**
   * Why the record cannot be had out of its batch; it then has neither key nor value nor headers. Whoever reads takes it
   * for one that cannot be decoded.
   */
  readonly unreadable?: { readonly reason: QuarantineReason; readonly detail: string };
  readonly offset: bigint;
  readonly time: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
};

export type NewRecord = PartitionRef & {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
};

export type Position = PartitionRef & { readonly offset: bigint };

/**
 * Records of one partition in order, as fetched. Empty where the log holds nothing readable there (aborted
 * transactions, control records, compacted away): `next` moves on all the same.
 */
export type Fetched = PartitionRef & {
  readonly records: readonly LogRecord[];
  /**
   * The offset that was asked for: the `next` of the delivery before, or the offset given to `run` or `read`. The runtime
   * refuses a delivery that does not join the one before, so that a late answer can never skip records.
   */
  readonly from: bigint;
  /** The offset to read from next. */
  readonly next: bigint;
};

/**
 * Holds the lock of one transactional ID. One transaction at a time, never two calls in flight.
 * After any rejected call it is dead: close it, fence again, restore (algorithm A2-A7); there is no retry and no abort.
 */
export type TransactionalProducer = {
  /**
   * One transaction: every record (explicit partitions, one batch a partition), then the source positions as group
   * offsets, then the commit. Resolves with each partition's base offset once the commit was acknowledged.
   * @throws FencedError another owner holds the lock; BrokerError anything else, outcome unknown
   */
  readonly commit: (transaction: {
    readonly records: readonly NewRecord[];
    readonly positions: readonly Position[];
  }) => Promise<readonly (PartitionRef & { readonly baseOffset: bigint })[]>;
  readonly close: () => Promise<void>;
};

/** Reads without a group. Read committed, always. */
export type LogReader = {
  /** First offset held and last stable offset + 1 of each partition. */
  readonly bounds: (
    partitions: readonly PartitionRef[],
  ) => Promise<readonly (PartitionRef & { readonly low: bigint; readonly end: bigint })[]>;
  /**
   * Reads from `from`, calling `onFetched` in order and waiting for it, until `next` reaches `to`. Without `to` it
   * follows the log until `signal` aborts. @throws OffsetLostError `from` lies before the first offset held
   */
  readonly read: (
    partition: PartitionRef,
    range: { readonly from: bigint; readonly to?: bigint },
    onFetched: (fetched: Fetched) => Promise<void>,
    signal?: AbortSignal,
  ) => Promise<void>;
};

/** What membership calls the runtime for. Group membership is a hint; the lock is the producer's epoch (invariant 2). */
export type MembershipEvents = {
  /**
   * The task groups this member should run from now on; called once for each generation, even when they are the same,
   * before anything is fetched. What ran before is paused again: the runtime names every position anew.
   */
  readonly onAssigned: (groups: readonly number[]) => void;
  /** Resolving it asks for more: what is awaited here is the back-pressure. */
  readonly onFetched: (fetched: Fetched) => Promise<void>;
  /** The membership is over and will not come back by itself: the instance fails. */
  readonly onFailed: (error: Error) => void;
};

/** A membership of the application's consumer group. Everything assigned is paused until `run` names a position. */
export type Membership = {
  /** Delivers `partition` from `offset` on, also when it is running already; what was under way is dropped. */
  readonly run: (partition: PartitionRef, offset: bigint) => void;
  readonly pause: (partition: PartitionRef) => void;
  /**
   * Resolves when, after the call, the coordinator has confirmed that this membership is of the current generation: the
   * next heartbeat that is answered without complaint. Never resolves otherwise. A fenced group waits for it, or for a new
   * assignment, before it takes the lock again; an adapter without it leaves only the assignment.
   */
  readonly confirm?: () => Promise<void>;
  /** Leaves the group. */
  readonly leave: () => Promise<void>;
};

export type StreamClients = {
  /**
   * Takes the lock: InitProducerId, which fences the holder before and settles its open transaction. When it resolves,
   * everything that will ever be committed under earlier epochs is visible.
   */
  readonly fence: (transactionalId: string) => Promise<TransactionalProducer>;
  readonly reader: LogReader;
  /** Number of partitions of each topic. @throws TopicMissingError */
  readonly partitionCounts: (topics: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /**
   * Joins the consumer group. Task group k of G holds the partitions p of `source` with p mod G = k and is assigned as a
   * whole; `owned` (this instance's warm groups) are preferred.
   */
  readonly join: (
    subscription: {
      readonly groupId: string;
      readonly source: string;
      readonly partitions: number;
      readonly groups: number;
      readonly instanceId: string;
    },
    events: MembershipEvents,
  ) => Promise<Membership>;
  readonly close: () => Promise<void>;
};

/** One partition's store on this machine. Keys are ordered by their UTF-8 bytes. */
export type StateStore = {
  readonly getMany: (keys: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /** Entries with `from` <= key < `to`, in order, at most `limit`. */
  readonly range: (range: {
    readonly from: string;
    readonly to: string;
    readonly limit: number;
  }) => Promise<readonly (readonly [key: string, value: Uint8Array])[]>;
  /** Atomic. `undefined` deletes. */
  readonly write: (entries: readonly (readonly [key: string, value: Uint8Array | undefined])[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The stores of one instance. Every rejection but `StoreLockedError` means: wipe and restore. */
export type StateStores = {
  /**
   * Opens or creates. `trusted: false`: what it holds may have holes (the machine went down with it open), so wipe it.
   * @throws StoreLockedError another process has it open
   */
  readonly open: (name: string) => Promise<{ readonly store: StateStore; readonly trusted: boolean }>;
  /** Removes a closed store from the disk. */
  readonly wipe: (name: string) => Promise<void>;
};
