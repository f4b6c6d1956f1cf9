import type {
  EncodedRequest,
  ProduceArguments,
  Protocol,
  RequestDefinition,
  RequestTable,
} from '../kafkajs-internals.js';
import { encodeRecordBatch } from '../record-batch-encoder.js';

/** kafkajs uses one layout from here on. */
const FIRST_VERSION = 3;

/**
 * kafkajs writes every record through an encoder of its own with a zero-filled buffer of its own, computes the checksum
 * byte by byte, and copies the whole thing at each level: a third of its time under load. This writes a partition's
 * batch at once. What it does not write (compression) is left to kafkajs.
 */
export function correctProduceEncoding(require: NodeJS.Require): void {
  const { requests } = require('kafkajs/src/protocol/requests') as { requests: RequestTable };
  const original: RequestDefinition<ProduceArguments> = requests.Produce;
  requests.Produce = {
    versions: original.versions,
    protocol: ({ version }) => {
      const protocol = original.protocol({ version });
      return (options): Protocol<unknown> => {
        const stock = protocol(options);
        const ours = version >= FIRST_VERSION && (options.compression ?? 0) === 0;
        return ours
          ? { ...stock, request: { ...stock.request, encode: () => Promise.resolve(encodeProduce(options)) } }
          : stock;
      };
    },
  };
}

/** The body of a Produce request, version 3 to 8. */
export function encodeProduce(options: ProduceArguments, timestamp = Date.now()): EncodedRequest {
  const { transactionalId = null, acks, timeout, topicData, producerId = -1, producerEpoch = 0 } = options;
  const pieces: Buffer[] = [nullableString(transactionalId), int16(acks), int32(timeout), int32(topicData.length)];
  const identity = {
    producerId: BigInt(producerId.toString()),
    producerEpoch,
    transactional: transactionalId !== null,
    timestamp,
  };
  for (const { topic, partitions } of topicData) {
    pieces.push(nullableString(topic), int32(partitions.length));
    for (const { partition, messages, firstSequence = 0 } of partitions) {
      const batch = encodeRecordBatch(messages, { ...identity, firstSequence });
      pieces.push(int32(partition), int32(batch.length), batch);
    }
  }
  const buf = Buffer.concat(pieces);
  return { buf, buffer: buf, offset: buf.length, size: () => buf.length };
}

function int16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function nullableString(value: string | null): Buffer {
  if (value === null) return int16(-1);
  const bytes = Buffer.from(value);
  return Buffer.concat([int16(bytes.length), bytes]);
}
