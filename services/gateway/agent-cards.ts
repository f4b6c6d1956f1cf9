import type { AgentConfig } from '../../infra/config/config.js';
import { AgentUnreachableError } from '../../infra/http/agent-directory.js';
import { readEndpoint, type AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import type { CardAnswer, CardRequest } from '../../infra/http/card-fetch.js';
import type { Reach } from '../../infra/http/egress.js';
import { readCard } from '../../topology/agent/card-terms.js';
import { DEFAULT_CARD_TTL_MS } from '../../topology/policy.js';
import { atGateway } from './card-rewrite.js';

/** An agent's card as it was last good. Times in ms since the epoch. */
export type CardCopy = {
  readonly body: unknown;
  readonly held: NonNullable<CardAnswer['held']>;
  readonly freshUntil: number;
  /** Where it may lead. */
  readonly reach?: Reach;
};

export type FetchCard = (request: CardRequest) => Promise<CardAnswer>;

/** A card that could not be refreshed goes on being used; it is asked for again after so long, ms. */
const BACKOFF_MS = 5_000;

type Held = { copy?: CardCopy; fetching?: Promise<CardCopy | undefined>; triedAt?: number; failure?: string };

/**
 * The cards of the agents behind the gateway: where to send to, and what to show to clients. A failed refresh never
 * replaces a good card (R7), and routing never waits for a refresh where a card is held: it is made beside it.
 */
export class AgentCards {
  readonly #agents: ReadonlyMap<string, AgentConfig>;
  readonly #publicUrl: () => string;
  readonly #fetch: FetchCard;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();

  /** `publicUrl` is asked for when a card is shown: the port may be known only then. */
  constructor(
    agents: readonly AgentConfig[],
    publicUrl: () => string,
    fetch: FetchCard,
    now: () => number = () => Date.now(),
  ) {
    this.#agents = new Map(agents.map((agent) => [agent.id, agent]));
    this.#publicUrl = publicUrl;
    this.#fetch = fetch;
    this.#now = now;
  }

  knows(agentId: string): boolean {
    return this.#agents.has(agentId);
  }

  /** A card of the agent, with the gateway as its only interface. */
  atGateway(agentId: string, card: unknown): unknown {
    return atGateway(card, `${this.#publicUrl().replace(/\/+$/, '')}/agents/${encodeURIComponent(agentId)}`);
  }

  /** @throws AgentUnreachableError no card was ever read, or it names no JSON-RPC interface of version 1 */
  async endpoint(agentId: string): Promise<AgentEndpoint> {
    const held = this.#heldOf(agentId);
    const refreshing = this.#isStale(held) ? this.#refresh(agentId, held) : undefined;
    const { body, reach } = held.copy ?? (await refreshing) ?? this.#unread(agentId, held);
    const endpoint = readEndpoint(body, reach);
    if (endpoint !== undefined) return endpoint;
    throw new AgentUnreachableError(agentId, 'its card names no JSON-RPC interface of protocol 1.0', {
      retryable: true,
    });
  }

  /** The card, refreshed if it is stale and the agent answers. @throws AgentUnreachableError no card was ever read */
  async card(agentId: string): Promise<CardCopy> {
    const held = this.#heldOf(agentId);
    if (this.#isStale(held)) await this.#refresh(agentId, held);
    return held.copy ?? this.#unread(agentId, held);
  }

  #unread(agentId: string, { failure }: Held): never {
    const why = failure === undefined ? '' : ` (${failure})`;
    throw new AgentUnreachableError(agentId, `its card could not be read${why}`, { retryable: true });
  }

  #heldOf(agentId: string): Held {
    const held = this.#held.get(agentId) ?? {};
    this.#held.set(agentId, held);
    return held;
  }

  #isStale({ copy, triedAt }: Held): boolean {
    // Where there is nothing to fall back on every request may try.
    if (copy === undefined) return true;
    const now = this.#now();
    return now >= copy.freshUntil && (triedAt === undefined || now >= triedAt + BACKOFF_MS);
  }

  #refresh(agentId: string, held: Held): Promise<CardCopy | undefined> {
    held.fetching ??= this.#fetched(agentId, held).finally(() => {
      delete held.fetching;
      held.triedAt = this.#now();
    });
    return held.fetching;
  }

  async #fetched(agentId: string, held: Held): Promise<CardCopy | undefined> {
    const agent = this.#agents.get(agentId);
    if (agent === undefined) return undefined;
    const answer = await this.#fetch({
      url: agent.cardUrl,
      defaultTtlMs: DEFAULT_CARD_TTL_MS,
      ...(agent.serviceIdentity === undefined ? {} : { headers: agent.serviceIdentity.headers }),
      ...(held.copy === undefined ? {} : { held: held.copy.held }),
      ...(held.copy?.reach === undefined ? {} : { reach: held.copy.reach }),
    });
    const { body, expiresAt: freshUntil, httpStatus, reach, failure } = answer;
    const renewed = answer.held ?? held.copy?.held ?? {};
    if (httpStatus === 304 && failure === undefined && held.copy !== undefined)
      held.copy = { ...held.copy, held: renewed, freshUntil };
    // Half a card is no card (R7).
    const read = httpStatus === 200 && body?.kind === 'json' ? readCard(body.value) : undefined;
    if (read?.kind === 'card' && body?.kind === 'json')
      held.copy = { body: body.value, held: renewed, freshUntil, ...(reach === undefined ? {} : { reach }) };
    held.failure = read?.kind === 'invalid' ? read.reason : (failure ?? `HTTP ${httpStatus}`);
    return held.copy;
  }
}
