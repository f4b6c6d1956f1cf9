import { callAgent } from '../../infra/http/agent-client.js';
import { AgentUnreachableError, type AgentDirectory } from '../../infra/http/agent-directory.js';
import type { WireObservation } from '../../topology/a2a/exchange.js';
import { observe } from '../../topology/a2a/observe.js';
import type { Asker } from '../../topology/observation.js';
import type { AgentSlots } from './agent-slots.js';
import { requestHeaders } from './redispatch-request.js';

export type Question = {
  readonly method: 'GetTask' | 'CancelTask' | 'ListTasks';
  readonly agentId: string;
  readonly unit: { readonly tenant?: string; readonly correlationId: string };
  /** The task; of ListTasks the context that is searched. */
  readonly about: string;
  /** Over a connection of its own: another replica may answer than the one before (R36). */
  readonly fresh?: boolean;
};

const LISTED = 100;
/** After more, a timer of Node fires at once. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** Holdfast's own questions to agents, under its service identity (R25). */
export class AgentQuestions {
  readonly #directory: AgentDirectory;
  readonly #slots: AgentSlots;
  readonly #timeoutMs: number;

  constructor(directory: AgentDirectory, slots: AgentSlots, timeoutMs: number) {
    this.#directory = directory;
    this.#slots = slots;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Asks, and says what was observed: never nothing, for an agent that cannot be asked is an observation too. Rejects only
   * when `stop` aborts: then it was not asked.
   */
  async ask(question: Question, stop: AbortSignal): Promise<readonly WireObservation[]> {
    const { agentId, unit } = question;
    const release = await this.#slots.take(agentId, stop);
    try {
      const endpoint = await this.#directory.endpoint(agentId);
      const tenant = endpoint.tenant ?? unit.tenant;
      const exchange = await callAgent({
        url: endpoint.url,
        ...(endpoint.reach === undefined ? {} : { reach: endpoint.reach }),
        body: {
          jsonrpc: '2.0',
          id: `${question.method}:${question.about}`,
          method: question.method,
          params: { ...(tenant === undefined ? {} : { tenant }), ...paramsOf(question) },
        },
        headers: requestHeaders(endpoint, this.#directory.identityHeaders(agentId)),
        timeoutMs: this.#timeoutMs,
        // A body that drips is never silent for long.
        signal: AbortSignal.any([stop, AbortSignal.timeout(Math.min(2 * this.#timeoutMs, MOST_TIMER_MS))]),
        ...(question.fresh === undefined ? {} : { fresh: question.fresh }),
      });
      stop.throwIfAborted();
      return observe(exchange, unit, agentId, BY_HOLDFAST);
    } catch (error) {
      if (error instanceof AgentUnreachableError) return [notAsked(question)];
      throw error;
    } finally {
      release();
    }
  }
}

export const BY_HOLDFAST: { readonly by: Asker } = { by: 'holdfast' };

const paramsOf = ({ method, about }: Question): Readonly<Record<string, unknown>> => {
  switch (method) {
    case 'GetTask':
      return { id: about, historyLength: 0 };
    case 'CancelTask':
      return { id: about };
    case 'ListTasks':
      return { contextId: about, pageSize: LISTED };
  }
};

const notAsked = ({ method, agentId, unit, about }: Question): WireObservation => ({
  type: 'ExchangeObserved',
  ...unit,
  agentId,
  ...(method === 'ListTasks' ? {} : { serverTaskId: about }),
  binding: 'JSONRPC',
  method,
  httpStatus: 0,
  error: 'unreachable',
  by: 'holdfast',
});
