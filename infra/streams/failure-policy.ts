import { HoldfastError, type ErrorCode } from '../errors.js';

/** What a failure leads to. There is no fourth way: in particular no "abort and go on" (invariant 4). */
export type Remedy =
  /** The same again, later; nothing was begun. */
  | { readonly action: 'retry' }
  /** Producer and uncommitted state are thrown away; the group goes through A2-A7 again. */
  | { readonly action: 'restart'; readonly wipe: boolean; readonly afterAssignment: boolean }
  /** The instance fails, readably. */
  | { readonly action: 'stop' };

const RETRY: Remedy = { action: 'retry' };
const RESTART: Remedy = { action: 'restart', wipe: false, afterAssignment: false };
const RESTART_WIPED: Remedy = { action: 'restart', wipe: true, afterAssignment: false };
const RESTART_AS_MEMBER: Remedy = { action: 'restart', wipe: false, afterAssignment: true };
const STOP: Remedy = { action: 'stop' };

type StreamErrorCode = Extract<ErrorCode, `HOLDFAST_STREAM_${string}`> | 'HOLDFAST_KAFKA_RECORD_TOO_LARGE';

/** By error code. A task group has no other opinion on errors. */
export const REMEDIES: Readonly<Record<StreamErrorCode, Remedy>> = {
  HOLDFAST_STREAM_BROKER: RESTART,
  HOLDFAST_STREAM_FENCED: RESTART_AS_MEMBER,
  HOLDFAST_STREAM_STORE_LOCKED: RESTART,
  HOLDFAST_STREAM_STORE_FAILED: RESTART_WIPED,
  // A topic whose limit is too low: its group waits for somebody to raise it, which needs no restart; the others go on.
  HOLDFAST_KAFKA_RECORD_TOO_LARGE: RESTART,
  HOLDFAST_STREAM_OFFSET_LOST: STOP,
  HOLDFAST_STREAM_TOPIC_MISSING: STOP,
  HOLDFAST_STREAM_PARTITIONS_UNEQUAL: STOP,
  HOLDFAST_STREAM_TASK_CORRUPTED: STOP,
  HOLDFAST_STREAM_STATE_LOST: STOP,
  HOLDFAST_STREAM_PROCESSOR_FAULT: STOP,
  HOLDFAST_STREAM_BASE_OFFSET: STOP,
  HOLDFAST_STREAM_REPEATEDLY_FENCED: STOP,
  HOLDFAST_STREAM_MEMBERSHIP_LOST: STOP,
  HOLDFAST_STREAM_TOPOLOGY_INVALID: STOP,
};

/** Total. An error of another area (the schema registry) is retried if it says so; an unknown one is a bug. */
export const remedyFor = (error: unknown): Remedy => {
  if (!(error instanceof HoldfastError)) return STOP;
  const { code, retryable } = error;
  return isOfStreams(code) ? REMEDIES[code] : retryable ? RETRY : STOP;
};

const isOfStreams = (code: ErrorCode): code is StreamErrorCode => code in REMEDIES;
