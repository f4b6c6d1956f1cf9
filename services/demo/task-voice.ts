import { randomUUID } from 'node:crypto';
import { Role, type Message, type Part, type TaskStatus } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus } from '@a2a-js/sdk/server';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import { stateOfWord } from './state-words.js';

const ARTIFACT_ID = 'offer';

/** What a worker says about one task, with the client's correlation ID in the metadata of each state. */
export class TaskVoice {
  readonly #bus: ExecutionEventBus;
  readonly #ids: { readonly taskId: string; readonly contextId: string };
  readonly #correlationId: string | undefined;

  constructor(bus: ExecutionEventBus, ids: { taskId: string; contextId: string }, correlationId: string | undefined) {
    this.#bus = bus;
    this.#ids = { taskId: ids.taskId, contextId: ids.contextId };
    this.#correlationId = correlationId;
  }

  /** The whole task as it begins: the protocol wants a task before anything else. */
  begin(state: string, request: Message): void {
    const { taskId: id, contextId } = this.#ids;
    const status = this.#status(state);
    this.#bus.publish(
      AgentEvent.task({ id, contextId, status, artifacts: [], history: [request], metadata: this.#metadata() }),
    );
  }

  /** A state, with a text for the client where there is something to tell. */
  state(state: string, text?: string): void {
    const status = this.#status(state, text);
    this.#bus.publish(AgentEvent.statusUpdate({ ...this.#ids, status, metadata: this.#metadata() }));
  }

  /** The whole artifact, never an addition: what was said of it before is replaced. */
  artifact(part: Part, { last }: { readonly last: boolean }): void {
    this.#bus.publish(
      AgentEvent.artifactUpdate({
        ...this.#ids,
        artifact: {
          artifactId: ARTIFACT_ID,
          name: ARTIFACT_ID,
          description: '',
          parts: [part],
          metadata: undefined,
          extensions: [],
        },
        append: false,
        lastChunk: last,
        metadata: undefined,
      }),
    );
  }

  #status(word: string, text?: string): TaskStatus {
    const state = stateOfWord(word);
    if (state === undefined) throw new Error(`A2A has no state "${word}"`);
    return {
      state,
      timestamp: new Date().toISOString(),
      message: text === undefined ? undefined : this.#message(text),
    };
  }

  #message(text: string): Message {
    return {
      ...this.#ids,
      messageId: randomUUID(),
      role: Role.ROLE_AGENT,
      parts: [{ content: { $case: 'text', value: text }, mediaType: 'text/plain', filename: '', metadata: undefined }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }

  #metadata(): Record<string, unknown> | undefined {
    return this.#correlationId === undefined
      ? undefined
      : { [LIFECYCLE_EXTENSION]: { correlationId: this.#correlationId } };
  }
}
