import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { SendMessageRequest, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { heard } from './heard.js';
import { printLine, type JsonLine } from './json-lines.js';
import type { OrchestratorOptions } from './orchestrator-options.js';
import { completed, ended, lost, refused, undecided, type Outcome } from './outcome.js';
import { refusalOf } from './refusal.js';
import { stateWord } from './state-words.js';
import { loadTask, storeTask, type StoredTask } from './state-file.js';
import { userRequest } from './user-message.js';

/** An answer, under one message ID however often it must be sent, and the question it is for. */
type Answer = { readonly question: string; readonly request: SendMessageRequest; delivered: boolean };

type Step = Outcome | { readonly waiting: JsonLine } | { readonly again: true };

/**
 * Phase `resume`: asks for the stored task under its old ID, answers its question on that ID, and concludes. It waits
 * where the agent says it does not know yet.
 */
export const resume = async (connect: () => Promise<Client>, options: OrchestratorOptions): Promise<Outcome> => {
  const session = new Session(connect, options, await loadTask(options.stateFile));
  const deadline = performance.now() + options.giveUpAfterMs;
  let lastWait = '';
  for (;;) {
    const step = await session.step();
    if ('exitCode' in step) return step;
    if ('again' in step) continue;
    const wait = JSON.stringify(step.waiting);
    if (wait !== lastWait) printLine(step.waiting);
    lastWait = wait;
    if (performance.now() > deadline) return undecided('gave up waiting', session.taskId);
    await delay(options.pollMs);
  }
};

class Session {
  readonly #connect: () => Promise<Client>;
  readonly #options: OrchestratorOptions;
  readonly #stored: StoredTask;
  #client: Client | undefined;
  #answer: Answer | undefined;

  constructor(connect: () => Promise<Client>, options: OrchestratorOptions, stored: StoredTask) {
    this.#connect = connect;
    this.#options = options;
    this.#stored = stored;
  }

  get taskId(): string {
    return this.#stored.taskId;
  }

  /** One question to the agent, and what follows from its answer. */
  async step(): Promise<Step> {
    try {
      const client = (this.#client ??= await this.#connect());
      return await this.#conclude(await client.getTask({ tenant: '', id: this.taskId }), client);
    } catch (error) {
      const { kind, text, code } = refusalOf(error);
      if (kind === 'not-found') return lost(this.taskId);
      if (kind === 'refused') return refused(text, this.taskId);
      return { waiting: { waiting: kind, ...(code === undefined ? {} : { code }), text } };
    }
  }

  async #conclude(task: Task, client: Client): Promise<Step> {
    const state = stateWord(task.status?.state);
    switch (state) {
      case 'completed':
        await storeTask(this.#options.stateFile, { ...this.#stored, state });
        return completed(task);
      case 'failed':
      case 'canceled':
      case 'rejected':
        return ended(task, state);
      case 'input-required':
        return this.#reply(task, client);
      default:
        return { waiting: { waiting: state === 'unspecified' ? 'indeterminate' : state, taskId: this.taskId } };
    }
  }

  /** A question is answered once. Seen again it is an old picture of the task, and an answer would come too late. */
  async #reply(task: Task, client: Client): Promise<Step> {
    const question = task.status?.message?.messageId ?? task.status?.timestamp ?? '';
    if (this.#answer?.question !== question) {
      const { correlationId, answer: text, accept } = this.#options;
      const request = userRequest({ text, correlationId, accept, task: this.#stored });
      this.#answer = { question, request, delivered: false };
    }
    const answer = this.#answer;
    if (answer.delivered) return { waiting: { waiting: 'answered', taskId: this.taskId } };
    printLine({ answering: this.#options.answer, taskId: this.taskId });
    for await (const event of client.sendMessageStream(answer.request)) {
      answer.delivered = true;
      printLine(heard(event).line);
    }
    return { again: true };
  }
}
