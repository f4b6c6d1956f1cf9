/** Byte positions in a record batch of format 2 (KIP-98), shared by its writer and its reader. */
export const BATCH = {
  baseOffset: 0,
  length: 8,
  leaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  baseTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  baseSequence: 53,
  recordCount: 57,
  records: 61,
} as const;

/** Bytes before the ones that `length` counts. */
export const LOG_OVERHEAD = 12;

export const MAGIC = 2;

export const ATTRIBUTE = { compression: 0b111, logAppendTime: 1 << 3, transactional: 1 << 4, control: 1 << 5 } as const;
