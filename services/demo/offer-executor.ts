import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '@a2a-js/sdk';
import { TaskNotCancelableError } from '@a2a-js/sdk/errors';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { LIFECYCLE_EXTENSION, readLifecycle } from '../../topology/a2a/lifecycle.js';
import { draftOffer, finalOffer, offerPart, type EmittedType } from './offer.js';
import { TaskVoice } from './task-voice.js';
import type { WorkerOptions } from './worker-options.js';

/** Short, but not nothing: whoever polls a canary should be able to see it work. */
const CANARY_STEP_MS = 20;
const CANARY = 'canary:';
const CANARY_MODE = /^canary:\s*mode\s+(.+)$/;
const QUESTION = 'Which colour?';
const GUESS = 'black';

/** What the worker knows of a task that has not ended. It is nowhere else: a worker that dies forgets it. */
type OpenTask = {
  readonly request: string;
  readonly stepMs: number;
  readonly contextId: string;
  readonly correlationId: string | undefined;
  readonly interrupt: AbortController;
};

/** The skill `offer`: a draft, one question where the card promises `input-required`, the offer. */
export class OfferExecutor implements AgentExecutor {
  readonly #options: WorkerOptions;
  readonly #open = new Map<string, OpenTask>();
  #emit: EmittedType;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#emit = options.emit;
  }

  /** From now on artifacts are written in this media type, those of running tasks too. The card stays as it is. */
  emitFromNowOn(type: EmittedType): void {
    this.#emit = type;
  }

  readonly execute = async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, userMessage, task } = context;
    if (context.context.requestedExtensions?.includes(LIFECYCLE_EXTENSION) === true) {
      context.context.addActivatedExtension(LIFECYCLE_EXTENSION);
    }
    const open = this.#open.get(taskId) ?? this.#opened(context);
    this.#open.set(taskId, open);
    const voice = new TaskVoice(bus, context, open.correlationId);
    let asking = false;
    try {
      if (task === undefined) {
        asking = await this.#begin(userMessage, open, voice);
      } else {
        bus.publish(AgentEvent.task(task));
        this.#announce('working', voice);
        await pause(open);
        await this.#finish(textOf(userMessage), open, voice);
      }
    } catch (error) {
      if (!open.interrupt.signal.aborted) throw error;
    } finally {
      if (!asking) this.#open.delete(taskId);
    }
  };

  /** @throws TaskNotCancelableError where the worker does not promise the state `canceled`. */
  readonly cancelTask = (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    const open = this.#open.get(taskId);
    if (open === undefined || !this.#options.states.includes('canceled')) {
      return Promise.reject(new TaskNotCancelableError(`Task not cancelable: ${taskId}`));
    }
    open.interrupt.abort();
    this.#open.delete(taskId);
    new TaskVoice(bus, { taskId, contextId: open.contextId }, open.correlationId).state('canceled');
    return Promise.resolve();
  };

  /** Stops all tasks where they are, without a word. */
  interrupt(): void {
    for (const { interrupt } of this.#open.values()) interrupt.abort();
  }

  #opened({ userMessage, task, contextId }: RequestContext): OpenTask {
    const { correlationId, probe } = readLifecycle(userMessage.metadata, task?.metadata);
    const request = textOf(userMessage);
    const canary = probe === true || request.startsWith(CANARY);
    return {
      request,
      stepMs: canary ? Math.min(CANARY_STEP_MS, this.#options.stepMs) : this.#options.stepMs,
      contextId,
      correlationId,
      interrupt: new AbortController(),
    };
  }

  /** Whether the task ends in a question. */
  async #begin(message: Message, open: OpenTask, voice: TaskVoice): Promise<boolean> {
    const { states } = this.#options;
    voice.begin(states.includes('submitted') ? 'submitted' : 'working', message);
    await pause(open);
    if (states.includes('submitted')) this.#announce('working', voice);
    await pause(open);
    const mode = CANARY_MODE.exec(open.request)?.[1];
    if (mode !== undefined) {
      if (mode === this.#emit) voice.artifact(offerPart(draftOffer(open.request), this.#emit), { last: true });
      await pause(open);
      voice.state('completed', mode === this.#emit ? undefined : `This agent does not write ${mode}.`);
      return false;
    }
    voice.artifact(offerPart(draftOffer(open.request), this.#emit), { last: false });
    await pause(open);
    if (states.includes('input-required')) {
      voice.state('input-required', QUESTION);
      return true;
    }
    await this.#finish(GUESS, open, voice);
    return false;
  }

  async #finish(colour: string, open: OpenTask, voice: TaskVoice): Promise<void> {
    voice.artifact(offerPart(finalOffer(open.request, colour), this.#options.final ?? this.#emit), { last: true });
    await pause(open);
    voice.state('completed');
  }

  #announce(state: string, voice: TaskVoice): void {
    if (this.#options.states.includes(state)) voice.state(state);
  }
}

const pause = ({ stepMs, interrupt }: OpenTask): Promise<void> =>
  delay(stepMs, undefined, { signal: interrupt.signal });

const textOf = ({ parts }: Message): string =>
  parts
    .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
    .join(' ')
    .trim();
