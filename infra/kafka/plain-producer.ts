/**
 * The idempotent, not transactional producer of gateways, the dispatcher and simulations: their records go to topics
 * that others write too, where an aborted transaction would hold readers up.
 *
 * kafkajs takes the sequence numbers of a failed batch back and then lets whatever waits for the connection go first,
 * under those numbers: the broker takes it for a repetition and drops it, acknowledged. So there is one batch on the way
 * at a time, and after a failure that outlasted kafkajs's own repetitions a new producer.
 */
import type { Producer } from 'kafkajs';
import type { HoldfastError } from '../errors.js';
import { BaseOffsetError, BrokerError } from '../streams/errors.js';
import type { NewRecord, PartitionRef, Position } from '../streams/ports.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { corrected } from './corrected-kafkajs.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { PATIENT_RETRY } from './kafka-config.js';
import { BrokerRefusedError, RecordTooLargeError, translate } from './kafka-errors.js';
import { createCluster } from './open-cluster.js';
import { sending } from './produce-batch.js';
import { TopicMetadata } from './topic-metadata.js';

/** A record whose partition, unless named, follows from its key as for every producer of the topic (murmur2). */
export type PlainRecord = Omit<NewRecord, 'partition'> & {
  readonly partition?: number;
  /** Creation time, ms; now, if not said. Records of one batch have the time of its first one. */
  readonly time?: number;
};

export type PlainProducer = {
  /**
   * Writes the records, acknowledged by all replicas, those of one partition in their order; resolves with the
   * coordinates of each. When it rejects, some may have been written all the same: write them again under the same event
   * ID. @throws BrokerError, RecordTooLargeError, BrokerRefusedError, TopicMissingError
   */
  readonly send: (records: readonly PlainRecord[]) => Promise<readonly Position[]>;
  /** Waits for what was sent, then closes. */
  readonly close: () => Promise<void>;
};

type Job = {
  readonly records: readonly NewRecord[];
  readonly bytes: number;
  readonly resolve: (coordinates: readonly Position[]) => void;
  readonly reject: (error: HoldfastError) => void;
};

const MAX_BATCH_BYTES = 512 * 1024;
/** What the topics of Holdfast take (`services/topic-specs.ts`), less what surrounds a record. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024 - 4_096;

/** A producer; it connects when something is sent. */
export function createPlainProducer(connection: KafkaConnection, logger: KafkaLogger): PlainProducer {
  return new QueuedProducer(connection, logger);
}

class QueuedProducer implements PlainProducer {
  readonly #connection: KafkaConnection;
  readonly #logger: KafkaLogger;
  readonly #queue: Job[] = [];
  #session: Promise<Session> | undefined;
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(connection: KafkaConnection, logger: KafkaLogger) {
    this.#connection = connection;
    this.#logger = logger;
  }

  readonly send = async (records: readonly PlainRecord[]): Promise<readonly Position[]> => {
    if (this.#closed) throw new BrokerError('the producer was closed');
    if (records.length === 0) return [];
    const sizes = records.map(sizeOf);
    const largest = Math.max(...sizes);
    if (largest > MAX_RECORD_BYTES)
      throw new RecordTooLargeError(`a record of ${largest} bytes is larger than the topics of Holdfast take`);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const placed = await this.#placed(records);
    return new Promise((resolve, reject) => {
      this.#queue.push({ records: placed, bytes, resolve, reject });
      this.#draining ??= this.#drain();
    });
  };

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    await this.#draining;
    await this.#drop();
  };

  /** Names each record's partition. Without a key it cannot follow from anything. */
  async #placed(records: readonly PlainRecord[]): Promise<NewRecord[]> {
    if (records.every((record): record is NewRecord => record.partition !== undefined)) return [...records];
    const { metadata } = await this.#opened();
    await metadata.know([...new Set(records.map(({ topic }) => topic))]).catch((error: unknown) => {
      throw translate('looking for partitions', error);
    });
    return records.map((record) => {
      if (record.partition !== undefined) return { ...record, partition: record.partition };
      if (record.key === null)
        throw new BrokerRefusedError(`a record for ${record.topic} has neither partition nor key`);
      return { ...record, partition: partitionOf(record.key, metadata.partitionCount(record.topic)) };
    });
  }

  async #drain(): Promise<void> {
    for (let jobs = this.#next(); jobs.length > 0; jobs = this.#next()) {
      try {
        const { write } = await this.#opened();
        const coordinates: Position[] = [];
        for (const batch of batchesOf(jobs.flatMap(({ records }) => records)))
          coordinates.push(...(await write(batch)));
        let at = 0;
        for (const { records, resolve } of jobs) resolve(coordinates.slice(at, (at += records.length)));
      } catch (error) {
        const translated = translate('producing', error);
        await this.#drop();
        for (const { reject } of jobs) reject(translated);
      }
    }
    this.#draining = undefined;
  }

  /** What is written together: several sends while they are small, a large one alone. */
  #next(): Job[] {
    let bytes = 0;
    const count = this.#queue.findIndex((job) => (bytes += job.bytes) > MAX_BATCH_BYTES);
    return this.#queue.splice(0, count < 0 ? this.#queue.length : Math.max(count, 1));
  }

  #opened(): Promise<Session> {
    this.#session ??= openSession(this.#connection, this.#logger).catch((error: unknown) => {
      this.#session = undefined;
      throw translate('connecting to the brokers', error);
    });
    return this.#session;
  }

  async #drop(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.then(({ close }) => close()).catch(() => undefined);
  }
}

/** In their order, so many at a time that the broker takes them in one batch. */
function* batchesOf(records: readonly NewRecord[]): Generator<readonly NewRecord[]> {
  let batch: NewRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = sizeOf(record);
    if (batch.length > 0 && bytes + size > MAX_BATCH_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(record);
    bytes += size;
  }
  yield batch;
}

type Session = {
  readonly metadata: TopicMetadata;
  readonly write: (records: readonly NewRecord[]) => Promise<Position[]>;
  readonly close: () => Promise<void>;
};

/** One kafkajs producer: one producer ID, one run of sequence numbers. */
async function openSession(connection: KafkaConnection, logger: KafkaLogger): Promise<Session> {
  const { cluster, logger: kafkaLogger } = createCluster(connection, logger, { retry: PATIENT_RETRY });
  const producer: Producer = corrected().internals.createProducer({
    cluster,
    logger: kafkaLogger,
    retry: PATIENT_RETRY,
    idempotent: true,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition,
  });
  try {
    await producer.connect();
  } catch (error) {
    // Connected it may be, but refused a producer ID.
    await producer.disconnect().catch(() => undefined);
    throw error;
  }
  const ends = new Map<string, bigint>();
  const write = async (records: readonly NewRecord[]): Promise<Position[]> => {
    const acknowledged = new Map(
      (await producer.sendBatch(sending(records))).map((ack) => [
        `${ack.topicName}/${ack.partition}`,
        BigInt(ack.baseOffset ?? -1),
      ]),
    );
    for (const [key, base] of acknowledged) {
      const floor = ends.get(key) ?? 0n;
      if (base < floor) throw new BaseOffsetError(refOf(key), base, floor);
    }
    return records.map(({ topic, partition }) => {
      const key = `${topic}/${partition}`;
      const offset = acknowledged.get(key);
      if (offset === undefined) throw new BrokerError(`${key} was not acknowledged`);
      acknowledged.set(key, offset + 1n);
      ends.set(key, offset + 1n);
      return { topic, partition, offset };
    });
  };
  return { metadata: new TopicMetadata(cluster), write, close: () => producer.disconnect() };
}

function refOf(key: string): PartitionRef {
  const slash = key.lastIndexOf('/');
  return { topic: key.slice(0, slash), partition: Number(key.slice(slash + 1)) };
}

function sizeOf({ key, value, headers }: PlainRecord): number {
  const headerBytes = Object.entries(headers).reduce((sum, [name, header]) => sum + name.length + header.length + 4, 0);
  return (key?.length ?? 0) + (value?.length ?? 0) + headerBytes + 20;
}
