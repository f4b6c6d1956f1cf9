/** What comes from several sources without end, put in order as far as it comes within a short time of each other. */
export class SettlingOrder<Item> {
  readonly #compare: (a: Item, b: Item) => number;
  readonly #give: (item: Item) => void;
  readonly #settlingMs: number;
  #waiting: Item[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(compare: (a: Item, b: Item) => number, give: (item: Item) => void, settlingMs: number) {
    this.#compare = compare;
    this.#give = give;
    this.#settlingMs = settlingMs;
  }

  put(items: readonly Item[]): void {
    this.#waiting.push(...items);
    if (this.#waiting.length > 0)
      this.#timer ??= setTimeout(() => {
        this.#flush();
      }, this.#settlingMs);
  }

  /** Gives out what still waits. */
  close(): void {
    clearTimeout(this.#timer);
    this.#flush();
  }

  #flush(): void {
    this.#timer = undefined;
    const settled = this.#waiting.sort(this.#compare);
    this.#waiting = [];
    for (const item of settled) this.#give(item);
  }
}
