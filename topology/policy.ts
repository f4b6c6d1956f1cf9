import type { TaskState } from './task/task-state.js';

/** How lost tasks are recovered (R41). */
export type Recovery = 'off' | 'manual' | 'always';
/** Whether violations are passed on or refused at the gateway (R41). */
export type ContractMode = 'observe' | 'enforce';

/**
 * The effective configuration that decisions depend on. Published on the agents topic, so that its version in a verdict
 * names what was in force. Durations in ms.
 */
export type Policy = {
  readonly deferTimeoutMs: number;
  readonly refreshBackoffMs: number;
  readonly staleAfterMs: number;
  readonly stalledAfterMs: number;
  readonly indeterminateAfterMs: number;
  readonly maxAttempts: number;
  readonly dispatchDeadlineMs: number;
  readonly sendDeadlineMs: number;
  readonly inputRetentionMs: number;
  readonly retainForMs: number;
  /** Units looked at again per second and agent once it can take them (R35). */
  readonly reexaminePerSecond: number;
  readonly trust: 'verify' | 'homogeneous-durable';
  /** Absent: `always` inside a configured substitution group, else `manual` (R41). */
  readonly recovery?: Recovery;
  readonly contract: ContractMode;
  readonly unverified: 'probe-first' | 'trust' | 'refuse';
  /** States that no probe can force: verified by assumption while advertised (R13). Empty is strict. */
  readonly assume: readonly TaskState[];
  /** Agent IDs, most preferred first (R33). */
  readonly preference: readonly string[];
  /** Absent and empty alike: no group is configured. */
  readonly substitutionGroups: readonly (readonly string[])[];
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Defaults of RULES.md section 13, as far as decisions depend on them. */
export const DEFAULT_POLICY: Policy = {
  deferTimeoutMs: 30 * SECOND,
  refreshBackoffMs: 60 * SECOND,
  staleAfterMs: 15 * MINUTE,
  stalledAfterMs: HOUR,
  indeterminateAfterMs: HOUR,
  maxAttempts: 3,
  dispatchDeadlineMs: 60 * SECOND,
  sendDeadlineMs: 60 * SECOND,
  inputRetentionMs: 7 * DAY,
  retainForMs: 30 * DAY,
  reexaminePerSecond: 50,
  trust: 'verify',
  contract: 'observe',
  unverified: 'probe-first',
  assume: ['submitted', 'working', 'failed', 'rejected', 'canceled'],
  preference: [],
  substitutionGroups: [],
};

/** Freshness of a card whose response says nothing (R7), and lifetime of a verification (R9), in ms. */
export const DEFAULT_CARD_TTL_MS = 300 * SECOND;
export const DEFAULT_VERIFICATION_TTL_MS = DAY;
