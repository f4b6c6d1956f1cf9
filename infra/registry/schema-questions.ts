import type { RegistryClient } from './registry-client.js';

export type SchemaAnswer = Awaited<ReturnType<RegistryClient['schemaById']>>;

/** Anybody can write records with made-up IDs, as many as they like: the registry is asked for no more at once. */
const AT_ONCE = 16;

/** Asks the registry for schemas, for every partition of a process: an ID once at a time, a few IDs at once. */
export class SchemaQuestions {
  readonly #client: RegistryClient;
  readonly #underWay = new Map<number, Promise<SchemaAnswer>>();
  /** Who asks next, once an answer has come. */
  readonly #queue: (() => void)[] = [];
  #free = AT_ONCE;

  constructor(client: RegistryClient) {
    this.#client = client;
  }

  /**
   * Tells each answer when it comes; nothing more is asked after the first failure.
   * @throws RegistryUnreachableError, RegistryRefusedError
   */
  async ask(ids: readonly number[], onAnswer: (id: number, answer: SchemaAnswer) => void): Promise<void> {
    const left = ids.values();
    let failed = false;
    const askOn = async (): Promise<void> => {
      for (const id of left) {
        if (failed) return;
        onAnswer(id, await this.#answerFor(id));
      }
    };
    const asking = Array.from({ length: Math.min(AT_ONCE, ids.length) }, async () => {
      try {
        await askOn();
      } catch (error) {
        failed = true;
        throw error;
      }
    });
    await Promise.all(asking);
  }

  #answerFor(id: number): Promise<SchemaAnswer> {
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const answer = this.#inTurn(() => this.#client.schemaById(id)).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, answer);
    return answer;
  }

  async #inTurn<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await question();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
