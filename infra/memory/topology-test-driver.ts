import { stateCodec, type StateCodec } from '../streams/state-codec.js';
import { POSITION_KEY } from '../streams/store-layout.js';
import type { TaskPosition } from '../streams/task-position.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { partitionOf } from '../../topology/kit/partition.js';
import type { Topic, Topology } from '../../topology/kit/topology.js';
import type { ManualClock } from './manual-clock.js';
import type { MemoryLog } from './memory-log.js';
import { changelogContents, differences, findStore, statesIn, storeContents, type Contents } from './state-contents.js';
import { TestCluster, type ClusterOptions, type Restart } from './test-cluster.js';
import type { CrashPoint } from './test-instance.js';

export type DriverOptions = ClusterOptions;

/** A record as it was committed. `value: null`: a tombstone. */
export type CommittedRecord<Value> = {
  readonly coordinates: Coordinates;
  readonly time: number;
  readonly key: string | null;
  readonly value: Value | null;
};

export type PipeOptions = {
  /** Append time, ms; the clock's if not said. The clock never lags behind it. */
  readonly time?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The partition that the key belongs to, if not said. */
  readonly partition?: number;
};

/**
 * Runs a topology on the production runtime; only broker, stores and clock are in memory. Every method that returns a
 * promise resolves when what it caused is processed, committed and in the store, and rejects with what ended an instance.
 */
export class TopologyTestDriver<Input, GlobalInput, State, Shared, Global> {
  /** Broker and instances, for tests that disturb them. */
  readonly cluster: TestCluster<Input, GlobalInput, State, Shared, Global>;
  readonly #topology: Topology<Input, GlobalInput, State, Shared, Global>;
  readonly #codec: StateCodec<State, Shared>;

  constructor(topology: Topology<Input, GlobalInput, State, Shared, Global>, options: DriverOptions = {}) {
    this.#topology = topology;
    this.cluster = new TestCluster(topology, options);
    this.#codec = stateCodec<State, Shared>(topology.store.changelog, this.cluster.serdes);
  }

  get log(): MemoryLog {
    return this.cluster.log;
  }

  get clock(): ManualClock {
    return this.cluster.clock;
  }

  /**
   * Appends to the source and waits until it is processed. Bytes are written as they are; `null` is a tombstone.
   * @throws TopicMissingError no topic of the topology
   */
  async pipe<Value>(
    topic: Topic<Value>,
    key: string | null,
    value: Value | Uint8Array | null,
    { headers = {}, partition, time }: PipeOptions = {},
  ): Promise<Coordinates> {
    const coordinates = this.append(topic, key, value, {
      headers,
      ...(partition === undefined ? {} : { partition }),
      ...(time === undefined ? {} : { time }),
    });
    await this.settle();
    return coordinates;
  }

  /** Appends to the global topic and waits until every task has taken it. */
  pipeGlobal(value: GlobalInput | Uint8Array | null, time = this.clock.now()): Promise<Coordinates> {
    return this.pipe(this.#topology.global, null, value, { partition: 0, time });
  }

  /** As `pipe`, without waiting: several are processed together. @throws TopicMissingError */
  append<Value>(
    topic: Topic<Value>,
    key: string | null,
    value: Value | Uint8Array | null,
    { headers = {}, partition, time = this.clock.now() }: PipeOptions = {},
  ): Coordinates {
    const bytes = key === null ? null : Buffer.from(key);
    const to = partition ?? (bytes === null ? 0 : partitionOf(bytes, this.log.topic(topic.name).length));
    const offset = this.log.append(
      {
        topic: topic.name,
        partition: to,
        key: bytes,
        value: this.#serialized(topic, value),
        headers: Object.fromEntries(Object.entries(headers).map(([name, content]) => [name, Buffer.from(content)])),
      },
      time,
    );
    this.cluster.moveClock(time);
    return { topic: topic.name, partition: to, offset };
  }

  /** All committed records of a topic, by partition, in order. @throws TopicMissingError */
  read<Value>(topic: Topic<Value>): readonly CommittedRecord<Value>[] {
    return this.log.topic(topic.name).flatMap((partition) =>
      partition.committed().map((record) => ({
        coordinates: { topic: record.topic, partition: record.partition, offset: record.offset },
        time: record.time,
        key: record.key === null ? null : Buffer.from(record.key).toString(),
        value: record.value === null ? null : this.#decoded(topic, record.value),
      })),
    );
  }

  /** Delivers from these coordinates on again, as to a consumer that was set back. */
  async redeliver({ offset, partition, topic }: Coordinates): Promise<void> {
    await this.settle();
    for (const { clients } of this.cluster.instances) clients.rewind({ topic, partition }, offset);
    await this.settle();
  }

  /** Moves the wall clock on by `ms`; the tasks are idle, so their time moves with it. */
  async advanceTime(ms: number): Promise<void> {
    await this.settle();
    this.cluster.moveClock(this.clock.now() + ms);
    await this.settle();
  }

  /** The next commit is aborted by the broker. */
  abortNextCommit(): void {
    this.log.faults.push('abort');
  }

  /** In the next transaction another member takes the lock, and gives the group back afterwards. */
  fenceNextCommit(): void {
    this.log.faults.push('fence');
  }

  /** The next commit fails for the runtime; `committed` says whether it took effect. */
  loseNextCommitAnswer(committed: boolean): void {
    this.log.faults.push(committed ? 'lose-answer' : 'lose-request');
  }

  /** The first instance is killed right after this step, and started again. */
  crashAt(point: CrashPoint, restart: Restart = { store: 'kept' }): void {
    this.cluster.crashAt(point, restart);
  }

  /** Kills every instance and starts it again, on an empty store if not said otherwise. */
  async crashAndRestore(restart: Restart = { store: 'wiped' }): Promise<void> {
    await this.settle();
    await this.cluster.killAll(restart);
    await this.settle();
  }

  /** Decoded states of all partitions as the stores hold them. */
  async store(): Promise<ReadonlyMap<string, State>> {
    await this.settle();
    const contents = await Promise.all(this.#partitions().map((partition) => this.#storeContents(partition)));
    return this.#decodedStates(contents);
  }

  /** Decoded states of all partitions as the compacted changelog holds them. */
  changelog(): ReadonlyMap<string, State> {
    return this.#decodedStates(this.#partitions().map((partition) => this.#changelogContents(partition)));
  }

  /** The position record of a partition, as last committed. */
  position(partition = 0): TaskPosition<Shared> | undefined {
    const bytes = this.#changelogContents(partition).get(POSITION_KEY);
    const { name: topic } = this.#topology.store.changelog;
    return bytes === undefined ? undefined : this.#codec.decodePosition({ topic, partition }, POSITION_KEY, bytes);
  }

  /** Where the stores differ from the compacted changelog, as sentences; empty: every byte and index entry agrees. */
  async inconsistencies(): Promise<readonly string[]> {
    await this.settle();
    const found = await Promise.all(
      this.#partitions().map(async (partition) =>
        differences(
          await this.#storeContents(partition),
          this.#changelogContents(partition),
          this.#topology.processor,
          (key, bytes) => this.#codec.decodeStored(key, bytes),
        ).map((difference) => `partition ${partition}: ${difference}`),
      ),
    );
    return found.flat();
  }

  /** Waits until everything on the log is processed. An instance that was killed by `crashAt` is started again. */
  settle(): Promise<void> {
    return this.cluster.settle();
  }

  /** Drains every instance. Only stores on a disk need it. */
  close(): Promise<void> {
    return this.cluster.close();
  }

  #partitions(): readonly number[] {
    return Array.from({ length: this.cluster.partitions }, (_, partition) => partition);
  }

  #serialized<Value>(topic: Topic<Value>, value: Value | Uint8Array | null): Uint8Array | null {
    if (value === null) return null;
    if (value instanceof Uint8Array) return value;
    const named = typeof value === 'object' && 'type' in value ? String(value.type) : undefined;
    return this.cluster.serdes.serialize(topic, named ?? topic.records[0] ?? '', value);
  }

  #decoded<Value>(topic: Topic<Value>, bytes: Uint8Array): Value {
    const decoded = this.cluster.serdes.deserialize(topic, bytes);
    if (decoded.kind === 'failed') throw new Error(`${topic.name} holds an unreadable record: ${decoded.detail}`);
    return decoded.value;
  }

  #decodedStates(contents: readonly Contents[]): ReadonlyMap<string, State> {
    const states = contents.flatMap((partition) => [...statesIn(partition)]);
    return new Map(states.map(([key, bytes]) => [key, this.#codec.decodeStored(key, bytes)]));
  }

  #storeContents(partition: number): Promise<Contents> {
    const open = this.cluster.instances.map(({ stores }) => stores);
    const store = findStore(open, this.#topology, partition);
    if (store === undefined) throw new Error(`no instance has the store of partition ${partition} open`);
    return storeContents(store);
  }

  #changelogContents(partition: number): Contents {
    return changelogContents(this.log, this.#topology.store.changelog.name, partition);
  }
}
