import { setTimeout as delay } from 'node:timers/promises';
import type { CanaryConfig } from '../../infra/config/config.js';
import type { AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import { isTaskNotFound } from '../../topology/a2a/not-found.js';
import { isTerminal } from '../../topology/task/task-state.js';
import { exchange, type Line } from './canary-call.js';
import { cancelRequest, getRequest, openThread, sendRequest, type CanaryThread } from './canary-message.js';
import { answering, BLANK, compareViews, hear, hearAll, isSettled, type End, type Transcript } from './transcript.js';

/** Whom a canary is put to, and for how long at most. */
export type CanaryTarget = {
  readonly agentId: string;
  readonly endpoint: AgentEndpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

const FIRST_POLL_MS = 50;
const LAST_POLL_MS = 1_000;
/** Reads behind the write of a moment ago are not yet a contradiction; these pauses are enough for a replica. */
const SECOND_LOOKS_MS = [100, 400] as const;
const CANCEL_PATIENCE_MS = 2_000;

/**
 * Puts one canary to an agent (R43): sends it and watches until the task waits or has ended, looks at it through a fresh
 * client view, answers where an answer is configured, and looks again at the end. A task that is left open is canceled.
 * Never rejects: what went wrong is how the transcript ends.
 */
export const runCanary = async (
  target: CanaryTarget,
  canary: CanaryConfig,
  signal: AbortSignal,
): Promise<Transcript> => {
  const thread = openThread(target.endpoint, canary);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(target.timeoutMs)]);
  const run = new CanaryRun(thread, { ...target, correlationId: thread.correlationId, signal: deadline });
  const transcript = await run.finish();
  const { taskId, said } = transcript;
  if (taskId !== undefined && !isTerminal(said?.state ?? null)) {
    const apart = AbortSignal.timeout(CANCEL_PATIENCE_MS);
    await exchange({ ...target, correlationId: thread.correlationId, signal: apart }, cancelRequest(thread, taskId));
  }
  return transcript;
};

class CanaryRun {
  readonly #thread: CanaryThread;
  readonly #line: Line;
  #transcript: Transcript = BLANK;

  constructor(thread: CanaryThread, line: Line) {
    this.#thread = thread;
    this.#line = line;
  }

  async finish(): Promise<Transcript> {
    const { message, answer } = this.#thread.canary;
    await this.#hearOut(message);
    if (answer !== undefined && this.#transcript.end === undefined && this.#asks()) {
      this.#transcript = answering(this.#transcript);
      await this.#hearOut(answer);
    }
    if (this.#transcript.end === undefined) this.#end('settled');
    return this.#transcript;
  }

  async #hearOut(text: string): Promise<void> {
    await this.#say(text);
    await this.#settle();
    await this.#check();
  }

  #asks(): boolean {
    return this.#transcript.said?.state === 'input-required';
  }

  async #say(text: string): Promise<void> {
    const { taskId, contextId = this.#thread.contextId } = this.#transcript;
    const request = sendRequest(this.#thread, text, taskId === undefined ? undefined : { taskId, contextId });
    // What is heard while it streams decides when there is enough; what counts is heard below, the same once more.
    let live = this.#transcript;
    const seen = await exchange(this.#line, request, {
      enough: (one) => {
        live = hear(live, one);
        return isSettled(live);
      },
    });
    this.#transcript = hearAll(this.#transcript, seen);
    if (this.#transcript.taskId === undefined && this.#transcript.end === undefined) this.#end('unfinished');
  }

  /** Asks until the task waits or has ended (R32): the stream may have closed before, or there was none. */
  async #settle(): Promise<void> {
    let pause = FIRST_POLL_MS;
    while (this.#transcript.end === undefined && !isSettled(this.#transcript)) {
      if (!(await this.#pause(pause))) return;
      pause = Math.min(pause * 2, LAST_POLL_MS);
      const seen = await this.#ask(false);
      const { said } = this.#transcript;
      if (seen.some((one) => one.type === 'ExchangeObserved' && isTaskNotFound(one))) {
        this.#note(said?.state ?? 'submitted', 'not-found');
        this.#end('lost');
        return;
      }
      this.#transcript = hearAll(this.#transcript, seen);
    }
  }

  /** Looks at the task through a fresh client view. Not found is said at once; a state that lags gets a second look. */
  async #check(): Promise<void> {
    const { said, end } = this.#transcript;
    if (end !== undefined || said === undefined) return;
    for (const pause of [...SECOND_LOOKS_MS, undefined]) {
      const found = compareViews(this.#transcript, await this.#ask(true));
      if (found === 'same' || found === 'not-found' || (found === 'different' && pause === undefined)) {
        this.#note(said.state, found);
        if (found === 'not-found') this.#end('lost');
        return;
      }
      if (pause === undefined) this.#end('unfinished');
      else if (!(await this.#pause(pause))) return;
    }
  }

  #ask(fresh: boolean): ReturnType<typeof exchange> {
    return exchange(this.#line, getRequest(this.#thread, this.#transcript.taskId ?? ''), { fresh });
  }

  #note(state: Transcript['states'][number], found: Transcript['checks'][number]['found']): void {
    this.#transcript = { ...this.#transcript, checks: [...this.#transcript.checks, { state, found }] };
  }

  #end(end: End): void {
    this.#transcript = { ...this.#transcript, end };
  }

  /** `false`: the time is up. */
  async #pause(ms: number): Promise<boolean> {
    await delay(ms, undefined, { signal: this.#line.signal, ref: false }).catch(() => undefined);
    if (!this.#line.signal.aborted) return true;
    this.#end('unfinished');
    return false;
  }
}
