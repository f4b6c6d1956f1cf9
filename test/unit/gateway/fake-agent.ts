import type { AgentCall, AgentExchange, callAgent } from '../../../infra/http/agent-client.js';
import type { BodyAnswer } from '../../../topology/a2a/exchange.js';

/** What a fake agent answers: a body, or the events of a stream as JSON-RPC results or errors. */
export type FakeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly events: readonly ({ readonly result: unknown } | { readonly error: unknown })[]; readonly broken?: true }
  | { readonly raw: BodyAnswer; readonly headers?: Readonly<Record<string, string>> };

export type Asked = { readonly method: string; readonly params: Record<string, unknown>; readonly call: AgentCall };

/** Agents at `http://<agent ID>/rpc`, each a function of what it is asked. */
export class FakeAgents {
  /** Everything asked, with the agent's ID. */
  readonly asked: (Asked & { readonly agentId: string })[] = [];
  readonly #agents = new Map<string, (asked: Asked) => FakeAnswer | Promise<FakeAnswer>>();

  set(agentId: string, answer: (asked: Asked) => FakeAnswer | Promise<FakeAnswer>): void {
    this.#agents.set(agentId, answer);
  }

  readonly call: typeof callAgent = async (call, onEvent): Promise<AgentExchange> => {
    const agentId = new URL(call.url).hostname;
    const { method, params } = call.body as { method: string; params: Record<string, unknown> };
    this.asked.push({ agentId, method, params, call });
    const request = {
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0', ...call.headers },
      body: call.body,
    } as const;
    const answer = await this.#agents.get(agentId)?.({ method, params, call });
    if (answer === undefined) return { kind: 'call', request, answer: { status: 0, error: 'refused' } };
    if ('raw' in answer) call.onHeaders?.(answer.headers ?? {});
    if ('raw' in answer) return { kind: 'call', request, answer: answer.raw };
    if (!('events' in answer))
      return {
        kind: 'call',
        request,
        answer: { status: 200, contentType: 'application/json', body: { jsonrpc: '2.0', id: 1, ...answer } },
      };
    const head = { status: 200, contentType: 'text/event-stream' };
    for (const event of answer.events) {
      if (call.signal?.aborted === true)
        return { kind: 'call', request, answer: { ...head, events: [], ended: 'broken', error: 'aborted' } };
      await onEvent?.({ data: JSON.stringify({ jsonrpc: '2.0', id: 1, ...event }) }, head);
    }
    const end = answer.broken === true ? ({ ended: 'broken', error: 'reset' } as const) : ({ ended: 'clean' } as const);
    return { kind: 'call', request, answer: { ...head, events: [], ...end } };
  };
}
