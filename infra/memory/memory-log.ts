import { BrokerError, FencedError, TopicMissingError } from '../streams/errors.js';
import type { NewRecord, PartitionRef, Position } from '../streams/ports.js';
import { MemoryGroup } from './memory-group.js';
import { MemoryPartition, type LogTransaction } from './memory-partition.js';

type OpenTransaction = {
  readonly log: LogTransaction;
  readonly touched: Set<MemoryPartition>;
  positions: readonly Position[];
};
type Lock = { epoch: number; open: OpenTransaction | undefined };

/** Steps of a commit as the broker sees them; what a hook throws is what the client gets. */
export type CommitStep = 'P2' | 'P3' | 'P4' | 'P5';

/** Faults to come, each used once. */
export type CommitFault =
  /** The broker aborts the transaction; the client gets an error. */
  | 'abort'
  /** Another producer takes the lock in the middle of the transaction. */
  | 'fence'
  /** The commit takes effect, its answer is lost. */
  | 'lose-answer'
  /** The commit request is lost: the transaction stays open until the next fence. */
  | 'lose-request';

/**
 * A broker in memory, faithful in what the runtime leans on: control records take offsets, aborted records stay invisible,
 * nobody reads beyond an open transaction, a fence settles the transaction of the holder before it.
 */
export class MemoryLog {
  /** Wall clock of the broker: append times. */
  time = 0;
  readonly faults: CommitFault[] = [];
  readonly #topics = new Map<string, readonly MemoryPartition[]>();
  readonly #locks = new Map<string, Lock>();
  readonly #groups = new Map<string, MemoryGroup>();
  readonly #watchers = new Set<() => void>();

  createTopic(name: string, partitions: number): void {
    this.#topics.set(
      name,
      Array.from({ length: partitions }, (_, partition) => new MemoryPartition(name, partition)),
    );
  }

  /** Deletes a topic and creates it again. */
  recreate(name: string): void {
    this.createTopic(name, this.topic(name).length);
    this.changed();
  }

  /** @throws TopicMissingError */
  topic(name: string): readonly MemoryPartition[] {
    const topic = this.#topics.get(name);
    if (topic === undefined) throw new TopicMissingError([name]);
    return topic;
  }

  /** @throws TopicMissingError */
  partition({ topic, partition }: PartitionRef): MemoryPartition {
    const found = this.topic(topic)[partition];
    if (found === undefined) throw new TopicMissingError([`${topic}/${partition}`]);
    return found;
  }

  group(groupId: string): MemoryGroup {
    const group = this.#groups.get(groupId) ?? new MemoryGroup();
    this.#groups.set(groupId, group);
    return group;
  }

  /** Outside of any transaction, as the producers of the source do. */
  append(record: NewRecord, time = this.time): bigint {
    const offset = this.partition(record).append(record, time);
    this.changed();
    return offset;
  }

  /** Called on every change of what can be read; returns how to stop it. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** InitProducerId: bumps the epoch and aborts what the epoch before left open. */
  fence(transactionalId: string): number {
    const lock = this.#locks.get(transactionalId) ?? { epoch: -1, open: undefined };
    this.#locks.set(transactionalId, lock);
    lock.epoch += 1;
    if (lock.open !== undefined) this.#end(lock, lock.open, 'aborted');
    return lock.epoch;
  }

  /** @throws FencedError */
  begin(transactionalId: string, epoch: number): void {
    this.#lock(transactionalId, epoch).open = { log: { status: 'open' }, touched: new Set(), positions: [] };
  }

  /** @throws FencedError */
  produce(
    transactionalId: string,
    epoch: number,
    records: readonly NewRecord[],
  ): readonly (PartitionRef & { readonly baseOffset: bigint })[] {
    const open = this.#transaction(transactionalId, epoch);
    const bases = new Map<MemoryPartition, bigint>();
    for (const record of records) {
      const partition = this.partition(record);
      const offset = partition.append(record, this.time, open.log);
      open.touched.add(partition);
      if (!bases.has(partition)) bases.set(partition, offset);
    }
    return [...bases].map(([{ topic, partition }, baseOffset]) => ({ topic, partition, baseOffset }));
  }

  /** @throws FencedError */
  addPositions(transactionalId: string, epoch: number, positions: readonly Position[]): void {
    this.#transaction(transactionalId, epoch).positions = positions;
  }

  /** @throws FencedError, BrokerError */
  commit(transactionalId: string, epoch: number, groupId: string): void {
    const open = this.#transaction(transactionalId, epoch);
    const lock = this.#lock(transactionalId, epoch);
    const fault = this.faults.shift();
    if (fault === 'lose-request') throw new BrokerError('no answer to EndTxn');
    if (fault === 'fence') {
      this.fence(transactionalId);
      // Whoever took it was a member, and is gone again: the group has a new generation.
      this.group(groupId).rebalance();
      throw new FencedError(transactionalId);
    }
    if (fault === 'abort') {
      this.#end(lock, open, 'aborted');
      throw new BrokerError('the transaction was aborted');
    }
    this.#end(lock, open, 'committed');
    for (const position of open.positions) this.group(groupId).commit(position);
    if (fault === 'lose-answer') throw new BrokerError('no answer to EndTxn');
  }

  #lock(transactionalId: string, epoch: number): Lock {
    const lock = this.#locks.get(transactionalId);
    if (lock?.epoch !== epoch) throw new FencedError(transactionalId);
    return lock;
  }

  #transaction(transactionalId: string, epoch: number): OpenTransaction {
    const { open } = this.#lock(transactionalId, epoch);
    if (open === undefined) throw new BrokerError('no transaction is open');
    return open;
  }

  #end(lock: Lock, open: OpenTransaction, status: 'committed' | 'aborted'): void {
    open.log.status = status;
    lock.open = undefined;
    for (const partition of open.touched) partition.appendControl();
    this.changed();
  }
}
