import { field, isObject, own, readBody, text } from '../../topology/a2a/json.js';
import type { AgentConfig } from '../config/config.js';
import { HoldfastError } from '../errors.js';

/** Where and how an agent is spoken to, as its card says. */
export type AgentEndpoint = {
  /** URL of its JSON-RPC interface of protocol 1.0. */
  readonly url: string;
  /** Has to be named in every request to this interface (SPEC section 8.3.2). */
  readonly tenant?: string;
  readonly streaming: boolean;
  /** URIs of the extensions that it declares. */
  readonly extensions: readonly string[];
};

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
  readonly ttlMs: number;
  readonly timeoutMs: number;
};

type Entry = { readonly endpoint: AgentEndpoint; readonly fetchedAt: number };

/**
 * The agents of the configuration, by the addresses on their cards. A card is fetched when it is asked for, once for all
 * who ask at the time; a refresh that fails leaves the last good one in force (R7). Judges nothing: that a card promises
 * something is the verifier's and the ledger's business.
 */
export class AgentDirectory {
  readonly #agents: ReadonlyMap<string, AgentConfig>;
  readonly #options: AgentDirectoryOptions;
  readonly #known = new Map<string, Entry>();
  readonly #asking = new Map<string, Promise<AgentEndpoint>>();

  constructor(agents: readonly AgentConfig[], options: AgentDirectoryOptions = { ttlMs: 60_000, timeoutMs: 5_000 }) {
    this.#agents = new Map(agents.map((agent) => [agent.id, agent]));
    this.#options = options;
  }

  /** @throws AgentUnreachableError */
  async interfaceUrl(agentId: string): Promise<string> {
    return (await this.endpoint(agentId)).url;
  }

  /** @throws AgentUnreachableError */
  async endpoint(agentId: string): Promise<AgentEndpoint> {
    const known = this.#known.get(agentId);
    if (known !== undefined && performance.now() - known.fetchedAt < this.#options.ttlMs) return known.endpoint;
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
    let card: unknown;
    try {
      const response = await fetch(cardUrl, {
        headers: { accept: 'application/json', 'a2a-version': '1.0', ...this.identityHeaders(agentId) },
        signal: AbortSignal.timeout(this.#options.timeoutMs),
      });
      if (!response.ok) throw new Error(`its card was answered with HTTP ${response.status}`);
      card = readBody(await response.text());
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AgentUnreachableError(agentId, `${cardUrl}: ${why}`, { retryable: true, cause });
    }
    const endpoint = readEndpoint(card);
    if (endpoint === undefined)
      throw new AgentUnreachableError(agentId, 'its card names no JSON-RPC interface of protocol 1.0', {
        retryable: true,
      });
    this.#known.set(agentId, { endpoint, fetchedAt: performance.now() });
    return endpoint;
  }
}

/** The first JSON-RPC interface of protocol 1.0, in the agent's own order of preference; `undefined`: it has none. */
export const readEndpoint = (card: unknown): AgentEndpoint | undefined => {
  const interfaces = field(card, 'supportedInterfaces');
  const usable: unknown = Array.isArray(interfaces) ? interfaces.find(isSpoken) : undefined;
  const url = text(own(usable, 'url'));
  if (url === undefined) return undefined;
  const tenant = text(own(usable, 'tenant'));
  const capabilities = own(card, 'capabilities');
  const extensions = own(capabilities, 'extensions');
  return {
    url,
    ...(tenant === undefined ? {} : { tenant }),
    streaming: own(capabilities, 'streaming') === true,
    extensions: Array.isArray(extensions) ? extensions.flatMap((one) => text(own(one, 'uri')) ?? []) : [],
  };
};

const isSpoken = (candidate: unknown): boolean => {
  const url = text(own(candidate, 'url'));
  return (
    isObject(candidate) &&
    field(candidate, 'protocolBinding') === 'JSONRPC' &&
    /^1(\.|$)/.test(text(field(candidate, 'protocolVersion')) ?? '') &&
    url !== undefined &&
    /^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')
  );
};
