import { POSITION_KEY } from '../../infra/streams/store-layout.js';
import { own } from '../../topology/a2a/json.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import type { LedgerTable } from './ports.js';

/** Whether an entry is as wanted; `undefined`: there is none. */
export type Wanted = (entry: LedgerEntry | undefined) => boolean;

/**
 * How far the ledger has come, seen from its own topic: each transaction ends with the position of the source, so what is
 * in the table with it is all that was decided before it. The table must hold on to the position entries.
 */
export class LedgerProgress {
  readonly #ledger: LedgerTable;
  readonly #positions = new Map<number, bigint>();
  readonly #listeners = new Set<(partition: number, decidedBefore: bigint) => void>();

  constructor(ledger: LedgerTable) {
    this.#ledger = ledger;
    ledger.onChange((key, value, partition) => {
      if (key !== POSITION_KEY) return;
      const source = own(value, 'source');
      if (typeof source !== 'bigint') return;
      this.#positions.set(partition, source);
      for (const listener of [...this.#listeners]) listener(partition, source);
    });
  }

  /** Called whenever a partition moves on; everything before the offset is decided. Returns how to stop it. */
  onAdvance(listener: (partition: number, decidedBefore: bigint) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether the ledger has decided about an observation, within so many ms. */
  decided({ partition, offset }: Coordinates, withinMs: number): Promise<boolean> {
    const isDecided = (): boolean => (this.#positions.get(partition) ?? 0n) > offset;
    return this.#wait(isDecided, (check) => this.onAdvance(check), AbortSignal.timeout(withinMs));
  }

  /** Resolves once the unit's entry is as wanted: true; or false when `signal` aborts. */
  async until(key: string, wanted: Wanted, signal: AbortSignal): Promise<boolean> {
    const latest = new Map<string, LedgerEntry | undefined>();
    const checks = new Set<() => void>();
    // Watched before it is read, so that no change falls between the two.
    const unwatch = this.#ledger.onChange((changedKey, value) => {
      if (changedKey !== key) return;
      latest.set(key, value);
      for (const check of [...checks]) check();
    });
    try {
      const stored = await this.#ledger.get(key);
      if (!latest.has(key)) latest.set(key, stored);
      return await this.#wait(
        () => wanted(latest.get(key)),
        (check) => {
          checks.add(check);
          return () => checks.delete(check);
        },
        signal,
      );
    } finally {
      unwatch();
    }
  }

  async #wait(holds: () => boolean, watch: (check: () => void) => () => void, signal: AbortSignal): Promise<boolean> {
    if (holds()) return true;
    if (signal.aborted) return false;
    return new Promise((resolve) => {
      const end = (): void => {
        unwatch();
        signal.removeEventListener('abort', end);
        resolve(holds());
      };
      const unwatch = watch(() => {
        if (holds()) end();
      });
      signal.addEventListener('abort', end);
      // It may have come between the first look and the watch.
      if (holds()) end();
    });
  }
}
