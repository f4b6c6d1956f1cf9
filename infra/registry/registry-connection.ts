import type { Agent } from 'node:http';

/** How to reach a schema registry, and as whom. */
export type RegistryConnection = {
  /** Its Confluent-compatible API, without a slash at the end. */
  readonly url: string;
  /** The Authorization header; asked for with each request, so that renewed secrets need no restart. */
  readonly authorization?: () => string;
  /** Makes the connections; absent: Node's own. */
  readonly agent?: Agent;
  /** How long an answer may take, up to its end, ms; absent: 20 s. */
  readonly timeoutMs?: number;
  /** Ends all questions, and all waiting for what is missing: they fail as if the registry gave no answer. */
  readonly signal?: AbortSignal;
};
