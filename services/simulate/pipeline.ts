import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';

/** A record for the task-events topic. Raw bytes go in as they are; `null` is a tombstone. */
export type PublishedRecord = {
  readonly key: string | null;
  readonly value: Observation | Uint8Array | null;
  /** CloudEvents source and ID, where the story gives them (R17). */
  readonly event?: { readonly source: string; readonly id: string };
  readonly time: number;
  /** Absent: where murmur2 of the key puts it. */
  readonly partition?: number;
};

export type CommittedRecord<Value> = { readonly coordinates: Coordinates; readonly value: Value };

/** The running ledger, as a story drives it: in memory or on a real broker. Every call resolves once all is quiet. */
export type Pipeline = {
  readonly partitions: number;
  readonly publish: (record: PublishedRecord) => Promise<Coordinates>;
  readonly publishAgent: (record: AgentRecord, time: number) => Promise<Coordinates>;
  /** Moves the pipeline's clock, in ms. */
  readonly advance: (time: number) => Promise<void>;
  /** Seeks the input position back to a record that was read before. */
  readonly redeliver: (coordinates: Coordinates) => Promise<void>;
  /** Stops the ledger and starts it again from what is committed. */
  readonly restart: () => Promise<void>;
  /** What was committed on a topic since the last call for it, partition by partition in order. */
  readonly committed: <Value>(topic: Topic<Value>) => Promise<readonly CommittedRecord<Value>[]>;
  /** The present records by record key. */
  readonly ledger: () => Promise<ReadonlyMap<string, LedgerEntry>>;
  readonly close: () => Promise<void>;
};
