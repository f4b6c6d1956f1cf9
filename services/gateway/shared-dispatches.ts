import { createHash } from 'node:crypto';
import { canonicalJson } from '../../topology/a2a/canonical-json.js';
import { clientHeaders } from './forwarded-headers.js';
import type { AnswerHeaders, Client, EventSink, Operation, Reply } from './operation.js';

/** What differs between two sends of one message. */
const OF_THE_REQUEST = new Set(['traceparent', 'tracestate', 'user-agent']);

/**
 * What sends have in common that are one: all that the agent would be sent, credentials too, for another's answer is shown
 * to nobody. `undefined`: the message has no ID, so that nobody can say that it is the same (R49).
 */
const sameness = (op: Operation): string | undefined => {
  if (op.read.message?.messageId === undefined) return undefined;
  const headers = Object.entries(clientHeaders(op.headers)).filter(([name]) => !OF_THE_REQUEST.has(name));
  const all = [op.agentId, op.method, op.principal ?? '', Object.fromEntries(headers), op.params];
  return createHash('sha256').update(canonicalJson(all)).digest('base64url');
};

/** Sends of the same message that are under way at once: one goes out, and all are answered by it (R49). */
export class SharedDispatches {
  readonly #open = new Map<string, { readonly audience: Audience; readonly reply: Promise<Reply> }>();

  /** `send` for the first of them; who comes when its stream has begun sends by itself, and finds the task. */
  async share(op: Operation, client: Client, send: (client: Client) => Promise<Reply>): Promise<Reply> {
    const key = sameness(op);
    if (key === undefined) return send(client);
    const open = this.#open.get(key);
    if (open !== undefined) return open.audience.join(client) ? open.reply : send(client);
    const audience = new Audience(client);
    const reply = send(audience).finally(() => {
      this.#open.delete(key);
      audience.close();
    });
    this.#open.set(key, { audience, reply });
    return reply;
  }
}

/** Several clients that hear the same answer. */
class Audience implements Client {
  readonly #gone = new AbortController();
  readonly #clients = new Set<Client>();
  readonly #left: (() => void)[] = [];
  #sink: EventSink | undefined;

  constructor(first: Client) {
    this.#add(first);
  }

  /** Aborts when nobody is left. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** `false`: it has missed something. */
  join(client: Client): boolean {
    if (this.#sink !== undefined || this.#gone.signal.aborted) return false;
    this.#add(client);
    return true;
  }

  openStream(headers?: AnswerHeaders): EventSink {
    if (this.#sink !== undefined) return this.#sink;
    const sinks = [...this.#clients].map((client) => client.openStream(headers));
    const toAll = async (tell: (sink: EventSink) => Promise<void>): Promise<void> => {
      await Promise.all(sinks.map(tell));
    };
    this.#sink = {
      result: (result) => toAll((sink) => sink.result(result)),
      error: (error) => toAll((sink) => sink.error(error)),
    };
    return this.#sink;
  }

  close(): void {
    for (const unwatch of this.#left.splice(0)) unwatch();
  }

  #add(client: Client): void {
    this.#clients.add(client);
    const leave = (): void => {
      if ([...this.#clients].every(({ gone }) => gone.aborted)) this.#gone.abort();
    };
    client.gone.addEventListener('abort', leave, { once: true });
    this.#left.push(() => {
      client.gone.removeEventListener('abort', leave);
    });
    leave();
  }
}
