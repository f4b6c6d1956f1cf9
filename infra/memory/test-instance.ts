import { StreamApplication, type StreamOptions } from '../streams/stream-application.js';
import { storeName } from '../streams/open-task.js';
import type { StateStore, StateStores, StreamClients } from '../streams/ports.js';
import type { Serdes } from '../streams/serdes.js';
import type { Step } from '../streams/stream-context.js';
import type { Topology } from '../../topology/kit/topology.js';
import { MemoryClients, type MemoryClientOptions } from './memory-clients.js';
import type { MemoryLog } from './memory-log.js';
import { sabotaged, type Sabotage } from './sabotage.js';

/** What a process leaves behind that was killed right after a step. */
export class SimulatedCrash extends Error {
  readonly step: string;

  constructor(step: string) {
    super(`killed ${step}`);
    this.name = new.target.name;
    this.step = step;
  }
}

/** When an instance is killed: right after the `nth` time that a step is done (the first, if not said). */
export type CrashPoint = { readonly step: Step; readonly nth?: number };

export type InstanceParts = {
  readonly log: MemoryLog;
  readonly stores: StateStores;
  readonly serdes: Serdes;
  readonly client?: Omit<MemoryClientOptions, 'onCommitStep'>;
  /** Commits the wrong way. */
  readonly sabotage?: Sabotage;
  readonly options: StreamOptions;
};

/** One process of a stream application: the production runtime over in-memory clients, which can be killed at any step. */
export class TestInstance<Input, GlobalInput, State, Shared, Global> {
  readonly application: StreamApplication<Input, GlobalInput, State, Shared, Global>;
  readonly clients: MemoryClients;
  readonly instanceId: string;
  /** Stores open now, by name. */
  readonly stores = new Map<string, StateStore>();
  #crash: { readonly step: Step; left: number } | undefined;
  #dead: Error | undefined;
  #failsNextWrite = false;

  constructor(topology: Topology<Input, GlobalInput, State, Shared, Global>, parts: InstanceParts) {
    const { client, log, options, serdes, stores } = parts;
    this.instanceId = options.instanceId;
    this.clients = new MemoryClients(log, topology.applicationId, {
      ...client,
      // P5 is told by the runtime, after the answer: the crash before the answer is a lost answer.
      onCommitStep: (step) => {
        if (step !== 'P5') this.#done(step);
      },
    });
    this.application = new StreamApplication(
      topology,
      { clients: this.#sabotaged(topology, parts.sabotage), stores: this.#watched(stores), serdes },
      {
        ...options,
        observer: {
          ...options.observer,
          onStep: (step, group) => {
            options.observer?.onStep?.(step, group);
            this.#done(step);
          },
        },
      },
    );
  }

  get dead(): boolean {
    return this.#dead !== undefined;
  }

  /** `undefined`: not any more. */
  crashAt(point: CrashPoint | undefined): void {
    this.#crash = point === undefined ? undefined : { step: point.step, left: point.nth ?? 1 };
  }

  /** As a full disk does. */
  failNextWrite(): void {
    this.#failsNextWrite = true;
  }

  /** SIGKILL: memory is gone, the log and what was written to the stores stay. */
  async kill(reason = new SimulatedCrash('from outside')): Promise<void> {
    this.#dead ??= reason;
    this.clients.kill(reason);
    await Promise.allSettled([...this.stores.values()].map((store) => store.close()));
    this.stores.clear();
  }

  #done(step: Step): void {
    if (this.#dead !== undefined) throw this.#dead;
    if (this.#crash?.step !== step) return;
    this.#crash.left -= 1;
    if (this.#crash.left > 0) return;
    this.#dead = new SimulatedCrash(`after ${step}`);
    this.clients.kill(this.#dead);
    throw this.#dead;
  }

  #sabotaged(
    { applicationId, store }: Topology<Input, GlobalInput, State, Shared, Global>,
    sabotage: Sabotage | undefined,
  ): StreamClients {
    const { clients } = this;
    if (sabotage === undefined) return clients;
    return {
      reader: clients.reader,
      partitionCounts: clients.partitionCounts,
      join: clients.join,
      close: clients.close,
      fence: async (transactionalId) =>
        sabotaged(await clients.fence(transactionalId), sabotage, store.changelog.name, (partition) =>
          this.stores.get(storeName(applicationId, store.name, partition)),
        ),
    };
  }

  #watched(stores: StateStores): StateStores {
    return {
      wipe: (name) => stores.wipe(name),
      open: async (name) => {
        if (this.#dead !== undefined) throw this.#dead;
        const { store, trusted } = await stores.open(name);
        this.stores.set(name, store);
        const alive = <Result>(work: () => Promise<Result>): Promise<Result> =>
          this.#dead === undefined ? work() : Promise.reject(this.#dead);
        return {
          trusted,
          store: {
            getMany: (keys) => alive(() => store.getMany(keys)),
            range: (range) => alive(() => store.range(range)),
            write: (entries) =>
              alive(() => {
                if (!this.#failsNextWrite) return store.write(entries);
                this.#failsNextWrite = false;
                return Promise.reject(new Error('no space left on device'));
              }),
            close: async () => {
              if (this.stores.get(name) === store) this.stores.delete(name);
              await store.close();
            },
          },
        };
      },
    };
  }
}
