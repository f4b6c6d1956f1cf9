import { decodeCheckpoint, encodeCheckpoint, type Checkpoint } from './checkpoint.js';
import { TaskCorruptedError } from './errors.js';
import type { LogReader, LogRecord, PartitionRef, StateStore, StateStores } from './ports.js';
import type { StateCodec } from './state-codec.js';
import { CHECKPOINT_KEY, derivedChanges, POSITION_KEY, type Derivation } from './store-layout.js';
import type { TaskPosition } from './task-position.js';

/** Why a store was emptied before it was restored; kept for the log. */
export type WipeReason =
  'demanded' | 'untrusted' | 'unreadable' | 'ahead-of-changelog' | 'before-changelog' | 'too-old' | 'other-incarnation';

export type Restored<Shared> = {
  readonly store: StateStore;
  /** Absent: the changelog is empty, the task begins its life. */
  readonly position?: TaskPosition<Shared>;
  readonly wiped?: WipeReason;
};

/** What is restored, and from where. `bounds` were read after the fence (A3). */
export type Restore<State, Shared> = {
  readonly name: string;
  readonly changelog: PartitionRef;
  readonly bounds: { readonly low: bigint; readonly end: bigint };
  readonly codec: StateCodec<State, Shared>;
  readonly derivation: Derivation<State>;
  readonly now: number;
  /** A store that was not written for longer may lack tombstones that the cleaner has removed (ms). */
  readonly maxAge: number;
  readonly wipe: boolean;
  readonly onStep: (step: 'A4' | 'A5') => void;
};

const text = (bytes: Uint8Array | null): string => (bytes === null ? '' : Buffer.from(bytes).toString());

/**
 * Opens a store and brings it to the end of its changelog (algorithm A4, A5). When it resolves, the store holds exactly
 * what the committed changelog says, and the index entries derived from it.
 * @throws TaskCorruptedError a changelog record cannot be read; StoreLockedError, StoreFailedError, BrokerError
 */
export const restoreStore = async <State, Shared>(
  stores: StateStores,
  reader: LogReader,
  restore: Restore<State, Shared>,
): Promise<Restored<Shared>> => {
  if (restore.wipe) await stores.wipe(restore.name);
  let { store, trusted } = await stores.open(restore.name);
  let wiped: WipeReason | undefined = restore.wipe ? 'demanded' : undefined;
  const empty = async (reason: WipeReason): Promise<void> => {
    await store.close();
    await stores.wipe(restore.name);
    ({ store } = await stores.open(restore.name));
    trusted = true;
    wiped = reason;
  };
  try {
    const reason = await wipeReason(store, trusted, restore);
    if (reason !== undefined) await empty(reason);
    restore.onStep('A4');
    let applied = await replay(store, reader, restore);
    if (applied.otherIncarnation) {
      await empty('other-incarnation');
      applied = await replay(store, reader, restore);
    }
    restore.onStep('A5');
    const { position } = applied;
    return {
      store,
      ...(position === undefined ? {} : { position }),
      ...(wiped === undefined ? {} : { wiped }),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** A4: when what the store holds can be no prefix of this changelog. */
const wipeReason = async <State, Shared>(
  store: StateStore,
  trusted: boolean,
  { bounds, now, maxAge }: Restore<State, Shared>,
): Promise<WipeReason | undefined> => {
  if (!trusted) return 'untrusted';
  const [bytes] = await store.getMany([CHECKPOINT_KEY]);
  if (bytes === undefined) return (await isEmpty(store)) ? undefined : 'unreadable';
  const checkpoint = decodeCheckpoint(bytes);
  if (checkpoint === undefined) return 'unreadable';
  if (checkpoint.next > bounds.end) return 'ahead-of-changelog';
  if (checkpoint.next < bounds.low) return 'before-changelog';
  return now - checkpoint.appliedAt > maxAge ? 'too-old' : undefined;
};

const isEmpty = async (store: StateStore): Promise<boolean> =>
  (await store.range({ from: '', to: '\u{10ffff}', limit: 1 })).length === 0;

type Replayed<Shared> = {
  readonly position: TaskPosition<Shared> | undefined;
  readonly otherIncarnation: boolean;
};

/** A5: applies what is committed from the checkpoint on, a fetched batch at a time. */
const replay = async <State, Shared>(
  store: StateStore,
  reader: LogReader,
  restore: Restore<State, Shared>,
): Promise<Replayed<Shared>> => {
  const { bounds, changelog, codec, now } = restore;
  const [checkpointBytes, stored] = await store.getMany([CHECKPOINT_KEY, POSITION_KEY]);
  const begun = checkpointBytes === undefined ? undefined : decodeCheckpoint(checkpointBytes);
  const progress: { checkpoint: Checkpoint; position: Uint8Array | undefined } = {
    checkpoint: begun ?? { next: bounds.low, positionAt: undefined, appliedAt: now },
    position: undefined,
  };
  // Reading the last position record again proves that it still is the same log.
  const from = begun?.positionAt ?? begun?.next ?? bounds.low;
  const start = from < bounds.low ? bounds.low : from;
  if (start < bounds.end)
    await reader.read(changelog, { from: start, to: bounds.end }, async (fetched) => {
      const records = fetched.records.filter(({ offset }) => offset < bounds.end);
      const position = records.findLast(({ key }) => text(key) === POSITION_KEY);
      progress.position = position?.value ?? progress.position;
      progress.checkpoint = {
        next: fetched.next > bounds.end ? bounds.end : fetched.next,
        positionAt: position?.offset ?? progress.checkpoint.positionAt,
        appliedAt: now,
      };
      const entries = await entriesOf(store, restore, records);
      await store.write([...entries, [CHECKPOINT_KEY, encodeCheckpoint(progress.checkpoint)]]);
    });
  if (progress.position === undefined) return { position: undefined, otherIncarnation: stored !== undefined };
  await codec.prepare(stored === undefined ? [progress.position] : [progress.position, stored]);
  const position = codec.decodePosition(changelog, POSITION_KEY, progress.position);
  return {
    position,
    otherIncarnation: stored !== undefined && !sameIncarnation(stored, position, restore),
  };
};

/** A store whose position cannot be read belongs to no incarnation. */
const sameIncarnation = <State, Shared>(
  stored: Uint8Array,
  { incarnation }: TaskPosition<Shared>,
  { changelog, codec }: Restore<State, Shared>,
): boolean => {
  try {
    return codec.decodePosition(changelog, POSITION_KEY, stored).incarnation === incarnation;
  } catch (error) {
    if (error instanceof TaskCorruptedError) return false;
    throw error;
  }
};

/** The last record of each key, and the index entries that change with it; a tombstone deletes. */
const entriesOf = async <State, Shared>(
  store: StateStore,
  { changelog, codec, derivation }: Restore<State, Shared>,
  records: readonly LogRecord[],
): Promise<readonly (readonly [key: string, value: Uint8Array | undefined])[]> => {
  for (const { key, unreadable } of records)
    if (unreadable !== undefined) throw new TaskCorruptedError(changelog, text(key), unreadable.detail);
  const latest = new Map(records.map(({ key, value }) => [text(key), value ?? undefined]));
  const position = latest.get(POSITION_KEY);
  latest.delete(POSITION_KEY);
  const keys = [...latest.keys()];
  const stored = await store.getMany(keys);
  await codec.prepare([...stored, ...latest.values()].filter((bytes) => bytes !== undefined));
  const states = keys.flatMap((key, index) => {
    const [before, after] = [stored[index], latest.get(key)];
    return [
      [key, after] as const,
      ...derivedChanges(
        derivation,
        key,
        before === undefined ? null : codec.decodeStored(key, before),
        after === undefined ? null : codec.decodeLogged(changelog, key, after),
      ),
    ];
  });
  return position === undefined ? states : [...states, [POSITION_KEY, position]];
};
