import type { StreamAnswer } from '../../topology/a2a/exchange.js';
import { field, own, parseJson, type JsonObject } from '../../topology/a2a/json.js';
import type { A2aMethod } from '../../topology/a2a/method.js';
import { witnessOf } from '../../topology/a2a/observe.js';
import { beginStream, endStream, observeEvent, type StreamPlace } from '../../topology/a2a/observe-stream.js';
import type { SseEvent } from '../../topology/a2a/stream.js';
import type { UnitOfWork, Witness } from '../../topology/a2a/word-observations.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { errorIn } from './agent-answer.js';
import { ArtifactDigests } from './artifact-digest.js';
import type { Gateway } from './gateway.js';
import { isStreaming, type AnswerError, type AnswerHeaders, type Client, type Operation } from './operation.js';
import { lossIn, ofUnit, unitNamedIn } from './recorder.js';
import { isNotFound, noAnswer } from './refusal.js';
import type { ObservedLeg, Relayed } from './leg.js';
import { renameAnswer } from './rename.js';

/** A stream on its way from agent to client. */
export class StreamRelay {
  readonly #op: Operation;
  readonly #leg: ObservedLeg;
  readonly #client: Client;
  readonly #gateway: Gateway;
  readonly #digests = new ArtifactDigests();
  readonly #hangUp = new AbortController();
  #unit: UnitOfWork;
  #place: StreamPlace;
  #headers: AnswerHeaders = {};
  #lost: { readonly place: Coordinates; readonly error: AnswerError } | undefined;
  #doubted: AnswerError | undefined;

  constructor(op: Operation, leg: ObservedLeg, client: Client, gateway: Gateway) {
    this.#op = op;
    this.#leg = leg;
    this.#client = client;
    this.#gateway = gateway;
    this.#unit = leg.unit;
    this.#place = beginStream(op.read.serverTaskId === undefined ? undefined : taskIn(op.method, leg.params));
    client.gone.addEventListener('abort', this.#onGone);
    this.#onGone();
  }

  /** Ends the agent's stream once nobody listens. Answers that are bodies are waited for: they must be on record. */
  get signal(): AbortSignal {
    return this.#hangUp.signal;
  }

  /** Before the first event. */
  answeredWith(headers: AnswerHeaders): void {
    this.#headers = headers;
  }

  readonly take = async (event: SseEvent, head: { status: number; contentType?: string }): Promise<void> => {
    const step = observeEvent(this.#witness(), this.#place, head, event);
    this.#place = step.place;
    if (this.#leg.guessed === true) this.#unit = unitNamedIn(step.observations, this.#unit);
    const said = ofUnit(step.observations, { ...this.#leg, unit: this.#unit });
    const recorded = await this.#gateway.recorder.heard(said, this.#digests);
    const body = parseJson(event.data);
    const error = errorIn(body);
    const place = lossIn(recorded);
    if (place !== undefined && error !== undefined) this.#lost = { place, error };
    else if (isNotFound(error)) {
      // It counts for nothing (R25), and what it is worth is not for the client to find out.
      this.#doubted = error;
      await this.#pass(own(body, 'result'), undefined);
    } else await this.#pass(own(body, 'result'), error);
    this.#onGone();
  };

  async end(answer: StreamAnswer): Promise<Relayed> {
    this.#client.gone.removeEventListener('abort', this.#onGone);
    const { ended, error, status, contentType } = answer;
    const head = { status, ...(contentType === undefined ? {} : { contentType }) };
    const closing = endStream(
      this.#witness(),
      this.#place,
      { ...head, ...(error === undefined ? {} : { error }) },
      ended,
    );
    await this.#gateway.recorder.heard(closing, this.#digests);
    if (this.#lost !== undefined) return { reply: { kind: 'error', error: this.#lost.error }, lost: this.#lost.place };
    if (this.#doubted !== undefined) return { reply: { kind: 'error', error: this.#doubted } };
    const spoke = this.#place.worded || this.#place.failed;
    // Nothing was passed on: the client has to be told that this is no answer.
    return { reply: spoke ? { kind: 'streamed' } : noAnswer(this.#leg.agentId, error ?? 'an empty stream') };
  }

  /** Without a task ID nothing could ever be asked about it again: then the first word is waited for (R52). */
  readonly #onGone = (): void => {
    const isKnown = this.#place.serverTaskId !== undefined;
    if (this.#client.gone.aborted && isStreaming(this.#op.method) && isKnown) this.#hangUp.abort();
  };

  async #pass(result: unknown, error: AnswerError | undefined): Promise<void> {
    if (this.#client.gone.aborted || (result === undefined && error === undefined)) return;
    const sink = this.#client.openStream(this.#headers);
    if (result !== undefined) await sink.result(renameAnswer(this.#op.method, result, this.#leg.namesOf));
    if (error !== undefined) await sink.error(error);
  }

  #witness(): Witness {
    return witnessOf(this.#op.read, this.#unit, this.#leg.agentId, this.#leg.asker);
  }
}

/** The task that the forwarded request names: after a redispatch it is another one than the client's. */
const taskIn = (method: A2aMethod, params: JsonObject): string | undefined => {
  const id = isStreamingSend(method) ? field(field(params, 'message'), 'taskId') : field(params, 'id');
  return typeof id === 'string' && id !== '' ? id : undefined;
};
const isStreamingSend = (method: A2aMethod): boolean => method === 'SendStreamingMessage';
