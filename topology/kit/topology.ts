import type { QuarantineReason } from '../vocabulary.js';
import type { Coordinates } from './coordinates.js';

/** A topic and everything that must not drift from its name. `Value` is the union of the record types it carries. */
export type Topic<Value> = {
  readonly name: string;
  /** Names of the records on it; the subject of each is `<topic>-<record>` (TopicRecordName). */
  readonly records: readonly string[];
  readonly partitioning: 'by-key' | 'own-number' | 'single';
  readonly cleanup: 'delete' | 'compact';
  /** Never set: carries the type. */
  readonly _value?: Value;
};

/** A record as it was read, before anything is concluded from it. Hashes are computed by the runtime. */
export type Incoming<Value> = {
  readonly coordinates: Coordinates;
  /** Append time, ms. */
  readonly time: number;
  readonly key: Uint8Array | null;
  /** The value's bytes; `null`: a tombstone. */
  readonly bytes: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
  /** SHA-256 over key, value, headers and timestamp. */
  readonly sha256: string;
  /** `ce_source` and `ce_id`, hashed, and the hash of key and value (R17). Absent where the headers lack them. */
  readonly event?: { readonly idHash: string; readonly contentHash: string };
  readonly decoded:
    | { readonly kind: 'value'; readonly value: Value }
    | { readonly kind: 'tombstone' }
    | { readonly kind: 'failed'; readonly reason: QuarantineReason; readonly detail: string };
};

/** A record to be written to a sink. The runtime chooses the task's own partition and serialises. */
export type Outgoing = {
  readonly topic: Topic<unknown>;
  readonly key: string | null;
  /** `null`: a tombstone. */
  readonly value: { readonly type: string } | null;
};

/** What one step over one key of the store led to. `state: null` deletes the key. */
export type Effects<State, Shared> = {
  readonly state: State | null;
  readonly shared: Shared;
  readonly outputs: readonly Outgoing[];
};

/** What a step may know besides its key's state. */
export type Surroundings<Shared, Global> = {
  /** Stream time, ms (R16). */
  readonly now: number;
  readonly partition: number;
  readonly partitions: number;
  /** State of the partition as a whole, small, kept with the position. */
  readonly shared: Shared;
  /** The global topic as far as this task has read it. */
  readonly global: Global;
};

/**
 * The pure inside of a stream task. Every function is total, synchronous and deterministic; the runtime reads the
 * state before and stages the effects after.
 */
export type Processor<Input, GlobalInput, State, Shared, Global> = {
  readonly initialShared: () => Shared;
  readonly initialGlobal: () => Global;
  readonly foldGlobal: (global: Global, incoming: Incoming<GlobalInput>) => Global;
  /** The store key that a source record is about; `null`: none (it is set aside or ignored). */
  readonly keyOf: (incoming: Incoming<Input>) => string | null;
  readonly process: (
    incoming: Incoming<Input>,
    state: State | null,
    around: Surroundings<Shared, Global>,
  ) => Effects<State, Shared>;
  /** When the state wants to be woken next, ms; `undefined`: never. */
  readonly due: (state: State) => number | undefined;
  /** Everything that is due by `now` for this key, in order. */
  readonly fire: (state: State, around: Surroundings<Shared, Global>) => Effects<State, Shared>;
  /** Names under which the state wants to be found when the global topic changes. */
  readonly indexes: (state: State) => readonly string[];
  /** Indexes to walk, each in order of key, after a global record was folded. */
  readonly affected: (incoming: Incoming<GlobalInput>) => readonly string[];
  /**
   * Looks at one indexed key after the global record at `coordinates`. `rank` counts the keys of this walk for which
   * an earlier call returned outputs. Returning the state unchanged and no outputs is "nothing to do".
   */
  readonly react: (
    state: State,
    around: Surroundings<Shared, Global>,
    change: { readonly coordinates: Coordinates; readonly rank: number },
  ) => Effects<State, Shared>;
};

/** A stream application as a value: validated, describable, without a client in it. */
export type Topology<Input, GlobalInput, State, Shared, Global> = {
  readonly applicationId: string;
  readonly source: Topic<Input>;
  readonly global: Topic<GlobalInput>;
  /** The store's changelog; the state's own record is the first of `changelog.records`. */
  readonly store: { readonly name: string; readonly changelog: Topic<State> };
  readonly sinks: readonly Topic<unknown>[];
  /**
   * The sink whose records are chained: each gets the digest of the one before it in its partition, so that a removed,
   * altered or inserted record is found. The runtime computes the digests over the bytes written.
   */
  readonly chained: {
    readonly topic: Topic<unknown>;
    readonly link: (value: { readonly type: string }, previousDigest: string) => { readonly type: string };
  };
  readonly processor: Processor<Input, GlobalInput, State, Shared, Global>;
};

export type AnyTopology = Topology<never, never, never, never, never>;

/** Faults of a topology, as sentences; empty: it holds together. */
export const validateTopology = <I, G, S, H, C>(topology: Topology<I, G, S, H, C>): readonly string[] => {
  const { applicationId, source, global, store, sinks, chained } = topology;
  const names = [source, global, store.changelog, ...sinks].map((topic) => topic.name);
  return [
    ...(/^[a-z][a-z0-9-]*$/.test(applicationId) ? [] : [`application ID ${applicationId} is not kebab-case`]),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `topic ${name} has two roles`),
    ...(source.partitioning === 'by-key' ? [] : [`source ${source.name} is not partitioned by key`]),
    ...(global.partitioning === 'single' ? [] : [`global ${global.name} has more than one partition`]),
    ...(store.changelog.cleanup === 'compact' ? [] : [`changelog ${store.changelog.name} is not compacted`]),
    ...(sinks.includes(chained.topic) ? [] : [`chained topic ${chained.topic.name} is no sink`]),
    ...[source, global, store.changelog, ...sinks]
      .filter((topic) => topic.records.length === 0)
      .map((topic) => `topic ${topic.name} carries no record`),
  ];
};

/** A readable description; tests keep it, so that a change of it is meant. */
export const describeTopology = <I, G, S, H, C>(topology: Topology<I, G, S, H, C>): string => {
  const line = (role: string, topic: Topic<unknown>): string =>
    `  ${role.padEnd(9)} ${topic.name} [${topic.partitioning}, ${topic.cleanup}] ${topic.records.join(' ')}`;
  return [
    `application ${topology.applicationId}`,
    line('source', topology.source),
    line('global', topology.global),
    line('changelog', topology.store.changelog),
    ...topology.sinks.map((topic) => line(topic === topology.chained.topic ? 'chained' : 'sink', topic)),
  ].join('\n');
};
