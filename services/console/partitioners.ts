import { crc32 } from 'node:zlib';
import { partitionOf } from '../../topology/kit/partition.js';

/** How producers commonly choose a partition by the key, and what to set where it is not murmur2 (R58). */
type Partitioner = {
  readonly name: string;
  readonly remedy: string;
  readonly place: (key: Uint8Array, partitions: number) => number;
};

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a, taken as a signed number without its sign. */
const fnv1a = (key: Uint8Array, partitions: number): number => {
  let hash = OFFSET_BASIS;
  for (const byte of key) hash = Math.imul(hash ^ byte, PRIME);
  return Math.abs(hash % partitions);
};

const PARTITIONERS: readonly Partitioner[] = [
  {
    name: "CRC32 (librdkafka's default)",
    remedy: 'set partitioner=murmur2_random',
    place: (key, partitions) => crc32(key) % partitions,
  },
  {
    name: "FNV-1a (Sarama's and kafka-go's hash)",
    remedy: 'use the Murmur2 balancer, or a partitioner of your own',
    place: fnv1a,
  },
];

const UNKNOWN = 'none by the key that is known: use murmur2 of the key, and name no partition yourself';

/** Records of one producer by the partition they lie in, to find out how it chooses. */
export class PartitionerGuess {
  #misrouted = 0;
  #possible: readonly Partitioner[] = PARTITIONERS;

  /** A record with its key. `true`: it lies where its key belongs. */
  add(key: Uint8Array, partition: number, partitions: number): boolean {
    this.#possible = this.#possible.filter(({ place }) => place(key, partitions) === partition);
    const isHome = partitionOf(key, partitions) === partition;
    if (!isHome) this.#misrouted += 1;
    return isHome;
  }

  get misrouted(): number {
    return this.#misrouted;
  }

  /** What the producer seems to use and should set; `undefined`: nothing lies wrong. */
  get words(): string | undefined {
    if (this.#misrouted === 0) return undefined;
    const [found] = this.#possible;
    return found === undefined ? UNKNOWN : `${found.name}: ${found.remedy}`;
  }
}
