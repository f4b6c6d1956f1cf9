import { inMemorySerdes } from '../../infra/registry/avro-codec.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { ledgerTopology } from '../../topology/ledger.topology.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';
import { TASK_EVENTS } from '../../topology/topics.js';
import type { CommittedRecord, Pipeline } from './pipeline.js';

/** The real topology on the production runtime; only broker, stores and clock are in memory. */
export const memoryPipeline = (partitions: number): Pipeline => {
  const driver = new TopologyTestDriver(ledgerTopology, { partitions, groups: partitions, serdes: inMemorySerdes() });
  const read = new Map<string, number>();
  return {
    partitions,
    publish: ({ key, value, event, time, partition }) =>
      driver.pipe(TASK_EVENTS, key, value, {
        time,
        ...(partition === undefined ? {} : { partition }),
        ...(event === undefined ? {} : { headers: { ce_source: event.source, ce_id: event.id } }),
      }),
    publishAgent: (record: AgentRecord, time) => driver.pipeGlobal(record, time),
    advance: (time) => driver.advanceTime(Math.max(0, time - driver.clock.now())),
    redeliver: (coordinates) => driver.redeliver(coordinates),
    restart: () => driver.crashAndRestore(),
    committed: async (topic) => {
      const fresh = driver.read(topic).filter(({ coordinates }) => {
        const place = `${coordinates.topic}/${coordinates.partition}`;
        return Number(coordinates.offset) >= (read.get(place) ?? 0);
      });
      for (const { coordinates } of fresh)
        read.set(`${coordinates.topic}/${coordinates.partition}`, Number(coordinates.offset) + 1);
      return Promise.resolve(
        fresh.flatMap(({ coordinates, value }) =>
          value === null ? [] : [{ coordinates, value } as CommittedRecord<NonNullable<typeof value>>],
        ),
      );
    },
    ledger: () => driver.store(),
    close: () => driver.close(),
  };
};
