import { callAgent, type AgentExchange } from '../../infra/http/agent-client.js';
import type { AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import type { StreamAnswer, WireObservation } from '../../topology/a2a/exchange.js';
import { observe, witnessOf } from '../../topology/a2a/observe.js';
import { beginStream, endStream, observeEvent, type StreamPlace } from '../../topology/a2a/observe-stream.js';
import { readRequest } from '../../topology/a2a/request.js';
import type { SseEvent } from '../../topology/a2a/stream.js';
import type { Witness } from '../../topology/a2a/word-observations.js';
import { isInterrupted, isTerminal, readTaskState } from '../../topology/task/task-state.js';
import type { UnitRecord } from '../../topology/task/unit.js';
import type { TaskInput } from '../../topology/topics.js';
import { ArtifactDigests } from '../gateway/artifact-digest.js';
import { BY_HOLDFAST } from './agent-questions.js';
import { dispatchFailed, dispatchObserved, firstWordOf, unitOf } from './first-word.js';
import type { RedispatchTask } from './plan-redispatch.js';
import type { Envelope } from './redispatch-request.js';
import type { Heard, ResultLog } from './result-log.js';

export type Dispatch = {
  readonly command: RedispatchTask;
  readonly record: UnitRecord;
  readonly input: TaskInput;
  readonly endpoint: AgentEndpoint;
  readonly envelope: Envelope;
  readonly headers: Readonly<Record<string, string>>;
};

export type SendingTimes = {
  /** Without a first word for so long the outcome is unknown, ms. */
  readonly firstWordMs: number;
  /** A stream that is silent for so long is given up, ms. */
  readonly idleMs: number;
  /** What may still come after the task stopped, ms. */
  readonly graceMs: number;
  /** How long a send without a word may still take when the dispatcher stops, ms. */
  readonly drainMs: number;
};

/**
 * One send, and the stream that answers it. `concluded` resolves once it is written down whether the agent has the task;
 * the states that follow are written as they come, until the task stops, until `ended`.
 */
export class Sending {
  readonly concluded: Promise<void>;
  readonly ended: Promise<void>;
  readonly #dispatch: Dispatch;
  readonly #times: SendingTimes;
  readonly #results: ResultLog;
  readonly #stop: AbortSignal;
  readonly #witness: Witness;
  readonly #digests = new ArtifactDigests();
  readonly #hangUp = new AbortController();
  #place: StreamPlace = beginStream();
  #phase: 'silent' | 'concluded' | 'settled' = 'silent';
  #expired = false;
  #drained = false;
  #timer: NodeJS.Timeout;
  #conclude: () => void = () => undefined;

  constructor(dispatch: Dispatch, results: ResultLog, times: SendingTimes, stop: AbortSignal) {
    this.#dispatch = dispatch;
    this.#results = results;
    this.#times = times;
    this.#stop = stop;
    const { command, envelope, headers } = dispatch;
    const asked = readRequest({
      binding: 'JSONRPC',
      headers: { 'a2a-version': '1.0', ...headers },
      body: envelope.body,
    });
    this.#witness = witnessOf(asked, unitOf(command), command.agentId, BY_HOLDFAST);
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.#hangUp.abort();
    }, times.firstWordMs);
    const onStop = (): void => {
      this.#stopping();
    };
    stop.addEventListener('abort', onStop);
    const spoken = new Promise<void>((resolve) => {
      this.#conclude = resolve;
    });
    const run = this.#run().finally(() => {
      clearTimeout(this.#timer);
      stop.removeEventListener('abort', onStop);
    });
    this.concluded = Promise.race([spoken, run]);
    this.ended = run;
  }

  /** It is still heard, and the task has not stopped. */
  get isFollowing(): boolean {
    return this.#phase === 'concluded' && !this.#hangUp.signal.aborted;
  }

  /** Hears no more; the ledger is told that the stream broke and asks by itself (R32). */
  hangUp(): void {
    this.#hangUp.abort();
  }

  async #run(): Promise<void> {
    const { endpoint, envelope, headers } = this.#dispatch;
    try {
      const exchange = await callAgent(
        {
          url: endpoint.url,
          ...(endpoint.reach === undefined ? {} : { reach: endpoint.reach }),
          body: envelope.body,
          headers,
          timeoutMs: this.#times.idleMs,
          signal: this.#hangUp.signal,
        },
        (event, head) => this.#hear(event, head),
      );
      await this.#over(exchange);
    } finally {
      this.#hangUp.abort();
    }
  }

  async #hear(event: SseEvent, head: Pick<StreamAnswer, 'status' | 'contentType'>): Promise<void> {
    const { place, observations } = observeEvent(this.#witness, this.#place, head, event);
    this.#place = place;
    if (observations.length === 0) return;
    clearTimeout(this.#timer);
    await this.#write(observations);
    if (this.#phase !== 'concluded' || !observations.some(isStop)) return;
    this.#phase = 'settled';
    this.#timer = setTimeout(() => {
      this.#hangUp.abort();
    }, this.#times.graceMs);
  }

  async #over({ request, answer: recorded }: AgentExchange): Promise<void> {
    const answer = this.#expired ? { ...recorded, error: 'timeout' } : recorded;
    const unheard = this.#phase === 'silent';
    // Given up by us before the agent said anything: the next instance sends it again under the same message ID (R40).
    if (unheard && this.#drained && answer.error !== undefined) this.#stop.throwIfAborted();
    const { command } = this.#dispatch;
    if (!('events' in answer)) {
      const exchange = { kind: 'call', request, answer } as const;
      await this.#write(observe(exchange, unitOf(command), command.agentId, BY_HOLDFAST));
      return;
    }
    // After the task stopped nothing is missing, whoever closed the stream.
    if (this.#phase !== 'settled') await this.#write(endStream(this.#witness, this.#place, answer, answer.ended));
  }

  /** Writes what was heard; the first of it with what it says about the send, in one batch and in this order. */
  async #write(observations: readonly WireObservation[]): Promise<void> {
    const heard = this.#phase === 'silent' ? this.#firstWord(observations) : observations;
    await this.#results.write(heard, this.#digests, this.#stop);
    if (this.#phase === 'silent') this.#phase = 'concluded';
    this.#conclude();
  }

  #firstWord(observations: readonly WireObservation[]): readonly Heard[] {
    const {
      command,
      input,
      record,
      envelope: { contextId },
    } = this.#dispatch;
    const word = firstWordOf(observations);
    switch (word.kind) {
      case 'taken':
        return [dispatchObserved(command, input, record, word), ...observations];
      case 'refused':
        return [dispatchFailed(command, word.reason)];
      // It was sent; the client's own context, where it has one, is all that it can be searched by (R52).
      case 'unknown':
        return [
          dispatchObserved(command, input, record, contextId === undefined ? {} : { contextId }),
          ...observations,
        ];
    }
  }

  /** What was heard is written already; a send without an answer gets a little more time. */
  #stopping(): void {
    if (this.#phase !== 'silent') {
      this.#hangUp.abort();
      return;
    }
    const grace = setTimeout(() => {
      this.#drained = true;
      this.#hangUp.abort();
    }, this.#times.drainMs);
    this.#hangUp.signal.addEventListener('abort', () => {
      clearTimeout(grace);
    });
  }
}

/** The task ended, or waits for its client: nothing more comes by itself. */
const isStop = (seen: WireObservation): boolean => {
  if (seen.type !== 'TaskStateObserved') return false;
  const read = readTaskState(seen.state);
  return read.kind === 'state' && (isTerminal(read.state) || isInterrupted(read.state));
};
