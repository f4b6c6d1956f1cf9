import { restoreStore } from './changelog-restorer.js';
import { OffsetLostError, StateLostError } from './errors.js';
import type { GlobalCursor } from './global-cursor.js';
import { guardedStores } from './guarded-stores.js';
import { InputQueue } from './input-queue.js';
import type { PartitionRef, StateStore } from './ports.js';
import type { TaskBounds } from './task-bounds.js';
import { stateCodec, type StateCodec } from './state-codec.js';
import { StateView } from './state-view.js';
import type { StreamContext } from './stream-context.js';
import { StreamTask } from './stream-task.js';
import { FIRST_DIGEST, type TaskPosition } from './task-position.js';

/** A task with everything that has to be closed again. */
export type OpenTask<Input, GlobalInput, State, Shared, Global> = {
  readonly task: StreamTask<Input, GlobalInput, State, Shared, Global>;
  readonly store: StateStore;
  readonly codec: StateCodec<State, Shared>;
  readonly view: StateView<State>;
  readonly queue: InputQueue;
  readonly globals: GlobalCursor<GlobalInput, Global>;
};

export const storeName = (applicationId: string, store: string, partition: number): string =>
  `${applicationId}.${store}.${partition}`;

/**
 * A4 to A6 for one partition. `suspects`: partitions whose stores are to be wiped; a store that fails, now or later, adds
 * itself.
 * @throws OffsetLostError the source or the global topic has lost what was not read yet; StateLostError; and whatever
 * restoring throws
 */
export const openTask = async <Input, GlobalInput, State, Shared, Global>(
  context: StreamContext<Input, GlobalInput, State, Shared, Global>,
  partition: number,
  bounds: TaskBounds,
  suspects: Set<number>,
  onMore: () => void,
): Promise<OpenTask<Input, GlobalInput, State, Shared, Global>> => {
  const { clients, clock, globals: globalLog, limits, observer, partitions, serdes, topology } = context;
  const stores = guardedStores(context.stores, () => suspects.add(partition));
  const { chained, processor, source, store: storeOf } = topology;
  const changelog: PartitionRef = { topic: storeOf.changelog.name, partition };
  // An aborted first transaction leaves its marker in every partition it touched, so only a deleted changelog looks so.
  if (bounds.changelog.end === 0n && bounds.chained.end > 0n)
    throw new StateLostError(changelog, { topic: chained.topic.name, partition });
  const codec = stateCodec<State, Shared>(storeOf.changelog, serdes);
  // A4 and A5: wipe what cannot be a prefix of this changelog, then apply the rest of it.
  const { store, position, wiped } = await restoreStore(stores, clients.reader, {
    name: storeName(topology.applicationId, storeOf.name, partition),
    changelog,
    bounds: bounds.changelog,
    codec,
    derivation: processor,
    now: clock.now(),
    maxAge: limits.storeMaxAgeMs,
    wipe: suspects.has(partition),
    onStep: (step) => observer.onStep?.(step, partition % context.groups),
  });
  suspects.delete(partition);
  try {
    observer.onRestored?.(partition, { wiped, end: bounds.changelog.end });
    // A6: the position comes from the changelog, never from the group's offsets.
    const resumed = position ?? firstPosition(context, bounds.source.low);
    if (resumed.source < bounds.source.low)
      throw new OffsetLostError({ topic: source.name, partition }, resumed.source, bounds.source.low);
    const view = new StateView(store, codec, processor, { cachedKeys: limits.cachedKeys, timers: limits.timers });
    const queue = new InputQueue(resumed.source, limits.queue);
    const globals = await globalLog.open(resumed.global, onMore);
    const task = new StreamTask({
      topology,
      partition,
      partitions,
      serdes,
      bounds: limits.transaction,
      view,
      queue,
      globals,
      position: resumed,
      globalEnd: bounds.global.end,
      onMore,
    });
    return { task, store, codec, view, queue, globals };
  } catch (error) {
    await store.close();
    throw error;
  }
};

const firstPosition = <Input, GlobalInput, State, Shared, Global>(
  { newIncarnation, topology }: StreamContext<Input, GlobalInput, State, Shared, Global>,
  low: bigint,
): TaskPosition<Shared> => ({
  source: low,
  global: 0n,
  now: 0,
  shared: topology.processor.initialShared(),
  digest: FIRST_DIGEST,
  incarnation: newIncarnation(),
});
