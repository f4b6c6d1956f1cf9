import type { Fetched, PartitionRef, StreamClients } from '../streams/ports.js';

/**
 * Puts a prefix before every topic, group and transactional ID of the clients, so that several installations (or stories
 * that run side by side) share a broker. What is read comes back under the names without it.
 */
export const prefixed = (clients: StreamClients, prefix: string): StreamClients => {
  if (prefix === '') return clients;
  const within = <T extends { readonly topic: string }>(ref: T): T => ({ ...ref, topic: `${prefix}${ref.topic}` });
  const without = <T extends { readonly topic: string }>(ref: T): T => ({
    ...ref,
    topic: ref.topic.slice(prefix.length),
  });
  const fetched = (batch: Fetched): Fetched => ({ ...without(batch), records: batch.records.map(without) });
  return {
    fence: async (transactionalId) => {
      const producer = await clients.fence(`${prefix}${transactionalId}`);
      return {
        commit: async ({ records, positions }) => {
          const bases = await producer.commit({ records: records.map(within), positions: positions.map(within) });
          return bases.map(without);
        },
        close: producer.close,
      };
    },
    reader: {
      bounds: async (partitions) => (await clients.reader.bounds(partitions.map(within))).map(without),
      read: (partition, range, onFetched, signal) =>
        clients.reader.read(within(partition), range, (batch) => onFetched(fetched(batch)), signal),
    },
    partitionCounts: async (topics) => {
      const counts = await clients.partitionCounts(topics.map((topic) => `${prefix}${topic}`));
      return new Map([...counts].map(([topic, count]) => [topic.slice(prefix.length), count]));
    },
    join: async (subscription, events) => {
      const membership = await clients.join(
        { ...subscription, groupId: `${prefix}${subscription.groupId}`, source: `${prefix}${subscription.source}` },
        { ...events, onFetched: (batch) => events.onFetched(fetched(batch)) },
      );
      return {
        run: (partition: PartitionRef, offset: bigint) => {
          membership.run(within(partition), offset);
        },
        pause: (partition: PartitionRef) => {
          membership.pause(within(partition));
        },
        ...(membership.confirm === undefined ? {} : { confirm: membership.confirm }),
        leave: membership.leave,
      };
    },
    close: clients.close,
  };
};
