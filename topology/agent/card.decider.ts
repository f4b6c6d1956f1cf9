import type { CardVerdict } from '../vocabulary.js';
import type { CardAccepted, CardRefused, CardRevalidated, CardTerms } from './agent-records.js';
import type { AgentContract } from './contracts.js';

/** The answer to one fetch of an agent's card. Freshness and hash are computed by whoever fetched. Times in ms. */
export type CardFetched = {
  readonly agentId: string;
  /** 0: no answer. */
  readonly httpStatus: number;
  readonly etag?: string;
  /** Until when the answer is fresh by RFC 9111 (R7). */
  readonly expiresAt: number;
  /** The body as read; absent where there was none (304, an error). */
  readonly body?:
    | { readonly kind: 'card'; readonly hash: string; readonly terms: CardTerms; readonly version?: string }
    | { readonly kind: 'invalid'; readonly reason: string };
  /** What went wrong with it, for people. */
  readonly failure?: string;
  /** Absent: signatures are not checked. */
  readonly signatureValid?: boolean;
};

export type CardJudgement = {
  readonly verdict: CardVerdict;
  readonly reason: string;
  /** What to publish on the agents topic; absent: nothing. */
  readonly record?: CardAccepted | CardRevalidated | CardRefused;
};

/**
 * Judges a card fetch (R6, R7): only a good body that differs is a new card; what fails never replaces a good one, and is
 * an answer all the same (R8). A removed agent's card is nobody's business any more (R57).
 */
export const judgeCard = (agent: AgentContract, fetched: CardFetched): CardJudgement => {
  const { agentId, httpStatus, expiresAt, body, failure } = fetched;
  if (agent.removed) return { verdict: 'ignored', reason: 'the agent was removed' };
  const refused = (reason: string): CardJudgement => ({
    verdict: 'rejected-card',
    reason,
    record: { type: 'CardRefused', agentId, reason },
  });
  const etag = fetched.etag === undefined ? {} : { etag: fetched.etag };
  const renewed = (hash: string): CardJudgement => ({
    verdict: 'revalidated',
    reason: 'the card in force is confirmed',
    record: { type: 'CardRevalidated', agentId, hash, ...etag, expiresAt },
  });
  if (httpStatus === 304) {
    if (failure !== undefined) return refused(failure);
    return agent.card === undefined ? refused('304, but no card is held') : renewed(agent.card.hash);
  }
  if (httpStatus === 0) return refused(failure === undefined ? 'no answer' : `no answer: ${failure}`);
  if (httpStatus < 200 || httpStatus > 299) return refused(failure ?? `HTTP ${httpStatus}`);
  if (body === undefined) return refused('the body is empty');
  if (body.kind === 'invalid') return refused(body.reason);
  if (fetched.signatureValid === false) return refused('the signature does not hold');
  if (agent.card?.hash === body.hash) return renewed(body.hash);
  const { hash, terms } = body;
  const version = body.version === undefined ? {} : { version: body.version };
  return {
    verdict: 'accepted',
    reason: 'a new card body',
    record: { type: 'CardAccepted', agentId, hash, terms, ...version, ...etag, expiresAt },
  };
};
