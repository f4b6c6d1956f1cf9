import type { AgentSlots } from './agent-slots.js';
import type { Sending } from './sending.js';

/**
 * The streams that are still heard. They outlive their commands: a unit whose stream stays open for hours must be able to
 * be cancelled meanwhile. So many for each agent; one too many is hung up, and the ledger asks for its task instead (R32).
 */
export class StreamFollowers {
  readonly #slots: AgentSlots;
  readonly #onFailed: (error: unknown) => void;
  readonly #open = new Set<Promise<void>>();

  constructor(slots: AgentSlots, onFailed: (error: unknown) => void) {
    this.#slots = slots;
    this.#onFailed = onFailed;
  }

  follow(agentId: string, sending: Sending): void {
    const following = this.#follow(agentId, sending).finally(() => this.#open.delete(following));
    this.#open.add(following);
  }

  /** Resolves once every stream has ended and all that was heard is written. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  async #follow(agentId: string, sending: Sending): Promise<void> {
    let isConcluded = false;
    let release: (() => void) | undefined;
    try {
      await sending.concluded;
      isConcluded = true;
      if (sending.isFollowing) {
        release = this.#slots.tryTake(agentId);
        if (release === undefined) sending.hangUp();
      }
      await sending.ended;
    } catch (error) {
      // Until then it is the failure of the command, which hears of it itself.
      if (isConcluded) this.#onFailed(error);
    } finally {
      release?.();
    }
  }
}
