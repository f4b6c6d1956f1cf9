import type { Topology } from '../../topology/kit/topology.js';
import type { Clock } from './clock.js';
import type { Remedy } from './failure-policy.js';
import type { GlobalLog } from './global-log.js';
import type { QueueBounds } from './input-queue.js';
import type { StateStores, StreamClients } from './ports.js';
import type { WipeReason } from './changelog-restorer.js';
import type { Serdes } from './serdes.js';
import type { TransactionBounds } from './task-draft.js';

/** The numbered steps of the algorithm (A: assignment, P: processing). */
export type Step = 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'A7' | 'P1' | 'P2' | 'P3' | 'P4' | 'P5' | 'P6' | 'P7';

/** What the runtime tells about itself, for metrics, logs and tests. What these throw fails the group. */
export type StreamObserver = {
  /** A step is done. P2 to P4 happen inside the producer, so only its adapter could tell of them. */
  readonly onStep?: (step: Step, group: number) => void;
  readonly onFailure?: (group: number, error: unknown, remedy: Remedy) => void;
  readonly onRestored?: (
    partition: number,
    restored: { readonly wiped: WipeReason | undefined; readonly end: bigint },
  ) => void;
  /** A partition waits for something that cannot be asked just now. */
  readonly onBlocked?: (partition: number, error: unknown) => void;
};

export type StreamLimits = {
  /** Of one partition in one transaction. */
  readonly transaction: TransactionBounds;
  /** Of one partition, fetched and waiting. */
  readonly queue: QueueBounds;
  /** Decoded states kept per partition, and timers. */
  readonly cachedKeys: number;
  readonly timers: number;
  /** A store not written for longer is restored from the beginning; half of the changelog's delete.retention.ms. */
  readonly storeMaxAgeMs: number;
  /** Pause before the second attempt in a row; doubles up to the most. */
  readonly retryMs: number;
  readonly retryMostMs: number;
  /** How long a fenced group waits for the rebalance that explains it. */
  readonly assignmentProofMs: number;
};

export const DEFAULT_LIMITS: StreamLimits = {
  transaction: { inputs: 3_000, outputBytes: 512 * 1024 },
  queue: { records: 12_000, bytes: 8 * 1024 * 1024 },
  cachedKeys: 20_000,
  timers: 2_000,
  storeMaxAgeMs: 12 * 60 * 60 * 1000,
  retryMs: 100,
  retryMostMs: 10_000,
  assignmentProofMs: 60_000,
};

/** Everything that the task groups of one instance share. */
export type StreamContext<Input, GlobalInput, State, Shared, Global> = {
  readonly topology: Topology<Input, GlobalInput, State, Shared, Global>;
  readonly clients: StreamClients;
  readonly stores: StateStores;
  readonly serdes: Serdes;
  readonly clock: Clock;
  readonly observer: StreamObserver;
  readonly limits: StreamLimits;
  readonly globals: GlobalLog<Input, GlobalInput, State, Shared, Global>;
  readonly partitions: number;
  readonly groups: number;
  /** Makes up the incarnation of a changelog. */
  readonly newIncarnation: () => string;
};
