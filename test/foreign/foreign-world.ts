import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConfig } from '../../infra/config/config.js';
import type { LogRecord } from '../../infra/streams/ports.js';
import { SCHEMAS, type RecordName } from '../../schemas/generated.js';
import { startDispatcher } from '../../services/dispatcher/dispatcher-service.js';
import { startLedger } from '../../services/ledger/ledger-service.js';
import { Mesh } from '../../services/mesh/mesh.js';
import type { Topic } from '../../topology/kit/topology.js';
import { silent } from '../integration/kafka-fixture.js';
import { MeshWorld } from '../integration/mesh-world.js';
import { topicOf } from '../unit/schemas/arbitraries.js';
import { avroJson, jsonText } from './avro-json.js';

export const PARTITIONS = 6;

/** Values of one record, to be written in order. */
export type Batch = { readonly record: RecordName; readonly values: readonly unknown[] };

/** A record of a topic with its value, as Holdfast's serdes read it. */
export type Read<Value> = { readonly record: LogRecord; readonly value: Value };

/** Holdfast's topics and schemas, and what foreign programs are told of them. */
export class ForeignWorld extends MeshWorld {
  #plans = 0;

  constructor(agents: readonly AgentConfig[] = []) {
    super('foreign', PARTITIONS, { dispatcher: { recheckMs: [100, 300], sendTimeoutMs: 5_000 }, agents });
  }

  async startLedger(): Promise<void> {
    this.services.push(await startLedger(this.config, this.serdes, silent));
  }

  async startDispatcher(): Promise<void> {
    this.services.push(await startDispatcher(new Mesh('dispatcher', this.config, this.serdes, silent)));
  }

  /** Where a foreign program finds Kafka and the registry: its argument. */
  get kafka(): string {
    return JSON.stringify({ brokers: this.config.kafka.brokers.join(','), registry: this.config.registry.url });
  }

  topic(name: string): string {
    return `${this.prefix}${name}`;
  }

  /** A file that says what a foreign program is to write or to expect: the n-th value of a batch is event `<record>-<n>`. */
  plan(source: string, batches: readonly Batch[]): string {
    this.#plans += 1;
    const own = join(this.stateDir, `plan-${this.#plans}`);
    const planned = batches.map(({ record, values }, index) => {
      const file = `${own}-${index}.jsonl`;
      writeFileSync(file, values.map((value) => `${jsonText(avroJson(SCHEMAS[record], value))}\n`).join(''));
      return { topic: this.topic(topicOf(record).name), record, prefix: `${index}-${record}-`, values: file };
    });
    writeFileSync(`${own}.json`, JSON.stringify({ source, batches: planned }));
    return `${own}.json`;
  }

  /** All that is committed on a topic now, in order of partition and offset. @throws Error one cannot be read */
  read<Value>(topic: Topic<Value>): Promise<readonly Read<Value>[]> {
    return this.reading(topic)();
  }

  /** Reads what a topic holds, and with every further call what has come since. @throws Error one cannot be read */
  reading<Value>(topic: Topic<Value>): () => Promise<readonly Read<Value>[]> {
    const next = new Map<number, bigint>();
    return async () => {
      const { reader } = this.mesh.clients;
      const count = (await this.mesh.clients.partitionCounts([topic.name])).get(topic.name) ?? 0;
      const refs = Array.from({ length: count }, (_, partition) => ({ topic: topic.name, partition }));
      const found = await Promise.all(
        (await reader.bounds(refs)).map(async ({ low, end, ...ref }) => {
          const records: LogRecord[] = [];
          const from = next.get(ref.partition) ?? low;
          next.set(ref.partition, end);
          if (from < end)
            await reader.read(ref, { from, to: end }, (fetched) => {
              records.push(...fetched.records);
              return Promise.resolve();
            });
          return records;
        }),
      );
      const records = found.flat();
      await this.serdes.prepare(
        topic,
        records.flatMap(({ value }) => (value === null ? [] : [value])),
      );
      return records.map((record) => ({ record, value: this.#valueOf(topic, record) }));
    };
  }

  #valueOf<Value>(topic: Topic<Value>, { value, partition, offset }: LogRecord): Value {
    const read = value === null ? undefined : this.serdes.deserialize(topic, value);
    if (read?.kind === 'value') return read.value;
    throw new Error(`${topic.name}/${partition}/${offset.toString()}: ${read?.detail ?? 'no value'}`);
  }
}
