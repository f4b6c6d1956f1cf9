import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { corrected } from '../../../infra/kafka/corrected-kafkajs.js';
import { partitionOf } from '../../../topology/kit/partition.js';
import { seeded } from '../../kit/decider-kit/seed.js';

const utf8 = new TextEncoder();

/** From Kafka's own UtilsTest. */
const VECTORS: readonly (readonly [string, number])[] = [
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
];

describe('the partition of a key', () => {
  test.each(VECTORS)("should be murmur2 as in Kafka's own tests: %s", (text, hash) => {
    expect(partitionOf(utf8.encode(text), 2 ** 31)).toBe(hash & 0x7fffffff);
  });

  test("should be that of kafkajs's default partitioner", () => {
    const partitioner = corrected().kafkajs.Partitioners.DefaultPartitioner();
    const theirs = (key: Uint8Array, partitions: number): number =>
      partitioner({
        topic: 'a2a.task-events.v1',
        partitionMetadata: Array.from({ length: partitions }, (_, partitionId) => ({
          partitionErrorCode: 0,
          partitionId,
          leader: 0,
          replicas: [],
          isr: [],
        })),
        message: { key: Buffer.from(key), value: null },
      });
    const bytes = fc.oneof(
      { weight: 8, arbitrary: fc.uint8Array({ maxLength: 40 }) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 100, maxLength: 3_000, size: 'max' }) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map((text) => utf8.encode(text)) },
    );

    fc.assert(
      fc.property(bytes, fc.constantFrom(1, 2, 3, 7, 12, 64), (key, partitions) => {
        expect(partitionOf(key, partitions)).toBe(theirs(key, partitions));
      }),
      seeded({
        numRuns: 12_000,
        examples: [
          [new Uint8Array(), 12],
          [new Uint8Array(4_099).fill(0xff), 12],
        ],
      }),
    );
  });
});
