import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { PartitionerGuess } from '../../../services/console/partitioners.js';
import { partitionOf } from '../../../topology/kit/partition.js';
import { utf8 } from '../../../topology/kit/record-key.js';

const PARTITIONS = 12;
const KEYS = Array.from({ length: 50 }, (_, index) => utf8(`0:unit-${index}`));

const guessOf = (place: (key: Uint8Array, index: number) => number): PartitionerGuess => {
  const guess = new PartitionerGuess();
  for (const [index, key] of KEYS.entries()) guess.add(key, place(key, index), PARTITIONS);
  return guess;
};

/** FNV-1a over the key, as published: 32 bits, offset basis 2166136261, prime 16777619. */
const fnv1a = (key: Uint8Array): number => {
  const hash = key.reduce((made, byte) => ((made ^ BigInt(byte)) * 16_777_619n) % 2n ** 32n, 2_166_136_261n);
  return Math.abs(Number(BigInt.asIntN(32, hash)) % PARTITIONS);
};

test('should have nothing to say where every record is at home', () => {
  const guess = guessOf((key) => partitionOf(key, PARTITIONS));

  expect([guess.misrouted, guess.words]).toStrictEqual([0, undefined]);
});

test.each([
  [
    "librdkafka's default",
    (key: Uint8Array) => crc32(key) % PARTITIONS,
    "CRC32 (librdkafka's default): set partitioner=murmur2_random",
  ],
  ["Sarama's", fnv1a, "FNV-1a (Sarama's and kafka-go's hash): use the Murmur2 balancer, or a partitioner of your own"],
  [
    'round robin',
    (_: Uint8Array, index: number) => index % PARTITIONS,
    'none by the key that is known: use murmur2 of the key, and name no partition yourself',
  ],
])('should recognise %s', (_, place, words) => {
  const guess = guessOf(place);

  expect(guess.words).toBe(words);
  expect(guess.misrouted).toBe(KEYS.filter((key, index) => place(key, index) !== partitionOf(key, PARTITIONS)).length);
});
