import { fullNameOf, subjects, type Subject } from '../../schemas/catalogue.js';
import { SCHEMAS, type RecordName } from '../../schemas/generated.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { Deserialized, Serdes } from '../streams/serdes.js';
import { avroType, type AvroSchema } from './avro-schema.js';
import { UnencodableError } from './errors.js';
import { readFrame } from './frame.js';
import { RecordCodec, type Writer } from './record-codec.js';

/** What an ID stands for in the registry. */
export type KnownSchema =
  { readonly kind: 'schema'; readonly schema: AvroSchema } | { readonly kind: 'unreadable'; readonly detail: string };

type Reading =
  | { readonly kind: 'writer'; readonly record: RecordName; readonly codec: RecordCodec; readonly writer: Writer }
  | Exclude<KnownSchema, { kind: 'schema' }>;

/** A schema under its ID, as the writer of one topic's record. */
export type Registered = Subject & { readonly id: number };

const CODECS = new Map(Object.entries(SCHEMAS).map(([record, schema]) => [record, new RecordCodec(schema)]));

/**
 * Avro in Confluent wire format for every topic of the catalogue, synchronous and total in reading. Knows no registry: what
 * a schema ID stands for is told to it, its own schemas' IDs at the start, others' by `learn`.
 */
export class AvroCodec {
  readonly #readings = new Map<number, Reading>();
  /** By topic, then by record name. */
  readonly #ids = new Map<string, Map<string, number>>();

  constructor(registered: readonly Registered[]) {
    for (const { topic, catalogueTopic, record, id, schema } of registered) {
      // Callers name a topic either way; the subject, and so the ID, is that of the topic as it is in the cluster.
      for (const name of new Set([topic, catalogueTopic]))
        this.#ids.set(name, (this.#ids.get(name) ?? new Map<string, number>()).set(record, id));
      this.learn(id, { kind: 'schema', schema: JSON.parse(schema) as AvroSchema });
    }
  }

  /** The schema IDs in these values of which nothing is known. */
  unknownIds(values: readonly Uint8Array[]): readonly number[] {
    const ids = new Set<number>();
    for (const value of values) {
      const frame = readFrame(value);
      if (frame.kind === 'frame' && !this.#readings.has(frame.schemaId)) ids.add(frame.schemaId);
    }
    return [...ids];
  }

  /** The schema IDs in these values that nothing on the topic can be read with: worth another question, now and then. */
  doubtfulIds({ records }: Topic<unknown>, values: readonly Uint8Array[]): readonly number[] {
    const ids = new Set<number>();
    for (const value of values) {
      const frame = readFrame(value);
      const reading = frame.kind === 'frame' ? this.#readings.get(frame.schemaId) : undefined;
      if (frame.kind === 'none' || reading === undefined) continue;
      if (reading.kind === 'unreadable' || !records.includes(reading.record)) ids.add(frame.schemaId);
    }
    return [...ids];
  }

  learn(id: number, known: KnownSchema): void {
    this.#readings.set(id, known.kind === 'schema' ? readingOf(known.schema) : known);
  }

  /** Why nothing that was written under this ID can be read; `undefined`: it can, or the ID is not known. */
  unreadable(id: number): string | undefined {
    const reading = this.#readings.get(id);
    return reading?.kind === 'unreadable' ? reading.detail : undefined;
  }

  serialize<Value>(topic: Topic<Value>, record: string, value: Value): Uint8Array {
    const id = this.#ids.get(topic.name)?.get(record);
    const codec = CODECS.get(record);
    if (id === undefined || codec === undefined)
      throw new UnencodableError(record, topic.name, 'the catalogue has no such record on this topic');
    try {
      return codec.encode(id, value);
    } catch (error) {
      throw new UnencodableError(record, topic.name, error instanceof Error ? error.message : String(error), error);
    }
  }

  deserialize<Value>(topic: Topic<Value>, bytes: Uint8Array): Deserialized<Value> {
    const frame = readFrame(bytes);
    if (frame.kind === 'none') return undecodable(frame.detail);
    const reading = this.#readings.get(frame.schemaId);
    if (reading === undefined)
      return { kind: 'failed', reason: 'unknown-schema', detail: `the registry has no schema ${frame.schemaId}` };
    if (reading.kind === 'unreadable') return undecodable(`schema ${frame.schemaId}: ${reading.detail}`);
    const { record, codec, writer } = reading;
    if (!topic.records.includes(record)) return undecodable(`a ${record} does not belong on ${topic.name}`);
    const read = codec.decode(writer, bytes);
    if (read.kind === 'failed') return undecodable(`${record}: ${read.detail}`);
    // What a schema gives is what topology's types say: a test compares the two at compile time.
    return { kind: 'value', value: read.value as Value };
  }
}

const undecodable = (detail: string): Extract<Deserialized<never>, { kind: 'failed' }> => ({
  kind: 'failed',
  reason: 'undecodable',
  detail,
});

const RECORD_BY_FULL_NAME = new Map([...CODECS].map(([record, codec]) => [codec.fullName, record]));

const readingOf = (schema: AvroSchema): Reading => {
  const fullName = nameOf(schema);
  const record = RECORD_BY_FULL_NAME.get(fullName);
  const codec = record === undefined ? undefined : CODECS.get(record);
  if (record === undefined || codec === undefined)
    return { kind: 'unreadable', detail: `${fullName} is no record of ${fullNameOf('*')}` };
  try {
    return { kind: 'writer', record: record as RecordName, codec, writer: codec.writer(schema) };
  } catch (error) {
    return { kind: 'unreadable', detail: error instanceof Error ? error.message : String(error) };
  }
};

/** Whether values of both are the same bytes. @throws Error one is no valid Avro */
export const isSameSchema = (a: AvroSchema, b: AvroSchema): boolean =>
  avroType(a).fingerprint('sha256').equals(avroType(b).fingerprint('sha256'));

const nameOf = (schema: AvroSchema): string => {
  if (typeof schema === 'string') return schema;
  if (!('fields' in schema)) return 'a schema that is no record';
  const { name, namespace } = schema;
  return namespace === undefined || name.includes('.') ? name : `${namespace}.${name}`;
};

/** Serdes without a registry, for tests and for what stays in one process: IDs are numbers of the catalogue. */
export const inMemorySerdes = (prefix = ''): Serdes => {
  const codec = new AvroCodec(subjects(prefix).map((subject, index) => ({ ...subject, id: index + 1 })));
  return {
    prepare: () => Promise.resolve(),
    serialize: (topic, record, value) => codec.serialize(topic, record, value),
    deserialize: (topic, bytes) => codec.deserialize(topic, bytes),
  };
};
