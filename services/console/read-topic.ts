import type { Topic } from '../../topology/kit/topology.js';
import type { LogSource, Placed } from './verdict-log.js';

/** A record of a topic; `value` is `undefined` for a tombstone and for what cannot be read. */
export type TopicRecord<Value> = Placed<Value | undefined> & { readonly key: string };

/** Reads partitions of a topic from their beginnings to the ends they have now, those of one partition in order. */
export const readTopic = async <Value>(
  { reader, serdes }: LogSource,
  topic: Topic<Value>,
  partitions: readonly number[],
  visit: (record: TopicRecord<Value>) => void,
): Promise<void> => {
  const bounds = await reader.bounds(partitions.map((partition) => ({ topic: topic.name, partition })));
  await Promise.all(
    bounds
      .filter(({ low, end }) => low < end)
      .map(({ partition, low, end }) =>
        reader.read({ topic: topic.name, partition }, { from: low, to: end }, async ({ records }) => {
          await serdes.prepare(
            topic,
            records.flatMap(({ value }) => (value === null ? [] : [value])),
          );
          for (const { key, value, offset, time } of records) {
            const read = value === null ? undefined : serdes.deserialize(topic, value);
            visit({
              key: key === null ? '' : Buffer.from(key).toString(),
              value: read?.kind === 'value' ? read.value : undefined,
              at: { topic: topic.name, partition, offset },
              time,
            });
          }
        }),
      ),
  );
};
