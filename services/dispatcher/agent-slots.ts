/**
 * How many calls at a time an agent gets. One that hangs holds up those who wait for it, and nobody else.
 */
export class AgentSlots {
  readonly #perAgent: number;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(perAgent: number) {
    this.#perAgent = perAgent;
  }

  /** Resolves with how to give the slot back, once there is one. Rejects when `signal` aborts while it waits. */
  async take(agentId: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const taken = this.#taken.get(agentId) ?? 0;
    if (taken >= this.#perAgent) await this.#wait(agentId, signal);
    else this.#taken.set(agentId, taken + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#giveBack(agentId);
    };
  }

  /** A slot if there is one at once. */
  tryTake(agentId: string): (() => void) | undefined {
    const taken = this.#taken.get(agentId) ?? 0;
    if (taken >= this.#perAgent) return undefined;
    this.#taken.set(agentId, taken + 1);
    return () => {
      this.#giveBack(agentId);
    };
  }

  #wait(agentId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(agentId) ?? [];
      this.#waiting.set(agentId, queue);
      const end = (): void => {
        queue.splice(queue.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      // The slot passes from hand to hand: nobody who comes later gets in between.
      const go = (): void => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      queue.push(go);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  #giveBack(agentId: string): void {
    const next = this.#waiting.get(agentId)?.shift();
    if (next !== undefined) {
      next();
      return;
    }
    this.#waiting.delete(agentId);
    const left = (this.#taken.get(agentId) ?? 1) - 1;
    if (left > 0) this.#taken.set(agentId, left);
    else this.#taken.delete(agentId);
  }
}
