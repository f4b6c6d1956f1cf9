import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogRead } from '../../infra/kafka/log-read.js';
import type { ReadRange } from '../../infra/kafka/log-read.js';
import type { FetchedPartition } from '../../infra/kafka/fetch-protocol.js';
import { ATTRIBUTE, BATCH } from '../../infra/kafka/record-batch.js';
import { decodeBatches, eachRecord } from '../../infra/kafka/record-batch-decoder.js';
import type { EncodableRecord } from '../../infra/kafka/record-batch-encoder.js';
import { encodeRecordBatch } from '../../infra/kafka/record-batch-encoder.js';
import { crc32c } from '../../infra/kafka/crc32c.js';
import type { Fetched } from '../../infra/streams/ports.js';
import { readable, rejection } from './kafka-fixture.js';

const at = { topic: 't', partition: 0 };
const some = (value: string): EncodableRecord => ({ key: Buffer.from('k'), value: Buffer.from(value), headers: {} });

/** A batch as it lies on the log; `change` alters it before the checksum is computed. */
function batchAt(offset: bigint, values: readonly string[], change: (batch: Buffer) => void = () => undefined): Buffer {
  const identity = {
    producerId: 1n,
    producerEpoch: 0,
    firstSequence: 0,
    transactional: false,
    timestamp: 1_700_000_000_000,
  };
  const batch = encodeRecordBatch(values.map(some), identity);
  batch.writeBigInt64BE(offset, BATCH.baseOffset);
  change(batch);
  batch.writeUInt32BE(crc32c(batch, BATCH.attributes), BATCH.crc);
  return batch;
}

/** What the log cleaner leaves of a producer's last batch: its offsets, no records. */
const emptied = (offset: bigint, records: number): Buffer =>
  batchAt(offset, [], (batch) => {
    batch.writeInt32BE(records - 1, BATCH.lastOffsetDelta);
  });

const answer = (records: Buffer, lastStableOffset = 100n): FetchedPartition => ({
  ...at,
  errorCode: 0,
  lastStableOffset,
  aborted: [],
  records,
});

function reading(range: ReadRange): { read: LogRead; fetched: Fetched[] } {
  const fetched: Fetched[] = [];
  const read = new LogRead(
    at,
    range,
    (one) => {
      fetched.push(one);
      return Promise.resolve();
    },
    () => undefined,
  );
  return { read, fetched };
}

describe('the position of a reading', () => {
  it('should pass a batch that the cleaner emptied, though the next was cut off', async () => {
    const { read, fetched } = reading({ from: 4n, to: 7n });

    read.take(answer(Buffer.concat([emptied(4n, 2), batchAt(6n, ['cut off']).subarray(0, 70)])), false);
    expect(read.next).toBe(6n);
    await new Promise(setImmediate);
    read.take(answer(batchAt(6n, ['whole'])), false);
    await read.ended;

    expect(fetched.map(({ from, next, records }) => [from, next, records.map(readable)])).toStrictEqual([
      [4n, 6n, []],
      [6n, 7n, ['6 k=whole']],
    ]);
  });

  it('should pass stable offsets that nothing is left of, but not because an answer had no room', async () => {
    const { read, fetched } = reading({ from: 4n, to: 7n });

    read.take(answer(Buffer.alloc(0), 7n), false);
    read.take(answer(Buffer.alloc(0), 7n), true);
    expect(read.next).toBe(4n);
    read.take(answer(Buffer.alloc(0), 7n), true);
    await read.ended;

    expect(fetched).toStrictEqual([{ ...at, from: 4n, next: 7n, records: [] }]);
  });

  it('should wait at the end of what is stable', () => {
    const { read } = reading({ from: 4n });

    for (let answers = 0; answers < 5; answers += 1) read.take(answer(Buffer.alloc(0), 4n), true);

    expect([read.next, read.wants]).toStrictEqual([4n, true]);
  });

  it('should not be delivered past its end, nor before its beginning', async () => {
    const { read, fetched } = reading({ from: 3n, to: 5n });

    read.take(answer(batchAt(2n, ['2', '3', '4', '5'])), false);
    await read.ended;

    expect(fetched.map(({ records, next }) => [records.map(readable), next])).toStrictEqual([[['3 k=3', '4 k=4'], 5n]]);
  });
});

describe('a batch', () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  const record = fc.record({
    key: fc.option(bytes),
    value: fc.option(bytes),
    headers: fc.dictionary(
      fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
      bytes,
      { maxKeys: 4 },
    ),
  });

  it('should be read as it was written', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 200 }), fc.nat(2 ** 40), (records, timestamp) => {
        const identity = { producerId: 9n, producerEpoch: 3, firstSequence: 7, transactional: true, timestamp };
        const batches = decodeBatches(encodeRecordBatch(records, identity));
        const read: unknown[] = [];
        for (const batch of batches) {
          eachRecord(batch, (offsetDelta, time, key, value, headers) =>
            read.push({ offsetDelta, time, key, value, headers: Object.entries(headers) }),
          );
        }
        const expected = records.map(({ key, value, headers }, offsetDelta) => ({
          offsetDelta,
          time: timestamp,
          key,
          value,
          // As entries: a header may be called `constructor`.
          headers: Object.entries(headers),
        }));
        expect(read).toStrictEqual(expected);
        expect(
          batches.map(({ producerId, transactional, control, lastOffset }) => [
            producerId,
            transactional,
            control,
            lastOffset,
          ]),
        ).toStrictEqual([[9n, true, false, BigInt(records.length - 1)]]);
      }),
    );
  });

  it('should be refused when a byte of it was altered', async () => {
    const damaged = batchAt(0n, ['value']);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 3) ^ 1, damaged.length - 3);
    const { read } = reading({ from: 0n });

    read.take(answer(damaged), false);

    const error = await rejection(read.ended);
    expect([error.code, error.message]).toStrictEqual([
      'HOLDFAST_KAFKA_CORRUPT_BATCH',
      'the batch at offset 0 does not match its checksum',
    ]);
  });

  it.each([
    [2, 'snappy'],
    [3, 'lz4'],
    [4, 'zstd'],
  ])('should be refused, by name, when it is compressed by codec %i, %s', async (codec, name) => {
    const { read } = reading({ from: 0n });

    read.take(
      answer(batchAt(0n, ['value'], (batch) => batch.writeInt16BE(codec & ATTRIBUTE.compression, BATCH.attributes))),
      false,
    );

    const error = await rejection(read.ended);
    expect([error.code, error.message.includes(`compression ${name} `)]).toStrictEqual([
      'HOLDFAST_KAFKA_UNREADABLE_BATCH',
      true,
    ]);
  });
});
