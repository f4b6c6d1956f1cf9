import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../topology/a2a/json.js';
import type { AnswerError, AnswerHeaders, EventSink } from './operation.js';

/** A comment as a sign of life: proxies close what is silent, and a client that has gone is noticed. */
const PING_MS = 15_000;

/** How a binding writes one event's data. */
export type EventWriter = {
  readonly result: (result: unknown) => JsonObject;
  readonly error: (error: AnswerError) => JsonObject;
};

/** A stream of server-sent events to a client. Each write waits until the client can take more, or has gone. */
export class EventStream implements EventSink {
  readonly #response: ServerResponse;
  readonly #writer: EventWriter;
  readonly #gone: AbortSignal;
  readonly #pings: NodeJS.Timeout;

  constructor(response: ServerResponse, writer: EventWriter, gone: AbortSignal, headers: AnswerHeaders = {}) {
    this.#response = response;
    this.#writer = writer;
    this.#gone = gone;
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.#pings = setInterval(() => {
      if (this.#isOpen()) response.write(': ping\n\n');
    }, PING_MS);
    this.#pings.unref();
  }

  result = (result: unknown): Promise<void> => this.#write('', this.#writer.result(result));

  /** As A2A servers mark it: by the event's type. */
  error = (error: AnswerError): Promise<void> => this.#write('event: error\n', this.#writer.error(error));

  end(): void {
    clearInterval(this.#pings);
    this.#response.end();
  }

  async #write(head: string, data: JsonObject): Promise<void> {
    if (!this.#isOpen() || this.#response.write(`${head}data: ${JSON.stringify(data)}\n\n`)) return;
    await once(this.#response, 'drain', { signal: this.#gone }).catch(() => undefined);
  }

  #isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }
}
