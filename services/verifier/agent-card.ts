import type { CardAnswer } from '../../infra/http/card-fetch.js';
import { readEndpoint, type AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import type { CacheHeaders } from '../../infra/http/card-freshness.js';
import type { Reach } from '../../infra/http/egress.js';
import { cardHash } from '../../infra/http/card-hash.js';
import { readCard } from '../../topology/agent/card-terms.js';
import type { CardFetched, CardJudgement } from '../../topology/agent/card.decider.js';
import type { AgentContract } from '../../topology/agent/contracts.js';

/** What is held of the card in force. Where the agent is, is not on the topic. */
export type HeldCard = {
  /** Absent: it names no interface that is spoken here. */
  readonly endpoint?: AgentEndpoint;
  readonly headers: CacheHeaders;
  /** Where it may lead. */
  readonly reach?: Reach;
};

/** A card answer as it is judged (R6, R7). */
export const cardFetched = (agentId: string, answer: CardAnswer): CardFetched => {
  const { httpStatus, etag, expiresAt, body, failure } = answer;
  const head = {
    agentId,
    httpStatus,
    ...(etag === undefined ? {} : { etag }),
    expiresAt,
    ...(failure === undefined ? {} : { failure }),
  };
  if (body === undefined) return head;
  if (body.kind === 'invalid') return { ...head, body };
  const read = readCard(body.value);
  if (read.kind === 'invalid') return { ...head, body: read };
  return { ...head, body: { ...read, hash: cardHash(body.value) } };
};

/** What is held after an answer that was judged to be good. */
export const holdCard = (before: HeldCard | undefined, { body, held = {}, reach }: CardAnswer): HeldCard => {
  if (body?.kind !== 'json') return { ...before, headers: held };
  const endpoint = readEndpoint(body.value, reach);
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    headers: held,
    ...(reach === undefined ? {} : { reach }),
  };
};

/** A confirmation that nobody waits for is written at most this often: the agents topic is kept for ever. */
const LEAST_BETWEEN_RENEWALS_MS = 60_000;

/**
 * Whether a judgement is worth a record. A new card always is, and whatever answers a question (R8). Other confirmations
 * and failures are where the last one is a while ago, so that a card of a few seconds, or an agent that is down, does not
 * fill the topic; until then the contract says less than is known, and whoever needs more asks.
 */
export const isWorthARecord = (
  { verdict }: CardJudgement,
  agent: AgentContract,
  { asked, now, writtenAt }: { readonly asked: boolean; readonly now: number; readonly writtenAt: number | undefined },
): boolean => {
  if (verdict === 'accepted' || asked || writtenAt === undefined) return true;
  // It is back, or gone, since the last record.
  if ((verdict === 'rejected-card') !== (agent.refreshFailedAt !== undefined)) return true;
  return now >= writtenAt + LEAST_BETWEEN_RENEWALS_MS;
};
