import type { PartitionRef } from '../streams/ports.js';
import { groupedBy } from './grouped.js';
import { translate } from './kafka-errors.js';
import type { Broker, Cluster } from './kafkajs-internals.js';
import { repeated } from './retrying.js';
import { keyOf, TopicMetadata } from './topic-metadata.js';

export type Bounds = PartitionRef & { readonly low: bigint; readonly end: bigint };

/** `end` is the last stable offset, or the high watermark. */
export type Isolation = 'read-committed' | 'read-uncommitted';

const EARLIEST = -2;
const LATEST = -1;
const CONSUMER = -1;

/**
 * First offset held and end of each partition, asked of its leader.
 * @throws TopicMissingError, or BrokerError when the leaders do not answer within the patience of `repeated`
 */
export async function logBounds(
  { cluster, metadata }: { readonly cluster: Cluster; readonly metadata: TopicMetadata },
  partitions: readonly PartitionRef[],
  isolation: Isolation = 'read-committed',
): Promise<Bounds[]> {
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const attempt = async (): Promise<Bounds[]> => {
    await metadata.know(topics);
    const byLeader = groupedBy(partitions, (ref) => metadata.leaderId(ref));
    const asked = [...byLeader].map(async ([nodeId, refs]) =>
      askLeader(await cluster.findBroker({ nodeId }), refs, isolation),
    );
    const found = new Map((await Promise.all(asked)).flat().map((bounds) => [keyOf(bounds), bounds]));
    return partitions.map((ref) => found.get(keyOf(ref)) ?? absent(ref));
  };
  try {
    return await repeated(attempt, { between: () => metadata.refresh(topics) });
  } catch (error) {
    throw translate('asking for the bounds of the log', error);
  }
}

async function askLeader(broker: Broker, refs: readonly PartitionRef[], isolation: Isolation): Promise<Bounds[]> {
  const lows = await listOffsets(broker, refs, EARLIEST, isolation);
  const ends = await listOffsets(broker, refs, LATEST, isolation);
  return refs.map((ref) => ({
    topic: ref.topic,
    partition: ref.partition,
    low: lows.get(keyOf(ref)) ?? absent(ref),
    end: ends.get(keyOf(ref)) ?? absent(ref),
  }));
}

async function listOffsets(
  broker: Broker,
  refs: readonly PartitionRef[],
  timestamp: number,
  isolation: Isolation,
): Promise<ReadonlyMap<string, bigint>> {
  const topics = [...groupedBy(refs, ({ topic }) => topic)].map(([topic, of]) => ({
    topic,
    partitions: of.map(({ partition }) => ({ partition, timestamp })),
  }));
  const isolationLevel = isolation === 'read-committed' ? 1 : 0;
  const { responses } = await broker.listOffsets({ replicaId: CONSUMER, isolationLevel, topics });
  return new Map(
    responses.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [keyOf({ topic, partition }), BigInt(offset)] as const),
    ),
  );
}

function absent(ref: PartitionRef): never {
  throw new Error(`the broker named no offset for ${keyOf(ref)}`);
}
