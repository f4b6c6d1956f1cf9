/**
 * At-least-once consumption for services whose effects lie outside Kafka. Partitions are shared among the instances of a
 * group by the same membership as the stream runtime's; positions are committed as group offsets, in transactions without
 * records, under one lock for each task group (`<group>.g<k>`): an instance that lost its partitions cannot set back what
 * the next owner committed. A record counts as done when `take` resolved, so a position never passes one under way.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../errors.js';
import { FencedError } from '../streams/errors.js';
import type {
  Fetched,
  LogRecord,
  Membership,
  PartitionRef,
  Position,
  StreamClients,
  TransactionalProducer,
} from '../streams/ports.js';
import { RecordLanes, type Tenure } from './record-lanes.js';
import { keyOf } from './topic-metadata.js';

export type GroupConsumerOptions = {
  readonly clients: StreamClients;
  /** What the group has committed; partitions without a position are left out. */
  readonly committed: (partitions: readonly PartitionRef[]) => Promise<readonly Position[]>;
  readonly groupId: string;
  readonly instanceId: string;
  /** Topics with the same number of partitions; an instance has the same numbers of each. */
  readonly topics: readonly string[];
  readonly partitions: number;
  readonly groups: number;
  /**
   * Acts on one record; those of one key come one after the other, others meanwhile. `signal` aborts when the partition
   * is somebody else's or the consumer stops: a rejection after that leaves the record to the next owner.
   */
  readonly take: (record: LogRecord, signal: AbortSignal) => Promise<void>;
  /** It broke for good. */
  readonly onFailed: (error: unknown) => void;
};

const COMMIT_EVERY_MS = 250;
const AGAIN_AFTER_MS = 1_000;
/** How long brokers may be away before that is the end: as long, records are only done again after a restart. */
const PATIENCE_MS = 60_000;

const isPassing = (error: unknown): boolean =>
  error instanceof FencedError || (error instanceof HoldfastError && error.retryable);

/** Joins the group and begins to consume. @throws HoldfastError the group or a topic is not to be had */
export const consumeGroup = async (options: GroupConsumerOptions): Promise<GroupConsumer> => {
  const consumer = new GroupConsumer(options);
  try {
    await consumer.start();
    return consumer;
  } catch (error) {
    await consumer.stop();
    throw error;
  }
};

export class GroupConsumer {
  readonly #options: GroupConsumerOptions;
  readonly #lanes: RecordLanes;
  readonly #tenures = new Map<number, Tenure>();
  readonly #locks = new Map<number, TransactionalProducer>();
  readonly #committed = new Map<string, bigint>();
  readonly #timer: NodeJS.Timeout;
  #membership: Membership | undefined;
  #generation = 0;
  #turn: Promise<void> = Promise.resolve();
  #failingSince: number | undefined;
  #stopped = false;

  constructor(options: GroupConsumerOptions) {
    this.#options = options;
    this.#lanes = new RecordLanes(options.take, (error) => {
      this.#fail(error);
    });
    this.#timer = setInterval(() => {
      this.#then(() => this.#commit());
    }, COMMIT_EVERY_MS);
  }

  async start(): Promise<void> {
    const { clients, groupId, instanceId, topics, partitions, groups } = this.#options;
    const [source = ''] = topics;
    this.#membership = await clients.join(
      { groupId, source, partitions, groups, instanceId },
      {
        onAssigned: (assigned) => {
          this.#generation += 1;
          const generation = this.#generation;
          this.#release(assigned);
          this.#then(() => this.#assume(assigned, generation));
        },
        onFetched: (fetched) => this.#fetched(fetched),
        onFailed: (error) => {
          this.#fail(error);
        },
      },
    );
  }

  /** Takes nothing new, waits for what is under way, commits what is done, leaves. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const tenure of this.#tenures.values()) tenure.end();
    await this.#lanes.idle();
    await this.#turn;
    await this.#commit().catch(() => undefined);
    await this.#membership?.leave();
    await this.#dropLocks([...this.#locks.keys()]);
  }

  /** What is no longer assigned is let go at once: its owner begins where it was committed. */
  #release(assigned: readonly number[]): void {
    for (const [group, tenure] of [...this.#tenures].filter(([group]) => !assigned.includes(group))) {
      tenure.end();
      this.#tenures.delete(group);
    }
  }

  /** Lock first, then the position: only then nothing of an owner before can still be committed. */
  async #assume(assigned: readonly number[], generation: number): Promise<void> {
    await this.#dropLocks([...this.#locks.keys()].filter((group) => !assigned.includes(group)));
    for (const group of assigned) {
      if (this.#isPast(generation)) return;
      const tenure = this.#tenures.get(group) ?? (await this.#opened(group, generation));
      // A generation may have begun meanwhile; it names every position itself.
      if (tenure === undefined || this.#isPast(generation)) return;
      this.#tenures.set(group, tenure);
      for (const { offset, ...partition } of tenure.next()) this.#membership?.run(partition, offset);
    }
  }

  /** Goes on trying while the brokers are away and the group is ours. */
  async #opened(group: number, generation: number): Promise<Tenure | undefined> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!this.#isPast(generation)) {
      try {
        await this.#lock(group);
        return this.#lanes.open(await this.#positions(group));
      } catch (error) {
        if (!isPassing(error) || performance.now() > giveUpAt) throw error;
        await delay(AGAIN_AFTER_MS);
      }
    }
    return undefined;
  }

  #isPast(generation: number): boolean {
    return this.#stopped || generation !== this.#generation;
  }

  async #positions(group: number): Promise<readonly Position[]> {
    const { clients, committed, topics, partitions, groups } = this.#options;
    const refs = topics.flatMap((topic) =>
      Array.from({ length: partitions }, (_, partition) => ({ topic, partition })).filter(
        ({ partition }) => partition % groups === group,
      ),
    );
    const bounds = await clients.reader.bounds(refs);
    const known = new Map((await committed(refs)).map((position) => [keyOf(position), position.offset]));
    return bounds.map(({ topic, partition, low, end }) => {
      const offset = known.get(keyOf({ topic, partition })) ?? low;
      return { topic, partition, offset: offset < low || offset > end ? low : offset };
    });
  }

  async #fetched({ topic, partition, records, from, next }: Fetched): Promise<void> {
    const tenure = this.#tenures.get(partition % this.#options.groups);
    if (!this.#stopped) await tenure?.deliver({ topic, partition }, { records, from, next });
  }

  async #lock(group: number): Promise<void> {
    await this.#dropLocks([group]);
    this.#locks.set(group, await this.#options.clients.fence(`${this.#options.groupId}.g${group}`));
  }

  async #commit(): Promise<void> {
    for (const [group, tenure] of this.#tenures) {
      const positions = tenure.done().filter((position) => this.#committed.get(keyOf(position)) !== position.offset);
      if (positions.length === 0) continue;
      try {
        if (!this.#locks.has(group)) await this.#lock(group);
        await this.#locks.get(group)?.commit({ records: [], positions });
        for (const position of positions) this.#committed.set(keyOf(position), position.offset);
        this.#failingSince = undefined;
      } catch (error) {
        await this.#commitFailed(group, error);
      }
    }
  }

  async #dropLocks(groups: readonly number[]): Promise<void> {
    for (const group of groups) {
      const lock = this.#locks.get(group);
      this.#locks.delete(group);
      await lock?.close().catch(() => undefined);
    }
  }

  /** A lock that failed is dead. Taken anew while the group is still assigned here: else its owner has it. */
  async #commitFailed(group: number, error: unknown): Promise<void> {
    await this.#dropLocks([group]);
    this.#failingSince ??= performance.now();
    if (!isPassing(error) || performance.now() - this.#failingSince > PATIENCE_MS) this.#fail(error);
  }

  #then(work: () => Promise<void>): void {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#fail(error);
    });
  }

  #fail(error: unknown): void {
    if (!this.#stopped) this.#options.onFailed(error);
  }
}
