/** Lets one loop sleep until something happens, without losing what happens while it looks around. */
export class Wakeup {
  #woken = false;
  #wake: (() => void) | undefined;

  /** Something happened. */
  readonly notify = (): void => {
    this.#woken = true;
    this.#wake?.();
  };

  /** From here on counts what happens. */
  reset(): void {
    this.#woken = false;
  }

  /** Resolves when something has happened since `reset`, or when `sleep` does; `sleep` is given up then. */
  async wait(sleep?: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#woken) return;
    const sleeping = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => (this.#wake = resolve)),
      ...(sleep === undefined ? [] : [sleep(sleeping.signal)]),
    ]);
    sleeping.abort();
    this.#wake = undefined;
  }
}
