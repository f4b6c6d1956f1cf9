import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compressFrameSync } from 'lz4-napi';
import { gzipSync } from 'node:zlib';
import snappy from 'snappy';
import { MAX_DECOMPRESSED_BYTES } from '../../infra/kafka/compression/decompress.js';
import { LogRead } from '../../infra/kafka/log-read.js';
import type { ReadRange } from '../../infra/kafka/log-read.js';
import type { FetchedPartition } from '../../infra/kafka/fetch-protocol.js';
import { BATCH } from '../../infra/kafka/record-batch.js';
import { decodeBatches, eachRecord } from '../../infra/kafka/record-batch-decoder.js';
import type { EncodableRecord } from '../../infra/kafka/record-batch-encoder.js';
import { encodeRecordBatch } from '../../infra/kafka/record-batch-encoder.js';
import { readCommitted } from '../../infra/kafka/read-committed.js';
import type { Fetched } from '../../infra/streams/ports.js';
import { readable, rejection } from './kafka-fixture.js';
import { batchOf, packed } from './raw-batches.js';

const at = { topic: 't', partition: 0 };
const some = (value: string): EncodableRecord => ({ key: Buffer.from('k'), value: Buffer.from(value), headers: {} });

const batchAt = (offset: bigint, values: readonly string[], change?: (batch: Buffer) => void): Buffer =>
  batchOf(values.map(some), offset, change);

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
          eachRecord(batch, {
            record: (offsetDelta, time, key, value, headers) =>
              read.push({ offsetDelta, time, key, value, headers: Object.entries(headers) }) > 0,
            fault: (...fault) => read.push(fault) > 0,
          });
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

  it('should be delivered although the one behind it was altered', async () => {
    const damaged = batchAt(1n, ['value']);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 3) ^ 1, damaged.length - 3);
    const { read, fetched } = reading({ from: 0n });

    read.take(answer(Buffer.concat([batchAt(0n, ['whole']), damaged])), false);
    await new Promise(setImmediate);

    expect(fetched.map(({ records, next }) => [records.map(readable), next])).toStrictEqual([[['0 k=whole'], 1n]]);
  });
});

/** `kind` and `detail` of what was delivered instead of a record. */
const faults = (fetched: readonly Fetched[]): unknown[] =>
  fetched.flatMap(({ records }) =>
    records.map(({ offset, key, value, headers, unreadable }) => {
      expect([key, value, headers]).toStrictEqual([null, null, {}]);
      return [offset, unreadable?.reason, unreadable?.detail];
    }),
  );

const compressed = (
  offset: bigint,
  values: readonly string[],
  codec: number,
  pack: (records: Buffer) => Buffer,
): Buffer => packed(batchAt(offset, values), codec, pack);

describe('a batch whose checksum is right', () => {
  it.each([
    ['gzip', 1, 'incorrect header check'],
    ['snappy', 2, ''],
    ['lz4', 3, 'WrongMagicNumber'],
    ['zstd', 4, 'invalid zstd data'],
  ])(
    'should account for each of its offsets when it is no %s, and let the next one be read',
    async (name, codec, said) => {
      const { read, fetched } = reading({ from: 0n, to: 3n });
      const rubbish = compressed(0n, ['a', 'b'], codec, () =>
        Buffer.from([0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8]),
      );

      read.take(answer(Buffer.concat([rubbish, batchAt(2n, ['next'])])), false);
      await read.ended;

      const [first, second, next] = fetched[0]?.records ?? [];
      const detail = first?.unreadable?.detail ?? '';
      expect(detail.startsWith(`its batch cannot be decompressed (${name}): ${said}`)).toBe(true);
      expect([first?.unreadable, second?.unreadable]).toStrictEqual([
        { reason: 'undecodable', detail },
        { reason: 'undecodable', detail },
      ]);
      expect([first?.offset, second?.offset, next && readable(next)]).toStrictEqual([0n, 1n, '2 k=next']);
    },
  );

  it.each([
    ['gzip', 1, gzipSync(Buffer.alloc(MAX_DECOMPRESSED_BYTES + 1))],
    ['snappy', 2, snappy.compressSync(Buffer.alloc(MAX_DECOMPRESSED_BYTES + 1))],
    ['lz4', 3, compressFrameSync(Buffer.alloc(MAX_DECOMPRESSED_BYTES + 1))],
    ['zstd', 4, zstdOfZeros(MAX_DECOMPRESSED_BYTES + 1)],
  ])('should be set aside, undecompressed, when it is a %s bomb', async (name, codec, bomb) => {
    const { read, fetched } = reading({ from: 7n, to: 9n });

    read.take(answer(compressed(7n, ['a', 'b'], codec, () => bomb)), false);
    await read.ended;

    const detail = `its ${name} batch of ${bomb.length} bytes becomes more than ${MAX_DECOMPRESSED_BYTES}`;
    expect(faults(fetched)).toStrictEqual([
      [7n, 'too-large', detail],
      [8n, 'too-large', detail],
    ]);
  });

  it('should give what comes before a malformed record', async () => {
    const { read, fetched } = reading({ from: 0n, to: 3n });
    const cut = compressed(0n, ['first', 'second', 'third'], 0, (records) => records.subarray(0, records.length - 14));

    read.take(answer(cut), false);
    await read.ended;

    const [first, ...rest] = fetched[0]?.records ?? [];
    expect(first && readable(first)).toBe('0 k=first');
    expect(rest.map(({ offset, unreadable }) => [offset, unreadable?.detail])).toStrictEqual([
      [1n, 'its batch is malformed: a record is longer than its batch'],
      [2n, 'its batch is malformed: a record is longer than its batch'],
    ]);
  });

  it('should be said to have an unknown compression', async () => {
    const { read, fetched } = reading({ from: 0n, to: 1n });

    read.take(answer(compressed(0n, ['a'], 6, (records) => records)), false);
    await read.ended;

    expect(faults(fetched)).toStrictEqual([[0n, 'undecodable', 'its batch has compression 6, which is none']]);
  });

  it('should be delivered in parts where it holds more records than may be in memory', () => {
    const values = Array.from({ length: 25 }, (_, value) => String(value));
    const limits = { records: 10, bytes: 1_000_000 };
    const log = compressed(3n, values, 1, (records) => gzipSync(records));

    const parts: string[][] = [];
    for (let from = 3n; from < 28n;) {
      const { records, next } = readCommitted(at, decodeBatches(log), [], { from, to: undefined }, limits);
      parts.push(records.map(readable));
      expect(next).toBeGreaterThan(from);
      from = next;
    }

    expect(parts.map(({ length }) => length)).toStrictEqual([10, 10, 5]);
    expect(parts.flat()).toStrictEqual(values.map((value, index) => `${index + 3} k=${value}`));
  });

  it('should leave the batches behind it to the next fetch where it became large', () => {
    const limits = { records: 10, bytes: 1_000 };
    const log = Buffer.concat([
      compressed(0n, ['x'.repeat(2_000)], 1, (records) => gzipSync(records)),
      batchAt(1n, ['next']),
    ]);

    const { records, next } = readCommitted(at, decodeBatches(log), [], { from: 0n, to: undefined }, limits);

    expect([records.map(({ offset }) => offset), next]).toStrictEqual([[0n], 1n]);
  });
});

/** A frame of RLE blocks: nothing here writes Zstandard, and this much of it is soon written. */
function zstdOfZeros(length: number): Buffer {
  const block = 128 * 1024;
  const sizes = Array.from({ length: Math.ceil(length / block) }, (_, index) =>
    Math.min(block, length - index * block),
  );
  const blocks = sizes.map((size, index) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUIntLE((size << 3) | (1 << 1) | (index === sizes.length - 1 ? 1 : 0), 0, 3);
    return bytes;
  });
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 88]), ...blocks]);
}
