import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import type { Fetched, LogReader, LogRecord, StateStore } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import type { Topic } from '../../topology/kit/topology.js';

export type TopicTableOptions<Value> = {
  readonly topic: Topic<Value>;
  readonly partitions: number;
  readonly reader: LogReader;
  readonly serdes: Serdes;
  readonly store: StateStore;
  /** Names under which an entry is found besides its key. */
  readonly indexes?: (key: string, value: Value) => readonly string[];
  /** Entries that are not wanted (internal ones, closed ones) are as good as deleted. */
  readonly keep?: (key: string, value: Value) => boolean;
  /** A record that cannot be read was passed over: the entry stays as it was before. */
  readonly onUnreadable: (at: Coordinates, detail: string) => void;
  /** A reading loop ended for good; the table is not to be trusted any more. */
  readonly onFailed: (error: unknown) => void;
};

/** An entry changed; `undefined`: it was deleted. */
export type TableListener<Value> = (key: string, value: Value | undefined, partition: number) => void;

/**
 * A compacted topic materialised in a store of its own: the latest value by key, found by index as well. Reads without a
 * group; what it has read survives a restart with the store. Read committed, eventually: `until` waits for a position.
 */
export class TopicTable<Value> {
  readonly #options: TopicTableOptions<Value>;
  readonly #abort = new AbortController();
  readonly #positions = new Map<number, bigint>();
  readonly #listeners = new Set<TableListener<Value>>();
  readonly #waiting = new Set<() => void>();
  #loops: readonly Promise<void>[] = [];
  #broken: { readonly error: unknown } | undefined;

  constructor(options: TopicTableOptions<Value>) {
    this.#options = options;
    // One reader a partition listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Replays what is new and follows from then on; resolves once it has read what was committed when it was called. */
  async start(): Promise<void> {
    const { topic, partitions, reader } = this.#options;
    const refs = Array.from({ length: partitions }, (_, partition) => ({ topic: topic.name, partition }));
    const bounds = await reader.bounds(refs);
    this.#loops = bounds.map(async ({ partition, low, end }) => {
      const from = await this.#storedPosition(partition);
      this.#positions.set(partition, from === undefined || from < low || from > end ? low : from);
    });
    await Promise.all(this.#loops);
    this.#loops = refs.map((ref) => this.#follow(ref.partition));
    await Promise.all(bounds.map(({ partition, end }) => this.until(partition, end)));
  }

  async get(key: string): Promise<Value | undefined> {
    const [bytes] = await this.#options.store.getMany([valueKey(key)]);
    return bytes === undefined ? undefined : this.#decode(bytes);
  }

  /** Keys of the entries found under an index, in order of key. */
  async find(index: string): Promise<readonly string[]> {
    const prefix = indexPrefix(index);
    const rows = await this.#options.store.range({ from: `${prefix}/`, to: `${prefix}0`, limit: MAX_FOUND });
    return rows.map(([, key]) => Buffer.from(key).toString());
  }

  /** All entries, in order of key. */
  async *entries(): AsyncGenerator<readonly [key: string, value: Value]> {
    let from = VALUE;
    for (;;) {
      const rows = await this.#options.store.range({ from, to: VALUE_END, limit: PAGE });
      for (const [stored, bytes] of rows) {
        const value = this.#decode(bytes);
        if (value !== undefined) yield [stored.slice(VALUE.length), value];
      }
      const last = rows.at(-1)?.[0];
      if (last === undefined || rows.length < PAGE) return;
      from = `${last}\u0000`;
    }
  }

  /** Called for every change, in order within a partition. Returns how to stop it. */
  onChange(listener: TableListener<Value>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves once everything before `offset` of the partition is in the table, or the table was stopped.
   * @throws what ended the reading, of whichever partition
   */
  async until(partition: number, offset: bigint): Promise<void> {
    while ((this.#positions.get(partition) ?? 0n) < offset && !this.#abort.signal.aborted) {
      if (this.#broken !== undefined) throw this.#broken.error;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#wake();
    await Promise.allSettled(this.#loops);
    await this.#options.store.close();
  }

  async #follow(partition: number): Promise<void> {
    const { topic, reader, onFailed } = this.#options;
    const from = this.#positions.get(partition) ?? 0n;
    try {
      await reader.read(
        { topic: topic.name, partition },
        { from },
        (fetched) => this.#take(fetched),
        this.#abort.signal,
      );
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#broken ??= { error };
      onFailed(error);
      this.#wake();
    }
  }

  async #take({ partition, records, next }: Fetched): Promise<void> {
    const { serdes, topic, store } = this.#options;
    const values = records.flatMap(({ value }) => (value === null ? [] : [value]));
    await serdes.prepare(topic, values);
    // The last record of a key is all that counts, and writes of one batch must not hide each other's indexes.
    const latest = new Map<string, Latest<Value>>();
    for (const record of records) {
      const read = this.#read(record);
      if (read.kind === 'latest') latest.set(read.key, read);
      else this.#options.onUnreadable({ topic: topic.name, partition, offset: record.offset }, read.detail);
    }
    const before = await store.getMany([...latest.keys()].map(valueKey));
    const entries: (readonly [string, Uint8Array | undefined])[] = [
      [positionKey(partition), Buffer.from(String(next))],
    ];
    const changes: { readonly key: string; readonly value: Value | undefined }[] = [];
    for (const [index, [key, { bytes, value }]] of [...latest].entries()) {
      const old = before[index];
      if (old === undefined && value === undefined) continue;
      for (const name of this.#indexesOf(key, old && this.#decode(old))) entries.push([indexKey(name, key), undefined]);
      for (const name of this.#indexesOf(key, value)) entries.push([indexKey(name, key), Buffer.from(key)]);
      entries.push([valueKey(key), value === undefined ? undefined : bytes]);
      changes.push({ key, value });
    }
    await store.write(entries);
    this.#positions.set(partition, next);
    for (const { key, value } of changes) for (const listener of this.#listeners) listener(key, value, partition);
    this.#wake();
  }

  /** Anybody who may write to the topic can write what is no entry of it: that deletes nothing. */
  #read({ key, value: bytes, unreadable }: LogRecord): Latest<Value> | Unreadable {
    if (unreadable !== undefined) return { kind: 'unreadable', detail: unreadable.detail };
    if (key === null) return { kind: 'unreadable', detail: 'the record has no key' };
    if (!isUtf8(key)) return { kind: 'unreadable', detail: 'the key is not UTF-8' };
    const name = Buffer.from(key).toString();
    if (bytes === null) return { kind: 'latest', key: name, bytes: undefined, value: undefined };
    const read = this.#options.serdes.deserialize(this.#options.topic, bytes);
    if (read.kind === 'failed') return { kind: 'unreadable', detail: read.detail };
    const keep = this.#options.keep?.(name, read.value) ?? true;
    return { kind: 'latest', key: name, bytes, value: keep ? read.value : undefined };
  }

  #indexesOf(key: string, value: Value | undefined): readonly string[] {
    return value === undefined ? [] : (this.#options.indexes?.(key, value) ?? []);
  }

  #decode(bytes: Uint8Array): Value | undefined {
    const read = this.#options.serdes.deserialize(this.#options.topic, bytes);
    return read.kind === 'value' ? read.value : undefined;
  }

  async #storedPosition(partition: number): Promise<bigint | undefined> {
    const [bytes] = await this.#options.store.getMany([positionKey(partition)]);
    return bytes === undefined ? undefined : BigInt(Buffer.from(bytes).toString());
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** What a record says about its key; `value` undefined: there is no entry. */
type Latest<Value> = {
  readonly kind: 'latest';
  readonly key: string;
  readonly bytes: Uint8Array | undefined;
  readonly value: Value | undefined;
};
type Unreadable = { readonly kind: 'unreadable'; readonly detail: string };

const PAGE = 500;
const MAX_FOUND = 1_000;
const VALUE = 'v/';
const VALUE_END = 'v0';
const valueKey = (key: string): string => `${VALUE}${key}`;
const positionKey = (partition: number): string => `p/${partition}`;
/** The index is written with its length, so that no index is the beginning of another one. */
const indexPrefix = (index: string): string => `x/${index.length}:${index}`;
const indexKey = (index: string, key: string): string => `${indexPrefix(index)}/${key}`;
