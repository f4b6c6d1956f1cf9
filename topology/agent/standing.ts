import type { Wait, Waits } from '../decision.js';
import type { ViolationCode } from '../vocabulary.js';
import type { AgentContract, Contracts } from './contracts.js';

/** Whether the evidence for a refusal may be out of date, and what would bring it up to date (R8). */
export type Standing =
  | { readonly kind: 'convicts' }
  /** `ask`: nobody in this partition has asked yet. */
  | { readonly kind: 'out-of-date'; readonly awaits: 'card' | 'verification'; readonly ask: boolean };

const CONVICTS: Standing = { kind: 'convicts' };
const ADVERTISED: readonly ViolationCode[] = ['state-not-advertised', 'mode-not-advertised'];
const VERIFIED: readonly ViolationCode[] = ['state-not-verified', 'mode-not-verified'];

/**
 * A fresh card convicts at once, an expired one only where a refresh was tried in vain within `refreshBackoff`; a
 * verification convicts where it was made against the card in force (R8).
 */
export const standingOf = (
  code: ViolationCode,
  agent: AgentContract,
  { policy }: Contracts,
  waits: Waits,
  now: number,
): Standing => {
  const { deferTimeoutMs, refreshBackoffMs } = policy;
  const asked = waits.get(agent.agentId);
  if (ADVERTISED.includes(code)) {
    if (agent.card === undefined || now < agent.card.expiresAt) return CONVICTS;
    if (agent.refreshFailedAt !== undefined && now < agent.refreshFailedAt + refreshBackoffMs) return CONVICTS;
    const open = asked?.card !== undefined && (agent.answeredAt ?? -1n) <= asked.card.agentsOffset;
    return outOfDate('card', open ? asked.card : undefined, now, deferTimeoutMs, refreshBackoffMs);
  }
  if (VERIFIED.includes(code) && isOlderThanCard(agent)) {
    const open =
      asked?.verification !== undefined && (agent.verification?.revision ?? -1n) <= asked.verification.agentsOffset;
    return outOfDate('verification', open ? asked.verification : undefined, now, deferTimeoutMs, refreshBackoffMs);
  }
  return CONVICTS;
};

const outOfDate = (
  awaits: 'card' | 'verification',
  open: Wait | undefined,
  now: number,
  timeout: number,
  backoff: number,
): Standing => {
  if (open === undefined) return { kind: 'out-of-date', awaits, ask: true };
  const unansweredAt = open.since + timeout;
  if (now < unansweredAt) return { kind: 'out-of-date', awaits, ask: false };
  return now < unansweredAt + backoff ? CONVICTS : { kind: 'out-of-date', awaits, ask: true };
};

/** Verified against another card than the one in force. Never verified: nothing that could be older. */
export const isOlderThanCard = ({ verification, card }: AgentContract): boolean =>
  verification !== undefined && card !== undefined && verification.cardHash !== card.hash;
