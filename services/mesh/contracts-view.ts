import type { LogReader, LogRecord } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { foldContracts, NO_CONTRACTS, type Contracts } from '../../topology/agent/contracts.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { AGENTS } from '../../topology/topics.js';

export type ContractsViewEvents = {
  /** A record that cannot be read was passed over, as every task passes it over. */
  readonly onUnreadable: (at: Coordinates, detail: string) => void;
  /** The reading ended for good; the view is not to be trusted any more. */
  readonly onFailed: (error: unknown) => void;
};

/** The agents topic, folded as every ledger task folds it. */
export class ContractsView {
  readonly #reader: LogReader;
  readonly #serdes: Serdes;
  readonly #events: ContractsViewEvents;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<(contracts: Contracts, record: AgentRecord) => void>();
  readonly #waiting = new Set<() => void>();
  #contracts: Contracts = NO_CONTRACTS;
  #next = 0n;
  #loop: Promise<void> = Promise.resolve();
  #broken: { readonly error: unknown } | undefined;

  constructor(reader: LogReader, serdes: Serdes, events: ContractsViewEvents) {
    this.#reader = reader;
    this.#serdes = serdes;
    this.#events = events;
  }

  get current(): Contracts {
    return this.#contracts;
  }

  /** Reads the topic from its beginning and follows it; resolves once what was there is folded. */
  async start(): Promise<void> {
    const partition = { topic: AGENTS.name, partition: 0 };
    const [bounds] = await this.#reader.bounds([partition]);
    const from = bounds?.low ?? 0n;
    this.#next = from;
    this.#loop = this.#reader
      .read(
        partition,
        { from },
        async ({ records, next }) => {
          await this.#serdes.prepare(
            AGENTS,
            records.flatMap(({ value }) => (value === null ? [] : [value])),
          );
          for (const record of records) this.#fold(record);
          this.#next = next;
          this.#wake();
        },
        this.#abort.signal,
      )
      .catch((error: unknown) => {
        if (this.#abort.signal.aborted) return;
        this.#broken = { error };
        this.#events.onFailed(error);
        this.#wake();
      });
    await this.until(bounds?.end ?? 0n);
  }

  onChange(listener: (contracts: Contracts, record: AgentRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once everything before `offset` is folded, or the view was stopped. @throws what ended the reading */
  async until(offset: bigint): Promise<void> {
    while (this.#next < offset && !this.#abort.signal.aborted) {
      if (this.#broken !== undefined) throw this.#broken.error;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#wake();
    await this.#loop;
  }

  #fold({ offset, time, unreadable, value }: LogRecord): void {
    const read =
      unreadable !== undefined
        ? ({ kind: 'failed', ...unreadable } as const)
        : value !== null && this.#serdes.deserialize(AGENTS, value);
    if (read !== false && read.kind === 'value') {
      this.#contracts = foldContracts(this.#contracts, read.value, offset, time);
      for (const listener of this.#listeners) listener(this.#contracts, read.value);
      return;
    }
    this.#contracts = { ...this.#contracts, offset };
    if (read !== false) this.#events.onUnreadable({ topic: AGENTS.name, partition: 0, offset }, read.detail);
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
