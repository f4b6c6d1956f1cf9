import type { LogReader } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import { unreadableTo } from '../mesh/mesh.js';
import type { Topic } from '../../topology/kit/topology.js';

export type Follow<Value> = {
  readonly topic: Topic<Value>;
  readonly partitions: number;
  /** Where reading begins: with what is held, or with what comes from now on. */
  readonly from: 'beginning' | 'now';
  /** Reads up to what is there now and no further. */
  readonly once?: boolean;
  /** `time`: append time, ms. Records of one partition come in order, the next when this has resolved. */
  readonly take: (value: Value, time: number) => Promise<void> | void;
};

export type FollowerPorts = { readonly reader: LogReader; readonly serdes: Serdes; readonly logger: Logger };

/**
 * Reads every partition of a topic, without a group: one verifier is active, and what it takes in is idempotent. Resolves
 * once it reads; the loops then end with `signal`, and with `onFailed` where the log is lost.
 */
export const follow = async <Value>(
  { reader, serdes, logger }: FollowerPorts,
  { topic, partitions, from, once = false, take }: Follow<Value>,
  signal: AbortSignal,
  onFailed: (error: unknown) => void,
): Promise<{ readonly ended: Promise<void> }> => {
  const passedOver = unreadableTo(logger);
  const refs = Array.from({ length: partitions }, (_, partition) => ({ topic: topic.name, partition }));
  const loops = (await reader.bounds(refs)).map(async ({ low, end, ...partition }) => {
    const range = { from: from === 'beginning' ? low : end, ...(once ? { to: end } : {}) };
    await reader.read(
      partition,
      range,
      async ({ records }) => {
        await serdes.prepare(
          topic,
          records.flatMap(({ value }) => (value === null ? [] : [value])),
        );
        for (const { value: bytes, time, offset, unreadable } of records) {
          if (signal.aborted) return;
          if (unreadable !== undefined) passedOver({ ...partition, offset }, unreadable.detail);
          if (bytes === null) continue;
          const read = serdes.deserialize(topic, bytes);
          if (read.kind === 'value') await take(read.value, time);
          else passedOver({ ...partition, offset }, read.detail);
        }
      },
      signal,
    );
  });
  const ended = Promise.all(loops).then(
    () => undefined,
    (error: unknown) => {
      if (!signal.aborted) onFailed(error);
    },
  );
  return { ended };
};
