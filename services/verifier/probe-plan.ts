import type { CanaryConfig } from '../../infra/config/config.js';
import type { AgentContract } from '../../topology/agent/contracts.js';
import { isOlderThanCard } from '../../topology/agent/standing.js';

/** Why an agent is to be probed (R11, R43). */
export type ProbeReason = 'first contact' | 'changed card' | 'expired verification' | 'evidence against it';

/** All that decides what is done next for an agent. Times in ms since the epoch. */
export type Situation = {
  readonly now: number;
  readonly agent: AgentContract;
  readonly card: {
    /** Its body was read by this process: only then it is known where the agent is. */
    readonly held: boolean;
    /** When it is looked at again: its expiry, and a little more so that agents do not all come at once. */
    readonly dueAt: number;
    /** End of the last fetch; absent: none yet. */
    readonly checkedAt?: number;
    /** Fetches that failed since the last good one. */
    readonly failures: number;
    /** Looks in a row that each found another card. */
    readonly changes: number;
    /** Somebody waits for an answer (R8). */
    readonly asked: boolean;
  };
  readonly canaries: readonly CanaryConfig[];
  readonly probe: {
    /** Probes since the last one that came to an end. */
    readonly failures: number;
    readonly endedAt?: number;
    /** When canary tasks were begun, in order. */
    readonly begun: readonly number[];
    /** Canary tasks per day (R43). */
    readonly budget: number;
  };
};

export type NextStep =
  | { readonly kind: 'fetch-card' }
  | { readonly kind: 'probe'; readonly reason: ProbeReason; readonly canaries: readonly CanaryConfig[] }
  /** `until` absent: nothing will be due by itself. */
  | { readonly kind: 'wait'; readonly until?: number };

const DAY_MS = 24 * 60 * 60 * 1_000;
const FIRST_RETRY_MS = 1_000;
const LAST_CARD_RETRY_MS = 60_000;
/** Each new card is a record that is kept for ever, and a probe: one that is another at every look is looked at less. */
const LAST_CHANGE_MS = 60 * 60_000;
/** A probe that comes to no end has cost a canary task all the same. */
const LAST_PROBE_RETRY_MS = 15 * 60_000;
/** Cards that must always be revalidated, or for a second, are looked at this often: nobody is flooded. */
export const LEAST_BETWEEN_CHECKS_MS = 5_000;

/** How long to wait after so many failures in a row, `most` at most, ms. */
export const backoff = (failures: number, most: number): number =>
  failures === 0 ? 0 : Math.min(most, FIRST_RETRY_MS * 2 ** (failures - 1));

/** Why the verification in force is not what it should be; `undefined`: it is (R11). */
export const probeReason = (agent: AgentContract, now: number): ProbeReason | undefined => {
  if (agent.verification === undefined) return 'first contact';
  if (isOlderThanCard(agent)) return 'changed card';
  if (agent.needsProbe) return 'evidence against it';
  return now >= agent.verification.expiresAt ? 'expired verification' : undefined;
};

/**
 * What to do for an agent now. Cards first: a probe is verified against the card in force, and while the card cannot be
 * had the agent is most likely down. A removed agent is left alone (R57).
 */
export const nextStep = (situation: Situation): NextStep => {
  const { now, agent, card, canaries } = situation;
  if (agent.removed) return { kind: 'wait' };
  const cardDue = cardDueAt(card, now);
  if (card.asked || now >= cardDue) return { kind: 'fetch-card' };
  const reason = probeReason(agent, now);
  const possible = card.held && agent.card !== undefined && card.failures === 0 && canaries.length > 0;
  if (!possible) return { kind: 'wait', until: cardDue };
  if (reason === undefined) {
    return { kind: 'wait', until: Math.min(cardDue, agent.verification?.expiresAt ?? cardDue) };
  }
  const affordable = canaries.slice(0, situation.probe.budget);
  const probeDue = probeDueAt(situation, affordable.length);
  if (now >= probeDue) return { kind: 'probe', reason, canaries: affordable };
  return { kind: 'wait', until: Math.min(cardDue, probeDue) };
};

const cardDueAt = ({ held, dueAt, checkedAt, failures, changes }: Situation['card'], now: number): number => {
  if (checkedAt === undefined) return now;
  const pause = Math.max(LEAST_BETWEEN_CHECKS_MS, backoff(changes, LAST_CHANGE_MS));
  const earliest = checkedAt + (failures > 0 ? backoff(failures, LAST_CARD_RETRY_MS) : pause);
  return held && failures === 0 ? Math.max(earliest, dueAt) : earliest;
};

/**
 * Half of the budget may be used at any time, so that an agent is verified soon after a loss; the rest is spread over the
 * day, so that one that goes on losing tasks, or hangs, is looked at again today, and not with the next budget.
 */
const probeDueAt = ({ now, probe }: Situation, wanted: number): number => {
  const { failures, endedAt, begun, budget } = probe;
  const retry = endedAt === undefined ? 0 : endedAt + backoff(failures, LAST_PROBE_RETRY_MS);
  // So many of the latest must be older than a day before the budget has room for all that is wanted.
  const hindering = begun[begun.length - 1 - (budget - wanted)];
  const room = hindering === undefined ? 0 : hindering + DAY_MS;
  const isHalfUsed = begun.filter((time) => time > now - DAY_MS).length >= budget / 2;
  const spread = isHalfUsed ? (begun.at(-1) ?? 0) + (DAY_MS / budget) * wanted : 0;
  return Math.max(retry, room, spread);
};
