import { encodeCheckpoint } from './checkpoint.js';
import { BaseOffsetError, BrokerError } from './errors.js';
import type { NewRecord, PartitionRef, StateStore, TransactionalProducer } from './ports.js';
import type { StateCodec } from './state-codec.js';
import type { SealedState } from './state-view.js';
import type { Step } from './stream-context.js';
import { CHECKPOINT_KEY, POSITION_KEY } from './store-layout.js';
import type { TaskPosition } from './task-position.js';

/** What of an open task takes part in a transaction. */
export type CommittedTask<Shared> = {
  readonly task: {
    readonly partition: number;
    readonly position: TaskPosition<Shared>;
    readonly staged: () => readonly NewRecord[];
    readonly committed: () => void;
  };
  readonly store: StateStore;
  readonly codec: Pick<StateCodec<never, Shared>, 'encodePosition' | 'headers'>;
  readonly view: { readonly seal: () => SealedState; readonly settle: (sealed: SealedState) => void };
};
const NO_HEADERS = {};

const name = ({ topic, partition }: PartitionRef): string => `${topic}/${partition}`;

/** The last base offset of each partition, over the life of a task group: a lower one means that records are missing. */
export class BaseOffsets {
  readonly #last = new Map<string, bigint>();

  /** @throws BaseOffsetError */
  check(acknowledged: readonly (PartitionRef & { readonly baseOffset: bigint })[]): void {
    for (const { baseOffset, ...partition } of acknowledged) {
      const last = this.#last.get(name(partition));
      if (last !== undefined && baseOffset <= last) throw new BaseOffsetError(partition, baseOffset, last + 1n);
      this.#last.set(name(partition), baseOffset);
    }
  }
}

type Staged<Shared> = {
  readonly open: CommittedTask<Shared>;
  readonly sealed: SealedState;
  readonly position: Uint8Array;
  readonly changelog: readonly NewRecord[];
};

/**
 * Commits what the tasks of one group have staged, in one transaction. The only caller of `commit` and of a running
 * store's `write`: no other order of the two exists (invariants 3 and 5).
 * @throws FencedError, BrokerError, BaseOffsetError, StoreFailedError: the caller throws the tasks away
 */
export const commitTransaction = async <Shared>(
  producer: TransactionalProducer,
  tasks: readonly CommittedTask<Shared>[],
  topics: { readonly source: string; readonly changelog: string },
  bases: BaseOffsets,
  now: () => number,
  onStep: (step: Step) => void,
): Promise<void> => {
  const staged = tasks.map((open) => stage(open, topics.changelog));
  // P2 begin, P3 one batch a partition, P4 the positions as group offsets, P5 commit: one call, so that none is retried.
  const acknowledged = await producer.commit({
    records: staged.flatMap(({ open, changelog }) => [...open.task.staged(), ...changelog]),
    positions: staged.map(({ open: { task } }) => ({
      topic: topics.source,
      partition: task.partition,
      offset: task.position.source,
    })),
  });
  bases.check(acknowledged);
  onStep('P5');
  // P6: the store follows the committed changelog, never leads it; one batch with its checkpoint.
  await Promise.all(
    staged.map(async ({ open, changelog, position, sealed }) => {
      const base = acknowledged.find(
        ({ topic, partition }) => topic === topics.changelog && partition === open.task.partition,
      )?.baseOffset;
      if (base === undefined) throw new BrokerError(`no base offset for ${topics.changelog}/${open.task.partition}`);
      const next = base + BigInt(changelog.length);
      await open.store.write([
        ...sealed.store,
        [POSITION_KEY, position],
        [CHECKPOINT_KEY, encodeCheckpoint({ next, positionAt: next - 1n, appliedAt: now() })],
      ]);
    }),
  );
  onStep('P6');
  // P7: what was staged is the state now; the queue may give the next.
  for (const { open, sealed } of staged) {
    open.view.settle(sealed);
    open.task.committed();
  }
  onStep('P7');
};

/** The changelog's part: each changed key once, and the position last. */
const stage = <Shared>(open: CommittedTask<Shared>, changelog: string): Staged<Shared> => {
  const { codec, task, view } = open;
  const { partition } = task;
  const sealed = view.seal();
  const position = codec.encodePosition(task.position);
  const entries = [...sealed.changelog, [POSITION_KEY, position] as const];
  return {
    open,
    sealed,
    position,
    changelog: entries.map(([key, value]) => ({
      topic: changelog,
      partition,
      key: Buffer.from(key),
      value: value ?? null,
      headers: value === undefined ? NO_HEADERS : codec.headers(key === POSITION_KEY ? 'position' : 'state'),
    })),
  };
};
