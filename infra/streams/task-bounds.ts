import type { PartitionRef } from './ports.js';
import type { StreamContext } from './stream-context.js';

export type PartitionBounds = { readonly low: bigint; readonly end: bigint };

/** Where the logs of one partition begin and end. */
export type TaskBounds = {
  readonly changelog: PartitionBounds;
  readonly source: PartitionBounds;
  readonly chained: PartitionBounds;
  readonly global: PartitionBounds;
};

/**
 * A3, in one question for a whole group. To be asked after the fence: then nothing of ours is open any more, and the end
 * of the changelog is the end of all that was ever committed.
 */
export const taskBounds = async <Input, GlobalInput, State, Shared, Global>(
  { clients, topology }: StreamContext<Input, GlobalInput, State, Shared, Global>,
  partitions: readonly number[],
): Promise<(partition: number) => TaskBounds> => {
  const { chained, global, source, store } = topology;
  const own = [store.changelog.name, source.name, chained.topic.name];
  const asked: readonly PartitionRef[] = [
    { topic: global.name, partition: 0 },
    ...partitions.flatMap((partition) => own.map((topic) => ({ topic, partition }))),
  ];
  const found = await clients.reader.bounds(asked);
  const of = (topic: string, partition: number): PartitionBounds =>
    found.find((bounds) => bounds.topic === topic && bounds.partition === partition) ?? { low: 0n, end: 0n };
  return (partition) => ({
    changelog: of(store.changelog.name, partition),
    source: of(source.name, partition),
    chained: of(chained.topic.name, partition),
    global: of(global.name, 0),
  });
};
