import type { LogReader } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { foldContracts, NO_CONTRACTS, type Contracts } from '../../topology/agent/contracts.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { AGENTS } from '../../topology/topics.js';

/** The agents topic, folded as every ledger task folds it. */
export class ContractsView {
  readonly #reader: LogReader;
  readonly #serdes: Serdes;
  readonly #onFailed: (error: unknown) => void;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<(contracts: Contracts, record: AgentRecord) => void>();
  readonly #waiting = new Set<() => void>();
  #contracts: Contracts = NO_CONTRACTS;
  #next = 0n;
  #loop: Promise<void> = Promise.resolve();
  #broken: { readonly error: unknown } | undefined;

  constructor(reader: LogReader, serdes: Serdes, onFailed: (error: unknown) => void) {
    this.#reader = reader;
    this.#serdes = serdes;
    this.#onFailed = onFailed;
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
          for (const { value, offset, time } of records) if (value !== null) this.#fold(value, offset, time);
          this.#next = next;
          this.#wake();
        },
        this.#abort.signal,
      )
      .catch((error: unknown) => {
        if (this.#abort.signal.aborted) return;
        this.#broken = { error };
        this.#onFailed(error);
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

  #fold(bytes: Uint8Array, offset: bigint, time: number): void {
    const read = this.#serdes.deserialize(AGENTS, bytes);
    if (read.kind === 'failed') {
      this.#contracts = { ...this.#contracts, offset };
      return;
    }
    this.#contracts = foldContracts(this.#contracts, read.value, offset, time);
    for (const listener of this.#listeners) listener(this.#contracts, read.value);
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
