/** IDs remembered that nobody waits for just now; of more, those that were waited for least recently are forgotten. */
const KEPT = 100_000;

/**
 * Since when schema IDs are known to be missing. What is waited for is never forgotten: its wait would begin anew, and with
 * enough made-up IDs never end.
 */
export class MissingSchemas {
  readonly #kept: number;
  /** By ID; ms on a monotonic clock. */
  readonly #since = new Map<number, number>();
  /** How many wait for an ID. */
  readonly #waiting = new Map<number, number>();
  /** The other IDs of `#since`, the one that was waited for least recently first. */
  readonly #idle = new Set<number>();

  constructor(kept = KEPT) {
    this.#kept = kept;
  }

  /** Somebody waits for these IDs, until `leave`. */
  join(ids: readonly number[]): void {
    for (const id of ids) {
      this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1);
      this.#idle.delete(id);
    }
  }

  leave(ids: readonly number[]): void {
    for (const id of ids) {
      const others = (this.#waiting.get(id) ?? 1) - 1;
      if (others > 0) this.#waiting.set(id, others);
      else {
        this.#waiting.delete(id);
        if (this.#since.has(id)) this.#idle.add(id);
      }
    }
    for (const id of this.#idle) {
      if (this.#idle.size <= this.#kept) return;
      this.#idle.delete(id);
      this.#since.delete(id);
    }
  }

  /** An ID that is waited for is missing now; since when it is. */
  missing(id: number, now: number): number {
    const since = this.#since.get(id) ?? now;
    this.#since.set(id, since);
    return since;
  }

  found(id: number): void {
    this.#since.delete(id);
    this.#idle.delete(id);
  }
}
