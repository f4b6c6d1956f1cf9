const M = 0x5bd1e995;
const R = 24;
const SEED = 0x9747b28c;

/** murmur2 as Kafka's default partitioner computes it over the key's bytes (R58). */
const murmur2 = (bytes: Uint8Array): number => {
  const length = bytes.length;
  let h = SEED ^ length;
  const words = length >> 2;
  for (let i = 0; i < words; i += 1) {
    const at = i << 2;
    let k =
      (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    k = Math.imul(k, M);
    k ^= k >>> R;
    k = Math.imul(k, M);
    h = Math.imul(h, M) ^ k;
  }
  const tail = words << 2;
  const rest = length & 3;
  if (rest === 3) h ^= (bytes[tail + 2] ?? 0) << 16;
  if (rest >= 2) h ^= (bytes[tail + 1] ?? 0) << 8;
  if (rest >= 1) {
    h ^= bytes[tail] ?? 0;
    h = Math.imul(h, M);
  }
  h ^= h >>> 13;
  h = Math.imul(h, M);
  return h ^ (h >>> 15);
};

/** The partition where a record with this key belongs, among `partitions` of them (R58). */
export const partitionOf = (key: Uint8Array, partitions: number): number => (murmur2(key) & 0x7fffffff) % partitions;
