import { randomUUID } from 'node:crypto';
import { validateTopology, type Topology } from '../../topology/kit/topology.js';
import { systemClock, type Clock } from './clock.js';
import { MembershipLostError, PartitionsUnequalError, TopologyInvalidError } from './errors.js';
import { GlobalLog } from './global-log.js';
import type { Membership, StateStores, StreamClients } from './ports.js';
import type { Serdes } from './serdes.js';
import { DEFAULT_LIMITS, type StreamContext, type StreamLimits, type StreamObserver } from './stream-context.js';
import { TaskGroup } from './task-group.js';

export type StreamOptions = {
  /** Names this instance; the same after a restart, so that it finds its stores warm. */
  readonly instanceId: string;
  /** Task groups of the whole application, 1 to the number of partitions; fixed, like the partitions. Absent: as many. */
  readonly groups?: number;
  readonly limits?: Partial<StreamLimits>;
  readonly observer?: StreamObserver;
  readonly clock?: Clock;
  readonly newIncarnation?: () => string;
};

export type StreamPorts = {
  readonly clients: StreamClients;
  readonly stores: StateStores;
  readonly serdes: Serdes;
};

/**
 * One instance of a stream application: joins, runs the task groups it is assigned, and drains when stopped. Any failure
 * that the policy does not heal ends the instance; it never goes on with a part of its work silently missing.
 */
export class StreamApplication<Input, GlobalInput, State, Shared, Global> {
  readonly #topology: Topology<Input, GlobalInput, State, Shared, Global>;
  readonly #ports: StreamPorts;
  readonly #options: StreamOptions;
  readonly #groups = new Map<
    number,
    { readonly group: TaskGroup<Input, GlobalInput, State, Shared, Global>; readonly done: Promise<void> }
  >();
  readonly #failure: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;
  #context: StreamContext<Input, GlobalInput, State, Shared, Global> | undefined;
  #membership: Membership | undefined;
  #assigned: readonly number[] = [];
  #reconciling: Promise<void> = Promise.resolve();
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(
    topology: Topology<Input, GlobalInput, State, Shared, Global>,
    ports: StreamPorts,
    options: StreamOptions,
  ) {
    this.#topology = topology;
    this.#ports = ports;
    this.#options = options;
    this.#failure = new Promise<never>((_, reject) => {
      this.#fail = (error) => {
        reject(error instanceof Error ? error : new Error(String(error)));
        // What cannot go on here is handed over: others may be able to.
        this.stop().catch(() => undefined);
      };
    });
    // Watched through `failed`; a failure nobody watches is no reason to end the process unread.
    this.#failure.catch(() => undefined);
  }

  /** Rejects with the error that ended the instance, which then drains by itself. Never resolves. */
  get failed(): Promise<never> {
    return this.#failure;
  }

  /** The groups that run here now. */
  get running(): readonly number[] {
    return [...this.#groups.keys()].sort((a, b) => a - b);
  }

  /**
   * Checks the topics and joins. Groups start as they are assigned.
   * @throws TopologyInvalidError, TopicMissingError, PartitionsUnequalError, BrokerError
   */
  start(): Promise<void> {
    this.#starting ??= this.#join();
    return this.#starting;
  }

  async #join(): Promise<void> {
    const { clients, serdes, stores } = this.#ports;
    const faults = validateTopology(this.#topology);
    if (faults.length > 0) throw new TopologyInvalidError(this.#topology.applicationId, faults);
    const clock = this.#options.clock ?? systemClock;
    const partitions = await this.#partitionCount();
    const groups = this.#options.groups ?? partitions;
    if (!Number.isInteger(groups) || groups < 1 || groups > partitions)
      throw new TopologyInvalidError(this.#topology.applicationId, [
        `${groups} task groups over ${partitions} partitions of ${this.#topology.source.name}`,
      ]);
    this.#context = {
      topology: this.#topology,
      clients,
      stores,
      serdes,
      clock,
      observer: this.#options.observer ?? {},
      limits: { ...DEFAULT_LIMITS, ...this.#options.limits },
      globals: new GlobalLog(this.#topology, { reader: clients.reader, serdes, clock }, this.#fail),
      partitions,
      groups,
      newIncarnation: this.#options.newIncarnation ?? randomUUID,
    };
    this.#membership = await clients.join(
      {
        groupId: this.#topology.applicationId,
        source: this.#topology.source.name,
        partitions,
        groups,
        instanceId: this.#options.instanceId,
      },
      {
        onAssigned: (assigned) => {
          this.#assigned = assigned;
          this.#reconcile();
        },
        onFetched: async (fetched) => this.#groups.get(fetched.partition % groups)?.group.onFetched(fetched),
        onFailed: (error) => {
          this.#fail(
            error instanceof MembershipLostError ? error : new MembershipLostError(this.#topology.applicationId, error),
          );
        },
      },
    );
    this.#reconcile();
  }

  /** Finishes the running transactions, closes the stores cleanly, and leaves the group. May be called again. */
  stop(): Promise<void> {
    this.#stopping ??= this.#drain();
    return this.#stopping;
  }

  /** Resolves when the groups that run here have processed everything on the log and nothing is due. */
  async idle(): Promise<void> {
    await this.#reconciling;
    await Promise.race([Promise.all([...this.#groups.values()].map(({ group }) => group.idle())), this.#failure]);
  }

  /** @throws PartitionsUnequalError */
  async #partitionCount(): Promise<number> {
    const { global, sinks, source, store } = this.#topology;
    const equal = [source, store.changelog, ...sinks].map(({ name }) => name);
    const counts = await this.#ports.clients.partitionCounts([...equal, global.name]);
    const partitions = counts.get(source.name) ?? 0;
    if (counts.get(global.name) !== 1)
      throw new PartitionsUnequalError(
        new Map([[global.name, counts.get(global.name) ?? 0]]),
        'the global topic has one partition',
      );
    const found = new Map(equal.map((name) => [name, counts.get(name) ?? 0]));
    if ([...found.values()].some((count) => count !== partitions))
      throw new PartitionsUnequalError(found, 'source, changelog and sinks have the same number of partitions');
    return partitions;
  }

  /** Brings what runs to what is assigned. Serial: a group is closed here before it may start here again. */
  #reconcile(): void {
    const assigned = this.#assigned;
    if (this.#membership === undefined) return;
    for (const [index, { group }] of this.#groups)
      if (assigned.includes(index)) group.assigned();
      else group.stop();
    this.#reconciling = this.#reconciling.then(async () => {
      // Stopped once means closed first, even when it has come back in the meantime.
      const lost = [...this.#groups].filter(([, { group }]) => group.stopped);
      await Promise.allSettled(lost.map(([, { done }]) => done));
      for (const [index] of lost) this.#groups.delete(index);
      for (const index of this.#assigned) if (!this.#groups.has(index)) this.#startGroup(index);
    });
  }

  #startGroup(index: number): void {
    if (this.#context === undefined || this.#membership === undefined || this.#stopping !== undefined) return;
    const group = new TaskGroup(this.#context, index, this.#membership);
    group.assigned();
    const done = group.run();
    done.catch(this.#fail);
    this.#groups.set(index, { group, done });
  }

  async #drain(): Promise<void> {
    // A membership that is under way must be there before it can be left.
    await this.#starting?.catch(() => undefined);
    await this.#reconciling;
    const running = [...this.#groups.values()];
    for (const { group } of running) group.stop();
    await Promise.allSettled(running.map(({ done }) => done));
    this.#context?.globals.close();
    await this.#membership?.leave();
    await this.#ports.clients.close();
  }
}
