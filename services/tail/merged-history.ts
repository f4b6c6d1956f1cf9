/**
 * Sources that are each in order, as one in order: the least of the heads comes next, so nothing is given out before every
 * source has said what it holds next. Holds back whoever is ahead.
 */
export class MergedHistory<Item> {
  readonly #compare: (a: Item, b: Item) => number;
  readonly #give: (item: Item) => void;
  readonly #sources = new Set<Source<Item>>();
  #abandoned = false;

  constructor(compare: (a: Item, b: Item) => number, give: (item: Item) => void) {
    this.#compare = compare;
    this.#give = give;
  }

  /** All sources have to be opened before the first of them is put into. */
  open(): { readonly put: (items: readonly Item[]) => Promise<void>; readonly end: () => void } {
    const source: Source<Item> = { items: [], next: 0, ended: false, onTaken: () => undefined };
    this.#sources.add(source);
    return {
      put: async (items) => {
        if (items.length === 0 || this.#abandoned) return;
        source.items = items;
        source.next = 0;
        const taken = new Promise<void>((resolve) => {
          source.onTaken = resolve;
        });
        this.#advance();
        await taken;
      },
      end: () => {
        source.ended = true;
        this.#advance();
      },
    };
  }

  /** Nothing is wanted any more: whoever is held back may go. */
  abandon(): void {
    this.#abandoned = true;
    for (const source of this.#sources) source.onTaken();
  }

  #advance(): void {
    while (!this.#abandoned) {
      let least: Source<Item> | undefined;
      for (const source of this.#sources) {
        const head = source.items[source.next];
        if (head === undefined) {
          if (!source.ended) return;
          continue;
        }
        const leastHead = least?.items[least.next];
        if (leastHead === undefined || this.#compare(head, leastHead) < 0) least = source;
      }
      const item = least?.items[least.next];
      if (least === undefined || item === undefined) return;
      least.next += 1;
      this.#give(item);
      if (least.next === least.items.length) least.onTaken();
    }
  }
}

type Source<Item> = { items: readonly Item[]; next: number; ended: boolean; onTaken: () => void };
