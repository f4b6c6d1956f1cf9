import { createHash } from 'node:crypto';
import { AvroCodec } from '../../infra/registry/avro-codec.js';
import { readFrame } from '../../infra/registry/frame.js';
import { openRegistryClient, type RegistryClient } from '../../infra/registry/registry-client.js';
import type { RegistryConnection } from '../../infra/registry/registry-connection.js';
import { schemaStanding, type SchemaStanding } from '../../infra/registry/schema-standing.js';
import type { LogReader, LogRecord } from '../../infra/streams/ports.js';
import { partitionOf } from '../../topology/kit/partition.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import type { Topic } from '../../topology/kit/topology.js';
import { REPUBLISHED_HEADER } from '../../topology/rewritten.js';
import { PartitionerGuess } from './partitioners.js';
import { findingsOf, REMARKS, type Finding, type FindingCode } from './record-findings.js';

/** A finding, with where it was met and who wrote the record (`ce_source`; empty: it does not say). */
export type PlacedFinding = Finding & { readonly at: Coordinates; readonly source: string };

export type TopicReport = {
  readonly topic: string;
  readonly read: number;
  /** Records with nothing but remarks. */
  readonly clean: number;
  readonly counts: ReadonlyMap<FindingCode, number>;
  /** The first of each kind. */
  readonly examples: readonly PlacedFinding[];
  /** Sources whose records lie in wrong partitions, and how they seem to choose. */
  readonly partitioners: readonly { readonly source: string; readonly misrouted: number; readonly seems: string }[];
};

export type From = 'beginning' | 'latest' | number;

export type CheckOptions = {
  readonly topic: Topic<unknown>;
  /** As the topic is called in the cluster. */
  readonly topicName: string;
  readonly partitions: number;
  /** A number: so many of the last offsets of each partition. */
  readonly from: From;
  /** At most so many records in all. */
  readonly limit: number;
  /** Examples of each kind of finding. */
  readonly examples: number;
  readonly reader: LogReader;
  readonly registry: RegistryConnection;
  /** Ends a check that follows the topic. */
  readonly signal: AbortSignal;
};

/** Looks at the records of a topic as they lie there. @throws HoldfastError broker or registry give no answer */
export const checkTopic = async (options: CheckOptions): Promise<TopicReport> => {
  const { topic, partitions, from, reader, signal } = options;
  const check = new TopicCheck(options);
  const refs = Array.from({ length: partitions }, (_, partition) => ({ topic: topic.name, partition }));
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal]);
  let turn: Promise<void> = Promise.resolve();
  await Promise.all(
    (await reader.bounds(refs)).map(async ({ low, end, partition }) => {
      const start = from === 'beginning' ? low : from === 'latest' ? end : max(low, end - BigInt(from));
      if (from !== 'latest' && start >= end) return;
      const range = from === 'latest' ? { from: start } : { from: start, to: end };
      const reading = reader.read(
        { topic: topic.name, partition },
        range,
        ({ records }) => {
          turn = turn
            .then(() => check.take(records))
            .then(() => {
              if (check.isFull) enough.abort();
            });
          return turn;
        },
        until,
      );
      await reading.catch((error: unknown) => {
        if (!until.aborted) throw error;
      });
    }),
  );
  return check.report();
};

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Events of one topic that are remembered, to find those that come again. */
const EVENTS_KEPT = 1_000_000;

class TopicCheck {
  readonly #options: CheckOptions;
  readonly #client: RegistryClient;
  readonly #codec = new AvroCodec([]);
  readonly #standings = new Map<number, SchemaStanding>();
  readonly #partitioners = new Map<string, PartitionerGuess>();
  readonly #events = new Map<string, string>();
  readonly #counts = new Map<FindingCode, number>();
  readonly #examples: PlacedFinding[] = [];
  #read = 0;
  #clean = 0;

  constructor(options: CheckOptions) {
    this.#options = options;
    this.#client = openRegistryClient(options.registry);
  }

  get isFull(): boolean {
    return this.#read >= this.#options.limit;
  }

  async take(records: readonly LogRecord[]): Promise<void> {
    const wanted = records.slice(0, this.#options.limit - this.#read);
    await this.#learn(wanted);
    for (const record of wanted) this.#look(record);
    this.#read += wanted.length;
  }

  report(): TopicReport {
    return {
      topic: this.#options.topicName,
      read: this.#read,
      clean: this.#clean,
      counts: this.#counts,
      examples: this.#examples,
      partitioners: [...this.#partitioners].flatMap(([source, { misrouted, words }]) =>
        words === undefined ? [] : [{ source, misrouted, seems: words }],
      ),
    };
  }

  async #learn(records: readonly LogRecord[]): Promise<void> {
    const { registry, topicName } = this.#options;
    for (const id of this.#codec.unknownIds(records.flatMap(({ value }) => (value === null ? [] : [value])))) {
      if (this.#standings.has(id)) continue;
      const known = await this.#client.schemaById(id);
      if (known.kind !== 'missing') this.#codec.learn(id, known);
      this.#standings.set(id, await schemaStanding(registry, topicName, id, known));
    }
  }

  #look(record: LogRecord): void {
    const { topic } = this.#options;
    const { value, headers, partition, offset } = record;
    const frame = value === null ? undefined : readFrame(value);
    const standing = frame?.kind === 'frame' ? this.#standings.get(frame.schemaId) : undefined;
    const decoded = value === null ? undefined : this.#codec.deserialize(topic, value);
    const source = headers.ce_source === undefined ? '' : Buffer.from(headers.ce_source).toString();
    const findings = [
      ...findingsOf({ topic, record, decoded, standing }),
      // What the dispatcher has put right says nothing about the producer (R58).
      ...(headers[REPUBLISHED_HEADER] === undefined ? this.#habits(source, record) : []),
    ];
    if (findings.every(({ code }) => REMARKS.has(code))) this.#clean += 1;
    for (const finding of findings) this.#count({ ...finding, at: { topic: topic.name, partition, offset }, source });
  }

  /** What its producer did with the record, as other records of the same one show. */
  #habits(source: string, record: LogRecord): readonly Finding[] {
    const { topic, partitions } = this.#options;
    const { key, partition } = record;
    const placed = topic.partitioning === 'by-key' && key !== null;
    return [...(placed ? this.#place(source, key, partition, partitions) : []), ...this.#eventFindings(record)];
  }

  #place(source: string, key: Uint8Array, partition: number, partitions: number): readonly Finding[] {
    const guess = this.#partitioners.get(source) ?? new PartitionerGuess();
    this.#partitioners.set(source, guess);
    if (guess.add(key, partition, partitions)) return [];
    const home = partitionOf(key, partitions);
    return [{ code: 'wrong-partition', detail: `murmur2 of the key is partition ${home} of ${partitions}` }];
  }

  /** The same event from the same source: once more, or with other content (R17). */
  #eventFindings({ headers, key, value }: LogRecord): readonly Finding[] {
    const { ce_id: id, ce_source: source } = headers;
    if (id === undefined || source === undefined) return [];
    const event = hashed([source, id]);
    const content = hashed([key, value]);
    const before = this.#events.get(event);
    if (before === undefined && this.#events.size < EVENTS_KEPT) this.#events.set(event, content);
    if (before === undefined) return [];
    const name = JSON.stringify(Buffer.from(id).toString());
    return before === content
      ? [{ code: 'event-repeated', detail: `event ${name} was written before: it is judged once` }]
      : [{ code: 'event-reused', detail: `event ${name} was written before with other content` }];
  }

  #count(finding: PlacedFinding): void {
    const count = (this.#counts.get(finding.code) ?? 0) + 1;
    this.#counts.set(finding.code, count);
    if (count <= this.#options.examples) this.#examples.push(finding);
  }
}

const hashed = (parts: readonly (Uint8Array | null)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part?.length ?? -1}:`).update(part ?? '');
  return hash.digest('base64');
};
