import { BaseOffsets, commitTransaction } from './exactly-once-commit.js';
import { remedyFor } from './failure-policy.js';
import { openTask, type OpenTask } from './open-task.js';
import { LockClaim } from './lock-claim.js';
import type { Fetched, Membership, PartitionRef, TransactionalProducer } from './ports.js';
import type { Step, StreamContext } from './stream-context.js';
import { taskBounds } from './task-bounds.js';
import { Wakeup } from './wakeup.js';

/** Pause while the end of a partition is being fetched, ms. */
const CATCHING_UP_MS = 20;

/**
 * Task group k of G: the partitions p with p mod G = k, one producer, one executor, one transaction at a time under the
 * transactional ID `<application.id>.g<k>`. The epoch of that ID is the lock: whoever took it last is the only one that
 * can commit, and it read state and position after taking it. Membership only says who should try.
 *
 * Assignment                                     Processing
 * A1 the group is ours; nothing is fetched yet   P1 decide what waits, in memory
 * A2 fence: take the transactional ID            P2 begin
 * A3 then read ends and beginnings               P3 write outputs, changelog and position, one batch a partition
 * A4 open the stores; wipe what cannot be true   P4 add the source positions as group offsets
 * A5 apply the changelog up to its end           P5 commit
 * A6 take the position from the changelog        P6 write the stores, with their checkpoint
 * A7 if still ours, fetch from there             P7 go on from the new position
 *
 * Any failure from P2 on: producer, tasks and uncommitted state are thrown away, and A2 to A7 are gone through again.
 */
export class TaskGroup<Input, GlobalInput, State, Shared, Global> {
  readonly index: number;
  readonly partitions: readonly number[];
  readonly #context: StreamContext<Input, GlobalInput, State, Shared, Global>;
  readonly #membership: Membership;
  readonly #transactionalId: string;
  readonly #claim: LockClaim;
  readonly #wakeup = new Wakeup();
  readonly #bases = new BaseOffsets();
  readonly #stopping = new AbortController();
  /** Partitions whose stores have failed and are wiped at the next A4. */
  readonly #suspects = new Set<number>();
  #open = new Map<number, OpenTask<Input, GlobalInput, State, Shared, Global>>();
  #producer: TransactionalProducer | undefined;
  #idle: (() => void)[] = [];

  constructor(
    context: StreamContext<Input, GlobalInput, State, Shared, Global>,
    index: number,
    membership: Membership,
  ) {
    this.#context = context;
    this.index = index;
    this.#membership = membership;
    this.#transactionalId = `${context.topology.applicationId}.g${index}`;
    this.#claim = new LockClaim(this.#transactionalId, membership, context.clock, context.limits.assignmentProofMs);
    this.partitions = Array.from({ length: context.partitions }, (_, partition) => partition).filter(
      (partition) => partition % context.groups === index,
    );
  }

  /** Runs until `stop`; everything is closed when it resolves or rejects. @throws what the failure policy stops for */
  async run(): Promise<void> {
    let attempt = 0;
    try {
      while (!this.#stopping.signal.aborted) {
        try {
          await this.#assign();
          await this.#process(() => {
            attempt = 0;
          });
        } catch (error) {
          const remedy = remedyFor(error);
          this.#context.observer.onFailure?.(this.index, error, remedy);
          if (remedy.action === 'stop') throw error;
          await this.#discard();
          if (remedy.action === 'restart' && remedy.wipe && this.#suspects.size === 0)
            for (const partition of this.partitions) this.#suspects.add(partition);
          if (remedy.action === 'restart' && remedy.afterAssignment)
            await this.#claim.proven(error, this.#stopping.signal);
          if (attempt > 0) await this.#backOff(attempt);
          attempt += 1;
        }
      }
      this.#release();
    } finally {
      await this.#discard();
    }
  }

  /** The group is ours in a new generation. What runs goes on; the lock tells whether it may. */
  assigned(): void {
    this.#claim.assigned();
    for (const [partition, { queue }] of this.#open) this.#membership.run(this.#source(partition), queue.next);
    this.#wakeup.notify();
  }

  /** Resolves when more of the partition may be delivered. */
  async onFetched(fetched: Fetched): Promise<void> {
    const open = this.#open.get(fetched.partition);
    if (open === undefined) return;
    const { joined, room } = open.queue.offer(fetched);
    if (!joined) this.#membership.run(this.#source(fetched.partition), open.queue.next);
    this.#wakeup.notify();
    await room;
  }

  /** Finishes the running transaction and ends `run`. */
  stop(): void {
    this.#stopping.abort();
    this.#wakeup.notify();
  }

  get stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Resolves when everything on the log is processed and nothing is due, or when the group has stopped. */
  idle(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#wakeup.notify();
    });
  }

  #source(partition: number): PartitionRef {
    return { topic: this.#context.topology.source.name, partition };
  }

  #step(step: Step): void {
    this.#context.observer.onStep?.(step, this.index);
  }

  async #assign(): Promise<void> {
    const { clients } = this.#context;
    this.#step('A1');
    this.#claim.taken();
    this.#producer = await clients.fence(this.#transactionalId);
    this.#step('A2');
    const bounds = await taskBounds(this.#context, this.partitions);
    this.#step('A3');
    const opened = await Promise.allSettled(
      this.partitions.map(async (partition) =>
        openTask(this.#context, partition, bounds(partition), this.#suspects, this.#wakeup.notify),
      ),
    );
    for (const result of opened)
      if (result.status === 'fulfilled') this.#open.set(result.value.task.partition, result.value);
    for (const result of opened) if (result.status === 'rejected') throw result.reason;
    this.#step('A6');
    if (this.#stopping.signal.aborted) return;
    for (const [partition, { queue }] of this.#open) this.#membership.run(this.#source(partition), queue.next);
    this.#step('A7');
  }

  async #process(onCommitted: () => void): Promise<void> {
    const { clock, globals, topology } = this.#context;
    const topics = { source: topology.source.name, changelog: topology.store.changelog.name };
    while (!this.#stopping.signal.aborted) {
      this.#wakeup.reset();
      const resting = await this.#resting();
      const opened = [...this.#open.values()];
      const decided = await Promise.all(
        opened.map(async ({ task }) =>
          task.decide(globals.next, resting.has(task.partition) ? clock.now() : undefined),
        ),
      );
      const staged = opened.filter((_, index) => decided[index] === true);
      if (staged.length > 0 && this.#producer !== undefined) {
        this.#step('P1');
        await commitTransaction(this.#producer, staged, topics, this.#bases, clock.now, (step) => {
          this.#step(step);
        });
        onCommitted();
      } else await this.#rest();
    }
  }

  /** The partitions that are read to their end, among those that have something to do because of that. */
  async #resting(): Promise<ReadonlySet<number>> {
    const now = this.#context.clock.now();
    const waiting = [...this.#open.values()].filter(
      ({ task }) => !task.hasInput && (task.hasGlobals || task.earliestDue <= now),
    );
    if (waiting.length === 0) return new Set();
    return this.#readToEnd(waiting.map(({ task }) => task.partition));
  }

  async #readToEnd(partitions: readonly number[]): Promise<ReadonlySet<number>> {
    const bounds = await this.#context.clients.reader.bounds(partitions.map((partition) => this.#source(partition)));
    return new Set(
      bounds
        .filter(({ partition, end }) => {
          const open = this.#open.get(partition);
          return open !== undefined && !open.task.hasInput && open.queue.next >= end;
        })
        .map(({ partition }) => partition),
    );
  }

  /** Waits for an input, a global record, a due timer, or a stop. */
  async #rest(): Promise<void> {
    const { clock, limits, observer } = this.#context;
    if (this.#idle.length > 0 && (await this.#isIdle())) this.#release();
    const tasks = [...this.#open.values()].map(({ task }) => task);
    const blocked = tasks.filter((task) => task.blocked !== undefined);
    for (const task of blocked) observer.onBlocked?.(task.partition, task.blocked);
    const due = Math.min(...tasks.map((task) => task.earliestDue));
    await this.#wakeup.wait(
      blocked.length > 0
        ? (signal) => clock.backOff(limits.retryMs, signal)
        : due <= clock.now()
          ? (signal) => clock.backOff(CATCHING_UP_MS, signal)
          : Number.isFinite(due)
            ? (signal) => clock.sleepUntil(due, signal)
            : undefined,
    );
  }

  async #isIdle(): Promise<boolean> {
    const { clients, clock, globals, topology } = this.#context;
    const tasks = [...this.#open.values()].map(({ task }) => task);
    const [global] = await clients.reader.bounds([{ topic: topology.global.name, partition: 0 }]);
    const read = await this.#readToEnd(this.partitions);
    return (
      read.size === this.partitions.length &&
      globals.next >= (global?.end ?? 0n) &&
      tasks.every((task) => !task.hasGlobals && task.earliestDue > clock.now())
    );
  }

  #release(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }

  async #backOff(attempt: number): Promise<void> {
    const { clock, limits } = this.#context;
    await clock.backOff(Math.min(limits.retryMs * 2 ** (attempt - 1), limits.retryMostMs), this.#stopping.signal);
  }

  /** Throws away everything since A2. */
  async #discard(): Promise<void> {
    const opened = [...this.#open.values()];
    this.#open = new Map();
    const producer = this.#producer;
    this.#producer = undefined;
    for (const { globals, queue, task } of opened) {
      this.#membership.pause(this.#source(task.partition));
      queue.close();
      globals.close();
    }
    await Promise.allSettled([producer?.close(), ...opened.map(({ store }) => store.close())]);
  }
}
