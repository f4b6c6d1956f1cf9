import { readCard } from '../../topology/agent/card-terms.js';
import type { AgentConfig } from '../config/config.js';
import { HoldfastError } from '../errors.js';
import { readEndpoint, type AgentEndpoint } from './agent-endpoint.js';
import { fetchCard } from './card-fetch.js';
import { Egress } from './egress.js';

/** Where an agent is cannot be told: its card cannot be had, or names no interface that is spoken here. */
export class AgentUnreachableError extends HoldfastError {
  readonly agentId: string;

  constructor(agentId: string, why: string, options: { readonly retryable: boolean; readonly cause?: unknown }) {
    super(`agent ${agentId} cannot be reached: ${why}`, { code: 'HOLDFAST_AGENT_UNREACHABLE', ...options });
    this.agentId = agentId;
  }
}

export type AgentDirectoryOptions = {
  /** How long a card is taken at its word before it is fetched again, ms. */
  readonly ttlMs?: number;
  readonly egress?: Egress;
};

type Entry = { readonly endpoint: AgentEndpoint; readonly fetchedAt: number };

/**
 * The agents of the configuration, by the addresses on their cards. A card is fetched when it is asked for, once for all
 * who ask at the time; a refresh that fails leaves the last good one in force (R7). Judges nothing: that a card promises
 * something is the verifier's and the ledger's business.
 */
export class AgentDirectory {
  readonly #agents: ReadonlyMap<string, AgentConfig>;
  readonly #ttlMs: number;
  readonly #egress: Egress;
  readonly #known = new Map<string, Entry>();
  readonly #asking = new Map<string, Promise<AgentEndpoint>>();

  constructor(agents: readonly AgentConfig[], { ttlMs = 60_000, egress = new Egress() }: AgentDirectoryOptions = {}) {
    this.#agents = new Map(agents.map((agent) => [agent.id, agent]));
    this.#ttlMs = ttlMs;
    this.#egress = egress;
  }

  /** @throws AgentUnreachableError */
  async interfaceUrl(agentId: string): Promise<string> {
    return (await this.endpoint(agentId)).url;
  }

  /** @throws AgentUnreachableError */
  async endpoint(agentId: string): Promise<AgentEndpoint> {
    const known = this.#known.get(agentId);
    if (known !== undefined && performance.now() - known.fetchedAt < this.#ttlMs) return known.endpoint;
    try {
      return await this.#refresh(agentId);
    } catch (error) {
      if (known === undefined) throw error;
      return known.endpoint;
    }
  }

  /** Headers under which Holdfast itself asks this agent (R25); empty: it has no identity there. */
  identityHeaders(agentId: string): Readonly<Record<string, string>> {
    return this.#agents.get(agentId)?.serviceIdentity?.headers ?? {};
  }

  #refresh(agentId: string): Promise<AgentEndpoint> {
    const asking = this.#asking.get(agentId) ?? this.#fetch(agentId).finally(() => void this.#asking.delete(agentId));
    this.#asking.set(agentId, asking);
    return asking;
  }

  async #fetch(agentId: string): Promise<AgentEndpoint> {
    const cardUrl = this.#agents.get(agentId)?.cardUrl;
    if (cardUrl === undefined)
      throw new AgentUnreachableError(agentId, 'the configuration does not name it', { retryable: false });
    const before = this.#known.get(agentId)?.endpoint.reach;
    const { body, failure, reach } = await fetchCard({
      url: cardUrl,
      headers: this.identityHeaders(agentId),
      defaultTtlMs: this.#ttlMs,
      egress: this.#egress,
      ...(before === undefined ? {} : { reach: before }),
    });
    const faulty = (why: string): AgentUnreachableError =>
      new AgentUnreachableError(agentId, `${cardUrl}: ${why}`, { retryable: true });
    if (body?.kind !== 'json') throw faulty(failure ?? 'its card was not answered');
    const read = readCard(body.value);
    if (read.kind === 'invalid') throw faulty(read.reason);
    const endpoint = readEndpoint(body.value, reach);
    if (endpoint === undefined) throw faulty('its card names no JSON-RPC interface of protocol 1.0');
    this.#known.set(agentId, { endpoint, fetchedAt: performance.now() });
    return endpoint;
  }
}
