import { BrokerError, OffsetLostError } from '../streams/errors.js';
import type {
  Fetched,
  LogReader,
  Membership,
  PartitionRef,
  StreamClients,
  TransactionalProducer,
} from '../streams/ports.js';
import type { MemoryGroup, MemoryMember } from './memory-group.js';
import type { CommitStep, MemoryLog } from './memory-log.js';

export type MemoryClientOptions = {
  /** Every call passes through here once before it takes effect, and once before its answer; reorders, delays, fails. */
  readonly turn?: () => Promise<void>;
  /** Called after each step of a commit; what it throws reaches the caller. */
  readonly onCommitStep?: (step: CommitStep, transactionalId: string) => void;
  /** False: an adapter that cannot tell of heartbeats. */
  readonly confirms?: boolean;
  /** True: the broker acknowledges every batch under the offset of the first, as after a lost sequence number. */
  readonly staleBases?: boolean;
  /** Records at most in one delivery. */
  readonly fetchSize?: number;
};

const gate = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
};

const name = ({ topic, partition }: PartitionRef): string => `${topic}/${partition}`;

/** The clients of one instance over a `MemoryLog`. `kill` is what SIGKILL does to them: nothing takes effect any more. */
export class MemoryClients implements StreamClients {
  readonly reader: LogReader;
  readonly #log: MemoryLog;
  readonly #groupId: string;
  readonly #options: MemoryClientOptions;
  #dead: Error | undefined;
  #gate: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  #member: { readonly group: MemoryGroup; readonly member: MemoryMember; readonly membership: Membership } | undefined;

  constructor(log: MemoryLog, groupId: string, options: MemoryClientOptions = {}) {
    this.#log = log;
    this.#groupId = groupId;
    this.#options = options;
    this.reader = {
      bounds: async (partitions) => {
        await this.#turn();
        return partitions.map((partition) => {
          const { low, end } = this.#log.partition(partition);
          return { ...partition, low, end };
        });
      },
      read: (partition, { from, to }, onFetched, signal) => this.#read(partition, from, to, onFetched, signal),
    };
  }

  /** `leavesGroup`: false leaves the membership to a later `rebalance`, as a session timeout would end it. */
  kill(reason: Error): void {
    this.#dead ??= reason;
    if (this.#member !== undefined) this.#member.member.paused = true;
    this.#log.changed();
  }

  /** The group gives up on a killed member. */
  expire(): void {
    this.#member?.group.leave(this.#member.member);
  }

  /** SIGSTOP: calls hang, and the group goes on without this member. */
  pause(): void {
    this.#gate ??= gate();
    if (this.#member === undefined) return;
    this.#member.member.paused = true;
    this.#member.group.rebalance();
  }

  /** SIGCONT: calls go on; the group is not rejoined yet. */
  resume(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  /** The member has noticed that the group went on without it. */
  rejoin(): void {
    if (this.#member === undefined) return;
    this.#member.member.paused = false;
    this.#member.group.rebalance();
  }

  /** Delivers from an earlier offset again, as a client does that lost its place. */
  rewind(partition: PartitionRef, offset: bigint): void {
    this.#member?.membership.run(partition, offset);
  }

  fence = async (transactionalId: string): Promise<TransactionalProducer> => {
    await this.#turn();
    const epoch = this.#log.fence(transactionalId);
    await this.#turn();
    let failed: Error | undefined;
    let stale: readonly (PartitionRef & { readonly baseOffset: bigint })[] | undefined;
    const step = async (step: CommitStep): Promise<void> => {
      this.#options.onCommitStep?.(step, transactionalId);
      await this.#turn();
    };
    return {
      commit: async ({ records, positions }) => {
        if (failed !== undefined) throw failed;
        try {
          await this.#turn();
          this.#log.begin(transactionalId, epoch);
          await step('P2');
          const bases = this.#log.produce(transactionalId, epoch, records);
          await step('P3');
          this.#log.addPositions(transactionalId, epoch, positions);
          await step('P4');
          this.#log.commit(transactionalId, epoch, this.#groupId);
          await step('P5');
          stale ??= bases;
          return this.#options.staleBases === true ? stale : bases;
        } catch (error) {
          failed = error instanceof Error ? error : new BrokerError('commit failed', error);
          throw error;
        }
      },
      close: () => Promise.resolve(),
    };
  };

  partitionCounts = async (topics: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    await this.#turn();
    return new Map(topics.map((topic) => [topic, this.#log.topic(topic).length]));
  };

  join: StreamClients['join'] = async ({ groupId, groups, instanceId, source }, events): Promise<Membership> => {
    await this.#turn();
    const running = new Map<string, AbortController>();
    const pause = (partition: PartitionRef): void => {
      running.get(name(partition))?.abort();
      running.delete(name(partition));
    };
    const group = this.#log.group(groupId);
    const member: MemoryMember = {
      instanceId,
      groups,
      paused: false,
      owned: [],
      onAssigned: (owned) => {
        for (const controller of running.values()) controller.abort();
        running.clear();
        if (this.#dead === undefined) events.onAssigned(owned);
      },
    };
    const membership: Membership = {
      run: (partition, offset) => {
        pause(partition);
        const controller = new AbortController();
        const { signal } = controller;
        if (this.#dead !== undefined || !member.owned.includes(partition.partition % groups)) return;
        running.set(name(partition), controller);
        this.#read(
          { topic: source, partition: partition.partition },
          offset,
          undefined,
          events.onFetched,
          signal,
        ).catch((error: unknown) => {
          if (!signal.aborted && this.#dead === undefined)
            events.onFailed(error instanceof Error ? error : new BrokerError('fetching failed', error));
        });
      },
      pause,
      ...(this.#options.confirms === false ? {} : { confirm: () => this.#confirm(member) }),
      leave: async () => {
        await this.#turn();
        for (const controller of running.values()) controller.abort();
        group.leave(member);
      },
    };
    this.#member = { group, member, membership };
    group.join(member);
    return membership;
  };

  close = (): Promise<void> => Promise.resolve();

  /** What a member of a bygone generation hears is an assignment, not a confirmation. */
  async #confirm(member: MemoryMember): Promise<void> {
    await this.#turn();
    if (member.paused) await new Promise<never>(() => undefined);
  }

  async #turn(): Promise<void> {
    if (this.#dead !== undefined) throw this.#dead;
    await this.#options.turn?.();
    while (this.#gate !== undefined) await this.#gate.promise;
    // Read again: it may have been killed while it waited.
    const dead = this.#dead as Error | undefined;
    if (dead !== undefined) throw dead;
  }

  async #read(
    ref: PartitionRef,
    from: bigint,
    to: bigint | undefined,
    onFetched: (fetched: Fetched) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const partition = this.#log.partition(ref);
    for (let at = from; to === undefined || at < to;) {
      await this.#turn();
      if (signal?.aborted === true) return;
      if (at < partition.low) throw new OffsetLostError(ref, at, partition.low);
      const { records, next } = partition.fetch(at, this.#options.fetchSize ?? 100);
      if (next > at) {
        await onFetched({ ...ref, records, from: at, next });
        at = next;
      } else await this.#change(signal);
    }
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        unwatch();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const unwatch = this.#log.watch(done);
      signal?.addEventListener('abort', done);
    });
  }
}
