import type { Clock } from './clock.js';
import { RepeatedlyFencedError } from './errors.js';
import type { Membership } from './ports.js';
import { Wakeup } from './wakeup.js';

/**
 * When a group may take its lock, the transactional ID. After a fencing it must be shown to be a member first: else two
 * owners would fence each other in turn, safely and without end. What shows it: a generation newer than the lock, or the
 * coordinator's word.
 */
export class LockClaim {
  readonly #transactionalId: string;
  readonly #membership: Membership;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #wakeup = new Wakeup();
  #generation = 0;
  /** The generation in which the lock was taken (A2), and that of the last fencing. */
  #takenIn = 0;
  #fencedIn: number | undefined;

  constructor(transactionalId: string, membership: Membership, clock: Clock, patienceMs: number) {
    this.#transactionalId = transactionalId;
    this.#membership = membership;
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** The group is ours in a new generation. */
  assigned(): void {
    this.#generation += 1;
    this.#wakeup.notify();
  }

  taken(): void {
    this.#takenIn = this.#generation;
  }

  /**
   * Resolves when the lock may be taken again, or when `stopping` aborts.
   * @throws RepeatedlyFencedError twice in one generation, or nobody says that we are a member
   */
  async proven(cause: unknown, stopping: AbortSignal): Promise<void> {
    if (this.#fencedIn === this.#generation)
      throw new RepeatedlyFencedError(this.#transactionalId, 'twice in one generation', cause);
    this.#fencedIn = this.#generation;
    const proof = { given: false };
    void this.#membership.confirm?.().then(
      () => {
        proof.given = true;
        this.#wakeup.notify();
      },
      // A membership that ends says so by `onFailed`.
      () => undefined,
    );
    const deadline = this.#clock.now() + this.#patienceMs;
    stopping.addEventListener('abort', this.#wakeup.notify);
    while (!proof.given && this.#generation === this.#takenIn && !stopping.aborted) {
      if (this.#clock.now() >= deadline)
        throw new RepeatedlyFencedError(this.#transactionalId, 'without a rebalance after it', cause);
      this.#wakeup.reset();
      await this.#wakeup.wait((signal) => this.#clock.sleepUntil(deadline, signal));
    }
    stopping.removeEventListener('abort', this.#wakeup.notify);
  }
}
