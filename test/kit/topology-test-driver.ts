import { storeName } from '../../infra/streams/open-task.js';
import type { StateStores } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { stateCodec, type StateCodec } from '../../infra/streams/state-codec.js';
import { POSITION_KEY } from '../../infra/streams/store-layout.js';
import type { StreamLimits } from '../../infra/streams/stream-context.js';
import type { TaskPosition } from '../../infra/streams/task-position.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { partitionOf } from '../../topology/kit/partition.js';
import type { Topic, Topology } from '../../topology/kit/topology.js';
import { jsonSerdes } from './json-serdes.js';
import { ManualClock } from './manual-clock.js';
import { MemoryLog, type CommitFault } from './memory-log.js';
import { MemoryStateStores } from './memory-state-stores.js';
import { changelogContents, differences, findStore, statesIn, storeContents, type Contents } from './state-contents.js';
import { SimulatedCrash, TestInstance, type CrashPoint } from './test-instance.js';

export type DriverOptions = {
  /** Of the source, the changelog and the sinks; 1 if not said. */
  readonly partitions?: number;
  /** Task groups; 1 if not said. */
  readonly groups?: number;
  /** Instances; 1 if not said. */
  readonly members?: number;
  readonly serdes?: Serdes;
  /** Stores of an instance; in memory if not said. */
  readonly stores?: (instanceId: string) => StateStores;
  readonly limits?: Partial<StreamLimits>;
  /** Wall clock at the beginning, ms. */
  readonly time?: number;
};

/** A record as it was committed. `value: null`: a tombstone; `failed`: the serdes cannot read it. */
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
 * promise resolves when what it caused is processed, committed and in the store.
 */
export class TopologyTestDriver<Input, GlobalInput, State, Shared, Global> {
  readonly log = new MemoryLog();
  readonly clock: ManualClock;
  readonly #topology: Topology<Input, GlobalInput, State, Shared, Global>;
  readonly #options: DriverOptions;
  readonly #serdes: Serdes;
  readonly #codec: StateCodec<State, Shared>;
  readonly #partitions: number;
  readonly #stores = new Map<string, StateStores>();
  #instances: TestInstance<Input, GlobalInput, State, Shared, Global>[] = [];
  readonly #starting = new WeakMap<object, Promise<void>>();
  #restart: { readonly store: 'kept' | 'wiped' } = { store: 'kept' };
  #incarnations = 0;

  constructor(topology: Topology<Input, GlobalInput, State, Shared, Global>, options: DriverOptions = {}) {
    this.#topology = topology;
    this.#options = options;
    this.#serdes = options.serdes ?? jsonSerdes;
    this.#codec = stateCodec<State, Shared>(topology.store.changelog, this.#serdes);
    this.#partitions = options.partitions ?? 1;
    this.clock = new ManualClock(options.time ?? 0);
    this.log.time = this.clock.now();
    for (const { name } of [topology.source, topology.store.changelog, ...topology.sinks])
      this.log.createTopic(name, this.#partitions);
    this.log.createTopic(topology.global.name, 1);
  }

  /** The instances that run, in order of joining. */
  get instances(): readonly TestInstance<Input, GlobalInput, State, Shared, Global>[] {
    return this.#instances;
  }

  /**
   * Appends to the source and waits until it is processed. Bytes are written as they are; `null` is a tombstone.
   * @throws TopicMissingError no topic of the topology; whatever ends the instance
   */
  async pipe<Value>(
    topic: Topic<Value>,
    key: string | null,
    value: Value | Uint8Array | null,
    { headers = {}, partition, time }: PipeOptions = {},
  ): Promise<Coordinates> {
    const bytes = key === null ? null : Buffer.from(key);
    const to = partition ?? (bytes === null ? 0 : partitionOf(bytes, this.log.topic(topic.name).length));
    return this.#append(topic, to, bytes, value, time, headers);
  }

  /** Appends to the global topic and waits until every task has taken it. */
  async pipeGlobal(value: GlobalInput | Uint8Array | null, time?: number): Promise<Coordinates> {
    return this.#append(this.#topology.global, 0, null, value, time, {});
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

  /** Delivers from these coordinates again, as a consumer does that was set back. */
  async redeliver({ offset, partition, topic }: Coordinates): Promise<void> {
    await this.settle();
    for (const { clients } of this.#instances) clients.rewind({ topic, partition }, offset);
    await this.settle();
  }

  /** Moves the wall clock on by `ms`; the tasks are idle, so their time moves with it. */
  async advanceTime(ms: number): Promise<void> {
    await this.settle();
    this.#moveClock(this.clock.now() + ms);
    await this.settle();
  }

  /** The next commit is aborted by the broker. */
  abortNextCommit(): void {
    this.#nextCommit('abort');
  }

  /** In the next transaction another member takes the lock, and gives the group back afterwards. */
  fenceNextCommit(): void {
    this.#nextCommit('fence');
  }

  /** The next commit fails for the runtime; `committed` says whether it took effect. */
  loseNextCommitAnswer(committed: boolean): void {
    this.#nextCommit(committed ? 'lose-answer' : 'lose-request');
  }

  /** The first instance is killed at this step, and started again. */
  crashAt(point: CrashPoint, restart: { readonly store: 'kept' | 'wiped' } = { store: 'kept' }): void {
    this.#restart = restart;
    this.#started()[0]?.crashAt(point);
  }

  /** Kills every instance and starts it again, by default on an empty store. */
  async crashAndRestore(restart: { readonly store: 'kept' | 'wiped' } = { store: 'wiped' }): Promise<void> {
    await this.settle();
    const killed = this.#instances;
    for (const instance of killed) await instance.kill();
    this.#instances = [];
    for (const instance of killed) await this.#revive(instance, restart.store);
    await this.settle();
  }

  /** One more instance. */
  async addMember(): Promise<TestInstance<Input, GlobalInput, State, Shared, Global>> {
    await this.settle();
    const instance = this.#create(`i${this.#stores.size}`);
    await this.settle();
    return instance;
  }

  /** Drains an instance; the others take over. */
  async removeMember(instance: TestInstance<Input, GlobalInput, State, Shared, Global>): Promise<void> {
    await instance.application.stop();
    this.#instances = this.#instances.filter((other) => other !== instance);
    await this.settle();
  }

  /** Decoded states of all partitions as the stores hold them. */
  async store(): Promise<ReadonlyMap<string, State>> {
    await this.settle();
    const states = new Map<string, State>();
    for (let partition = 0; partition < this.#partitions; partition += 1)
      for (const [key, bytes] of statesIn(await this.#storeContents(partition)))
        states.set(key, this.#codec.decodeStored(key, bytes));
    return states;
  }

  /** Decoded states of all partitions as the compacted changelog holds them. */
  changelog(): ReadonlyMap<string, State> {
    const states = new Map<string, State>();
    for (let partition = 0; partition < this.#partitions; partition += 1)
      for (const [key, bytes] of statesIn(this.#changelogContents(partition)))
        states.set(key, this.#codec.decodeStored(key, bytes));
    return states;
  }

  /** The position record of a partition, as last committed. */
  position(partition = 0): TaskPosition<Shared> | undefined {
    const bytes = this.#changelogContents(partition).get(POSITION_KEY);
    const { name } = this.#topology.store.changelog;
    return bytes === undefined
      ? undefined
      : this.#codec.decodePosition({ topic: name, partition }, POSITION_KEY, bytes);
  }

  /** Where the stores differ from the compacted changelog, as sentences; empty: every byte and index entry agrees. */
  async inconsistencies(): Promise<readonly string[]> {
    await this.settle();
    const found: string[] = [];
    for (let partition = 0; partition < this.#partitions; partition += 1)
      found.push(
        ...differences(
          await this.#storeContents(partition),
          this.#changelogContents(partition),
          this.#topology.processor,
          (key, bytes) => this.#codec.decodeStored(key, bytes),
        ).map((difference) => `partition ${partition}: ${difference}`),
      );
    return found;
  }

  /**
   * Waits until everything on the log is processed. An instance that was killed by `crashAt` is started again.
   * @throws what ended an instance
   */
  async settle(): Promise<void> {
    this.#started();
    for (;;) {
      const instances = [...this.#instances];
      const settled = await Promise.all(instances.map((instance) => this.#idle(instance)));
      const crashed = instances.filter((_, index) => settled[index] === 'crashed');
      for (const instance of crashed) {
        await instance.kill();
        this.#instances = this.#instances.filter((other) => other !== instance);
        await this.#revive(instance, this.#restart.store);
      }
      const running = this.#instances.flatMap(({ application }) => application.running);
      if (crashed.length === 0 && running.length === (this.#options.groups ?? 1)) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Drains every instance. */
  async close(): Promise<void> {
    await Promise.all(this.#instances.map(({ application }) => application.stop()));
    this.#instances = [];
  }

  async #append<Value>(
    topic: Topic<Value>,
    partition: number,
    key: Uint8Array | null,
    value: Value | Uint8Array | null,
    time: number | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Coordinates> {
    const at = time ?? this.clock.now();
    this.#started();
    const offset = this.log.append(
      {
        topic: topic.name,
        partition,
        key,
        value: this.#serialized(topic, value),
        headers: Object.fromEntries(Object.entries(headers).map(([name, content]) => [name, Buffer.from(content)])),
      },
      at,
    );
    this.#moveClock(at);
    await this.settle();
    return { topic: topic.name, partition, offset };
  }

  #serialized<Value>(topic: Topic<Value>, value: Value | Uint8Array | null): Uint8Array | null {
    if (value === null) return null;
    if (value instanceof Uint8Array) return value;
    const named = typeof value === 'object' && 'type' in value ? String(value.type) : undefined;
    return this.#serdes.serialize(topic, named ?? topic.records[0] ?? '', value);
  }

  #decoded<Value>(topic: Topic<Value>, bytes: Uint8Array): Value {
    const decoded = this.#serdes.deserialize(topic, bytes);
    if (decoded.kind === 'failed') throw new Error(`${topic.name} holds an unreadable record: ${decoded.detail}`);
    return decoded.value;
  }

  #moveClock(time: number): void {
    this.clock.advanceTo(time);
    this.log.time = this.clock.now();
  }

  #nextCommit(fault: CommitFault): void {
    this.log.faults.push(fault);
  }

  #storeContents(partition: number): Promise<Contents> {
    const store = findStore(
      this.#instances.map(({ stores }) => stores),
      this.#topology,
      partition,
    );
    if (store === undefined) throw new Error(`no instance has the store of partition ${partition} open`);
    return storeContents(store);
  }

  #changelogContents(partition: number): Contents {
    return changelogContents(this.log, this.#topology.store.changelog.name, partition);
  }

  #started(): readonly TestInstance<Input, GlobalInput, State, Shared, Global>[] {
    while (this.#stores.size < (this.#options.members ?? 1)) this.#create(`i${this.#stores.size}`);
    return this.#instances;
  }

  #create(instanceId: string): TestInstance<Input, GlobalInput, State, Shared, Global> {
    const stores = this.#stores.get(instanceId) ?? this.#options.stores?.(instanceId) ?? new MemoryStateStores();
    this.#stores.set(instanceId, stores);
    const instance = new TestInstance(this.#topology, {
      log: this.log,
      stores,
      serdes: this.#serdes,
      options: {
        instanceId,
        groups: this.#options.groups ?? 1,
        clock: this.clock,
        newIncarnation: () => `incarnation-${(this.#incarnations += 1)}`,
        ...(this.#options.limits === undefined ? {} : { limits: this.#options.limits }),
      },
    });
    this.#instances = [...this.#instances, instance];
    const started = instance.application.start();
    this.#starting.set(instance, started);
    started.catch(() => undefined);
    return instance;
  }

  async #idle(instance: TestInstance<Input, GlobalInput, State, Shared, Global>): Promise<'idle' | 'crashed'> {
    try {
      await this.#starting.get(instance);
      await instance.application.idle();
      return 'idle';
    } catch (error) {
      if (error instanceof SimulatedCrash) return 'crashed';
      throw error;
    }
  }

  async #revive(
    { clients, instanceId }: TestInstance<Input, GlobalInput, State, Shared, Global>,
    store: 'kept' | 'wiped',
  ): Promise<void> {
    clients.expire();
    if (store === 'wiped')
      for (let partition = 0; partition < this.#partitions; partition += 1)
        await this.#stores
          .get(instanceId)
          ?.wipe(storeName(this.#topology.applicationId, this.#topology.store.name, partition));
    this.#create(instanceId);
  }
}
