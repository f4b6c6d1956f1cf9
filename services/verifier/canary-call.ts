import { randomUUID } from 'node:crypto';
import type { AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import { callAgent } from '../../infra/http/agent-client.js';
import type { WireObservation, WireRequest } from '../../topology/a2a/exchange.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import { observe } from '../../topology/a2a/observe.js';
import { beginStream, endStream, observeEvent } from '../../topology/a2a/observe-stream.js';
import { witnessOf } from '../../topology/a2a/observe.js';
import { readRequest } from '../../topology/a2a/request.js';
import type { AgentRequest } from './canary-message.js';

/** Where and as whom a probe speaks. */
export type Line = {
  readonly agentId: string;
  readonly endpoint: AgentEndpoint;
  /** Holdfast's own identity there (R25). */
  readonly headers: Readonly<Record<string, string>>;
  readonly correlationId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

type Options = {
  /** A connection of its own (R43). */
  readonly fresh?: boolean;
  /** Leaves a stream early: agents may keep one open as long as a task waits. */
  readonly enough?: (seen: WireObservation) => boolean;
};

/** One exchange of a probe, read as every observer reads it. Never rejects: no answer is an observation, too. */
export const exchange = async (
  line: Line,
  { method, params }: AgentRequest,
  { fresh = false, enough = () => false }: Options = {},
): Promise<readonly WireObservation[]> => {
  const { agentId, endpoint, headers, correlationId, timeoutMs, signal } = line;
  const unit = { correlationId };
  const asker = { by: 'holdfast' } as const;
  const declared = endpoint.extensions.includes(LIFECYCLE_EXTENSION);
  const request = {
    binding: 'JSONRPC',
    headers: { 'a2a-version': '1.0', ...(declared ? { 'a2a-extensions': LIFECYCLE_EXTENSION } : {}), ...headers },
    body: { jsonrpc: '2.0', id: randomUUID(), method, params },
  } as const satisfies WireRequest;
  const asked = readRequest(request);
  const witness = witnessOf(asked, unit, agentId, asker);
  const leaving = new AbortController();
  const seen: WireObservation[] = [];
  let place = beginStream(asked.serverTaskId);
  const call = {
    url: endpoint.url,
    ...(endpoint.reach === undefined ? {} : { reach: endpoint.reach }),
    body: request.body,
    headers: request.headers,
    timeoutMs,
    fresh,
    signal: AbortSignal.any([signal, leaving.signal]),
  };
  const { answer } = await callAgent(call, (event, head) => {
    if (leaving.signal.aborted) return Promise.resolve();
    const step = observeEvent(witness, place, head, event);
    place = step.place;
    seen.push(...step.observations);
    if (step.observations.some(enough)) leaving.abort();
    return Promise.resolve();
  });
  if (!('events' in answer)) return observe({ kind: 'call', request, answer }, unit, agentId, asker);
  const { events: _, ended, ...head } = answer;
  return [...seen, ...endStream(witness, place, head, leaving.signal.aborted ? 'clean' : ended)];
};
