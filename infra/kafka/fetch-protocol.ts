import type { Broker, FetchArguments, Protocol, ProtocolResponse, RequestTable } from './kafkajs-internals.js';
import { BrokerRefusedError } from './kafka-errors.js';
import { ResponseReader } from './response-reader.js';

export type AbortedTransaction = { readonly producerId: bigint; readonly firstOffset: bigint };

/** One partition's part of an answer, its record batches undecoded. */
export type FetchedPartition = {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly lastStableOffset: bigint;
  readonly aborted: readonly AbortedTransaction[];
  readonly records: Buffer;
};

type FetchAnswer = {
  readonly errorCode: number;
  readonly clientSideThrottleTime: number;
  readonly partitions: readonly FetchedPartition[];
};

const FETCH = 1;
/** The version that is spoken. */
export const FETCH_VERSION = 11;

/**
 * Sends one Fetch request, kafkajs's own, and keeps its decoder away from the answer: that one makes an object of every
 * record, checks no checksum and forgets where batches end.
 * @throws BrokerRefusedError for a broker older than 2.4, and what kafkajs throws
 */
export async function fetchOnce(
  requests: RequestTable,
  broker: Broker,
  options: FetchArguments,
): Promise<readonly FetchedPartition[]> {
  const newest = broker.versions[FETCH]?.maxVersion ?? 0;
  if (newest < FETCH_VERSION)
    throw new BrokerRefusedError(`the broker knows Fetch up to version ${newest}, not ${FETCH_VERSION}`);
  const { request, requestTimeout } = requests.Fetch.protocol({ version: FETCH_VERSION })(options);
  const protocol: Protocol<FetchAnswer> = {
    request,
    response,
    ...(requestTimeout === undefined ? {} : { requestTimeout }),
  };
  const answer = await broker.connectionPool.send(protocol);
  return answer.partitions;
}

const response: ProtocolResponse<FetchAnswer> = {
  decode: (payload) => Promise.resolve(decodeAnswer(payload)),
  // Requests stand alone (no fetch session), so errors are told per partition.
  parse: (answer) => Promise.resolve(answer),
};

/** Fetch response, version 11. */
export function decodeAnswer(payload: Buffer): FetchAnswer {
  const reader = new ResponseReader(payload);
  const clientSideThrottleTime = reader.int32();
  const errorCode = reader.int16();
  reader.int32(); // session ID
  const partitions: FetchedPartition[] = [];
  for (let topics = reader.int32(); topics > 0; topics -= 1) {
    const topic = reader.string();
    for (let left = reader.int32(); left > 0; left -= 1) partitions.push(partitionOf(reader, topic));
  }
  return { errorCode, clientSideThrottleTime, partitions };
}

function partitionOf(reader: ResponseReader, topic: string): FetchedPartition {
  const partition = reader.int32();
  const errorCode = reader.int16();
  reader.int64(); // high watermark
  const lastStableOffset = reader.int64();
  reader.int64(); // first offset held
  const aborted: AbortedTransaction[] = [];
  for (let left = reader.int32(); left > 0; left -= 1) {
    aborted.push({ producerId: reader.int64(), firstOffset: reader.int64() });
  }
  reader.int32(); // preferred read replica: only for clients that name their rack
  return { topic, partition, errorCode, lastStableOffset, aborted, records: reader.bytes() };
}
