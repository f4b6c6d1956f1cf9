import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { TASK_STATES } from '../../../topology/task/task-state.js';
import { agent, policyChanged, policyOf, verificationOf } from '../../kit/decider-kit/agents.js';

/** The agents of the run, and one of which nothing is ever known. */
export const KNOWN_AGENTS = ['w1', 'w2', 'w3', 'w4'] as const;
export const UNKNOWN_AGENT = 'w-unknown';

const MODES = ['application/json', 'text/plain'];

const OUT_OF_DATE = {
  verified: TASK_STATES.filter((state) => state !== 'input-required' && state !== 'completed'),
  modes: MODES,
  against: 'w4-card-before',
};

/** How long an observation waits for evidence, ms. */
export const DEFER_MS = 2_000;

/** What is known before the first task: the policy in force, cards, verifications. */
export const meshAtFirst = (): readonly AgentRecord[] => [
  policyChanged(
    policyOf({
      substitutionGroups: [[...KNOWN_AGENTS]],
      recovery: 'always',
      deferTimeoutMs: DEFER_MS,
      refreshBackoffMs: 4 * DEFER_MS,
      // Unanswered redispatches are issued again within the run.
      dispatchDeadlineMs: 15_000,
      // All parked units at once: their turn within a walk is not on the log, so the oracle could not repeat it.
      reexaminePerSecond: 1_000_000,
    }),
  ),
  ...agent('w1', { provider: 'acme', modes: MODES, defaultOutputModes: MODES, durable: true }),
  ...agent('w2', { provider: 'acme', modes: MODES, defaultOutputModes: MODES }),
  ...agent('w3', { states: TASK_STATES.filter((state) => state !== 'auth-required'), defaultOutputModes: MODES }),
  // Verified against an older card: what it was not verified for waits for a verification, which comes or does not.
  ...agent('w4', { ...OUT_OF_DATE, defaultOutputModes: MODES }),
];

/** What becomes known while the run is under way: units that wait are looked at again. */
export const meshLater = (turn: number): AgentRecord =>
  verificationOf('w4', turn % 2 === 0 ? { ...OUT_OF_DATE, against: 'w4-card' } : OUT_OF_DATE);
