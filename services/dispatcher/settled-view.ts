import { setTimeout as delay } from 'node:timers/promises';
import type { LogReader } from '../../infra/streams/ports.js';
import type { Contracts } from '../../topology/agent/contracts.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import { AGENTS, INPUTS, LEDGER, type TaskInput } from '../../topology/topics.js';
import type { ContractsView } from '../mesh/contracts-view.js';
import type { TopicTable } from '../mesh/topic-table.js';

type Table<Value> = Pick<TopicTable<Value>, 'get' | 'until' | 'onChange'>;

/** How long what was written already may take to arrive here. Beyond, the command is left: it is issued again (R60). */
const PATIENCE_MS = 10_000;

/** Record, contracts and input of a unit, read to the ends that their topics have when they are asked for (R60). */
export class SettledView {
  readonly #reader: LogReader;
  readonly #ledger: Table<LedgerEntry>;
  readonly #inputs: Table<TaskInput>;
  readonly #contracts: ContractsView;

  constructor(reader: LogReader, ledger: Table<LedgerEntry>, inputs: Table<TaskInput>, contracts: ContractsView) {
    this.#reader = reader;
    this.#ledger = ledger;
    this.#inputs = inputs;
    this.#contracts = contracts;
  }

  /**
   * Judges the unit's record and the contracts as they stand now. A command can be read before the record of the same
   * transaction, for each partition has a commit marker of its own; so while `judge` says `undefined` the next change of
   * the record is waited for. `undefined`: none came in time.
   */
  async judged<Judged>(
    key: string,
    partition: number,
    judge: (record: LedgerEntry | undefined, contracts: Contracts) => Judged | undefined,
    stop: AbortSignal,
  ): Promise<{ readonly judged: Judged; readonly record: LedgerEntry | undefined } | undefined> {
    const enough = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)]);
    let changed: () => void = () => undefined;
    const unwatch = this.#ledger.onChange((at) => {
      if (at === key) changed();
    });
    try {
      const [records, agents] = await this.#reader.bounds([
        { topic: LEDGER.name, partition },
        { topic: AGENTS.name, partition: 0 },
      ]);
      const read = [this.#ledger.until(partition, records?.end ?? 0n), this.#contracts.until(agents?.end ?? 0n)];
      await Promise.race([Promise.all(read), aborted(enough)]);
      for (;;) {
        stop.throwIfAborted();
        const change = new Promise<void>((resolve) => (changed = resolve));
        const record = await this.#ledger.get(key);
        const judged = judge(record, this.#contracts.current);
        if (judged !== undefined) return { judged, record };
        if (enough.aborted) return undefined;
        await Promise.race([change, aborted(enough)]);
      }
    } finally {
      unwatch();
    }
  }

  async record(key: string): Promise<LedgerEntry | undefined> {
    return this.#ledger.get(key);
  }

  async input(key: string, partition: number, stop: AbortSignal): Promise<TaskInput | undefined> {
    const [bounds] = await this.#reader.bounds([{ topic: INPUTS.name, partition }]);
    const enough = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)]);
    await Promise.race([this.#inputs.until(partition, bounds?.end ?? 0n), aborted(enough)]);
    stop.throwIfAborted();
    return this.#inputs.get(key);
  }
}

/** Resolves when the signal aborts. */
const aborted = async (signal: AbortSignal): Promise<void> => {
  await delay(2 * PATIENCE_MS, undefined, { signal, ref: false }).catch(() => undefined);
};
