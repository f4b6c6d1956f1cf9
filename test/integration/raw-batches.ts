import { corrected } from '../../infra/kafka/corrected-kafkajs.js';
import { encodeProduce } from '../../infra/kafka/corrections/produce-encoding.js';
import { crc32c } from '../../infra/kafka/crc32c.js';
import { PATIENT_RETRY } from '../../infra/kafka/kafka-config.js';
import { createCluster } from '../../infra/kafka/open-cluster.js';
import { ATTRIBUTE, BATCH, LOG_OVERHEAD } from '../../infra/kafka/record-batch.js';
import { encodeRecordBatch, type EncodableRecord } from '../../infra/kafka/record-batch-encoder.js';
import { TopicMetadata } from '../../infra/kafka/topic-metadata.js';
import type { PartitionRef } from '../../infra/streams/ports.js';
import { silent, testConnection } from './kafka-fixture.js';

const IDENTITY = {
  producerId: -1n,
  producerEpoch: -1,
  firstSequence: -1,
  transactional: false,
  timestamp: 1_700_000_000_000,
};

/** A batch as it lies on the log; `change` alters it before the checksum is computed. */
export const batchOf = (
  records: readonly EncodableRecord[],
  offset = 0n,
  change: (batch: Buffer) => void = () => undefined,
): Buffer => {
  const batch = encodeRecordBatch(records, IDENTITY);
  batch.writeBigInt64BE(offset, BATCH.baseOffset);
  change(batch);
  batch.writeUInt32BE(crc32c(batch, BATCH.attributes), BATCH.crc);
  return batch;
};

/** The batch with its records compressed, or with whatever stands in for that. */
export const packed = (plain: Buffer, codec: number, pack: (records: Buffer) => Buffer): Buffer => {
  const batch = Buffer.concat([plain.subarray(0, BATCH.records), pack(plain.subarray(BATCH.records))]);
  batch.writeInt32BE(batch.length - LOG_OVERHEAD, BATCH.length);
  batch.writeInt16BE(codec & ATTRIBUTE.compression, BATCH.attributes);
  batch.writeUInt32BE(crc32c(batch, BATCH.attributes), BATCH.crc);
  return batch;
};

const PRODUCE_VERSION = 7;

/** Writes the batch as it is. Resolves with the broker's error code, 0 for none, and the first offset. */
export const produceRaw = async (
  { topic, partition }: PartitionRef,
  batch: Buffer,
): Promise<{ readonly errorCode: number; readonly offset: bigint }> => {
  const { cluster } = createCluster(testConnection(), silent, { retry: PATIENT_RETRY });
  try {
    await cluster.connect();
    const metadata = new TopicMetadata(cluster);
    await metadata.know([topic]);
    const broker = await cluster.findBroker({ nodeId: metadata.leaderId({ topic, partition }) });
    const head = { acks: -1, timeout: 10_000, topicData: [{ topic, partitions: [{ partition, messages: [] }] }] };
    const { request } = corrected().internals.requests.Produce.protocol({ version: PRODUCE_VERSION })(head);
    // The body up to the batch's length, then the batch.
    const empty = encodeProduce(head).buf;
    const length = Buffer.alloc(4);
    length.writeInt32BE(batch.length);
    const buf = Buffer.concat([empty.subarray(0, empty.length - BATCH.records - 4), length, batch]);
    const encoded = { buf, buffer: buf, offset: buf.length, size: () => buf.length };
    return await broker.connectionPool.send({
      request: { ...request, encode: () => Promise.resolve(encoded) },
      response: {
        decode: (payload: Buffer) => {
          // One topic of one partition: two counts, its name, its number.
          const at = 4 + 2 + Buffer.byteLength(topic) + 4 + 4;
          return Promise.resolve({ errorCode: payload.readInt16BE(at), offset: payload.readBigInt64BE(at + 2) });
        },
        parse: (answer: { errorCode: number; offset: bigint }) => Promise.resolve(answer),
      },
    });
  } finally {
    await cluster.disconnect();
  }
};
