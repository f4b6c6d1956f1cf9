import { storeName } from '../streams/open-task.js';
import type { StateStores } from '../streams/ports.js';
import type { Serdes } from '../streams/serdes.js';
import type { StreamLimits, StreamObserver } from '../streams/stream-context.js';
import type { Topology } from '../../topology/kit/topology.js';
import { jsonSerdes } from './json-serdes.js';
import { ManualClock } from './manual-clock.js';
import type { MemoryClientOptions } from './memory-clients.js';
import { MemoryLog } from './memory-log.js';
import { MemoryStateStores } from './memory-state-stores.js';
import type { Sabotage } from './sabotage.js';
import { SimulatedCrash, TestInstance, type CrashPoint } from './test-instance.js';

export type ClusterOptions = {
  /** Of the source, the changelog and the sinks; 1 if not said. */
  readonly partitions?: number;
  /** Task groups; 1 if not said. */
  readonly groups?: number;
  /** Instances at the start; 1 if not said. */
  readonly members?: number;
  readonly serdes?: Serdes;
  /** Stores of an instance; in memory if not said. */
  readonly stores?: (instanceId: string) => StateStores;
  readonly limits?: Partial<StreamLimits>;
  readonly observer?: StreamObserver;
  /** Commits the wrong way, to see that it is noticed. */
  readonly sabotage?: Sabotage;
  readonly client?: Omit<MemoryClientOptions, 'onCommitStep'>;
  /** A broker that has the topics already; a new one if not said. */
  readonly log?: MemoryLog;
  /** Begins the names of the changelogs' incarnations. */
  readonly incarnation?: string;
  /** Wall clock at the start, ms. */
  readonly time?: number;
};

/** Whether the disk of a killed instance is there for the next one. */
export type Restart = { readonly store: 'kept' | 'wiped' };

/** The instances of one application over one in-memory broker. They are started when they are first needed. */
export class TestCluster<Input, GlobalInput, State, Shared, Global> {
  readonly log: MemoryLog;
  readonly clock: ManualClock;
  readonly serdes: Serdes;
  readonly partitions: number;
  readonly #topology: Topology<Input, GlobalInput, State, Shared, Global>;
  readonly #options: ClusterOptions;
  readonly #stores = new Map<string, StateStores>();
  readonly #paused = new Set<object>();
  readonly #starting = new WeakMap<object, Promise<void>>();
  #instances: readonly TestInstance<Input, GlobalInput, State, Shared, Global>[] = [];
  #restart: Restart = { store: 'kept' };
  #incarnations = 0;
  #crashes = 0;

  constructor(topology: Topology<Input, GlobalInput, State, Shared, Global>, options: ClusterOptions) {
    this.#topology = topology;
    this.#options = options;
    this.serdes = options.serdes ?? jsonSerdes;
    this.partitions = options.partitions ?? 1;
    this.clock = new ManualClock(options.time ?? 0);
    this.log = options.log ?? new MemoryLog();
    this.log.time = this.clock.now();
    if (options.log !== undefined) return;
    for (const { name } of [topology.source, topology.store.changelog, ...topology.sinks])
      this.log.createTopic(name, this.partitions);
    this.log.createTopic(topology.global.name, 1);
  }

  /** The instances that run, in order of joining. */
  get instances(): readonly TestInstance<Input, GlobalInput, State, Shared, Global>[] {
    return this.#instances;
  }

  /** How many instances were killed by a `crashAt`. */
  get crashes(): number {
    return this.#crashes;
  }

  get groups(): number {
    return this.#options.groups ?? 1;
  }

  /** Starts what was not started yet. */
  start(): void {
    for (let member = 0; member < (this.#options.members ?? 1); member += 1)
      if (!this.#stores.has(`i${member}`)) this.#create(`i${member}`);
  }

  moveClock(time: number): void {
    this.clock.advanceTo(time);
    this.log.time = this.clock.now();
  }

  /** The first instance is killed at this step, and started again by `settle`. */
  crashAt(point: CrashPoint, restart: Restart): void {
    this.start();
    this.#restart = restart;
    this.#instances[0]?.crashAt(point);
  }

  /** Kills every instance and starts it again. */
  async killAll(restart: Restart): Promise<void> {
    const killed = this.#instances;
    for (const instance of killed) await instance.kill();
    this.#instances = [];
    for (const instance of killed) await this.#revive(instance, restart);
  }

  add(): TestInstance<Input, GlobalInput, State, Shared, Global> {
    this.start();
    return this.#create(`i${this.#stores.size}`);
  }

  /** Drains an instance; the others take over. */
  async remove(instance: TestInstance<Input, GlobalInput, State, Shared, Global>): Promise<void> {
    await instance.application.stop();
    this.#instances = this.#instances.filter((other) => other !== instance);
  }

  /** Stops the process without a word (SIGSTOP); the group gives its work to the others. */
  pause(instance: TestInstance<Input, GlobalInput, State, Shared, Global>): void {
    this.#paused.add(instance);
    instance.clients.pause();
  }

  /** Lets it go on where it was (SIGCONT); what happened meanwhile it learns later, the hard way. */
  async resume(instance: TestInstance<Input, GlobalInput, State, Shared, Global>): Promise<void> {
    instance.clients.resume();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    this.#paused.delete(instance);
    instance.clients.rejoin();
  }

  /**
   * Waits until everything on the log is processed. An instance that was killed by `crashAt` is started again.
   * @throws what ended an instance
   */
  async settle(): Promise<void> {
    this.start();
    for (let turn = 0; turn < PATIENCE; turn += 1) {
      const awake = this.#instances.filter((instance) => !this.#paused.has(instance));
      const settled = await Promise.all(awake.map((instance) => this.#idle(instance)));
      const crashed = awake.filter((_, index) => settled[index] === 'crashed');
      for (const instance of crashed) await this.restart(instance, this.#restart);
      const running = awake.flatMap(({ application }) => application.running);
      if (crashed.length === 0 && running.length === this.groups) return;
      await nextTurn();
    }
    throw new Error('the task groups are not all assigned to instances that run');
  }

  /** Starts an instance again that was killed. */
  async restart(
    instance: TestInstance<Input, GlobalInput, State, Shared, Global>,
    restart: Restart,
  ): Promise<TestInstance<Input, GlobalInput, State, Shared, Global>> {
    this.#crashes += 1;
    await instance.kill();
    this.#instances = this.#instances.filter((other) => other !== instance);
    return this.#revive(instance, restart);
  }

  /** Drains every instance. */
  async close(): Promise<void> {
    await Promise.all(this.#instances.map(({ application }) => application.stop()));
    this.#instances = [];
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
    { store }: Restart,
  ): Promise<TestInstance<Input, GlobalInput, State, Shared, Global>> {
    clients.expire();
    const { applicationId, store: storeOf } = this.#topology;
    if (store === 'wiped')
      for (let partition = 0; partition < this.partitions; partition += 1)
        await this.#stores.get(instanceId)?.wipe(storeName(applicationId, storeOf.name, partition));
    return this.#create(instanceId);
  }

  #create(instanceId: string): TestInstance<Input, GlobalInput, State, Shared, Global> {
    const { client, limits, observer, sabotage } = this.#options;
    const stores = this.#stores.get(instanceId) ?? this.#options.stores?.(instanceId) ?? new MemoryStateStores();
    this.#stores.set(instanceId, stores);
    const instance = new TestInstance(this.#topology, {
      log: this.log,
      stores,
      serdes: this.serdes,
      ...(client === undefined ? {} : { client }),
      ...(sabotage === undefined ? {} : { sabotage }),
      options: {
        instanceId,
        groups: this.groups,
        clock: this.clock,
        newIncarnation: () => `${this.#options.incarnation ?? 'life'} ${(this.#incarnations += 1)}`,
        ...(observer === undefined ? {} : { observer }),
        ...(limits === undefined ? {} : { limits }),
      },
    });
    this.#instances = [...this.#instances, instance];
    const started = instance.application.start();
    started.catch(() => undefined);
    this.#starting.set(instance, started);
    return instance;
  }
}

/** Turns of the event loop that a rebalance may take. */
const PATIENCE = 10_000;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
