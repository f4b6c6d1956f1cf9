import { compareUtf8 } from '../../topology/kit/record-key.js';
import { StoreFailedError, StoreLockedError } from '../streams/errors.js';
import type { StateStore, StateStores } from '../streams/ports.js';

type Disk = {
  readonly entries: Map<string, Uint8Array>;
  sorted: readonly string[] | undefined;
  openedBy: StateStore | undefined;
};

/** Stores that outlive the instance that opened them, as a disk does. The twin of the RocksDB stores for tests. */
export class MemoryStateStores implements StateStores {
  readonly #disks = new Map<string, Disk>();

  open = (name: string): Promise<{ readonly store: StateStore; readonly trusted: boolean }> => {
    const disk: Disk = this.#disks.get(name) ?? { entries: new Map(), sorted: undefined, openedBy: undefined };
    this.#disks.set(name, disk);
    if (disk.openedBy !== undefined) return Promise.reject(new StoreLockedError(name));
    disk.openedBy = storeOn(disk);
    return Promise.resolve({ store: disk.openedBy, trusted: true });
  };

  wipe = (name: string): Promise<void> => {
    if (this.#disks.get(name)?.openedBy !== undefined) return Promise.reject(new StoreLockedError(name));
    this.#disks.delete(name);
    return Promise.resolve();
  };

  /** What the end of a process does: everything open is closed. */
  releaseAll(): void {
    for (const disk of this.#disks.values()) disk.openedBy = undefined;
  }

  /** Every store's entries, in order, by the store's name. */
  contents(): ReadonlyMap<string, ReadonlyMap<string, Uint8Array>> {
    return new Map(
      [...this.#disks].map(([name, { entries }]) => [
        name,
        new Map([...entries].sort(([a], [b]) => compareUtf8(a, b))),
      ]),
    );
  }
}

const storeOn = (disk: Disk): StateStore => {
  const guarded = <Result>(work: () => Result): Promise<Result> =>
    disk.openedBy === store ? Promise.resolve(work()) : Promise.reject(new StoreFailedError('the store is closed'));
  const store: StateStore = {
    getMany: (keys) => guarded(() => keys.map((key) => disk.entries.get(key.toWellFormed()))),
    range: ({ from, to, limit }) =>
      guarded(() => {
        disk.sorted ??= [...disk.entries.keys()].sort(compareUtf8);
        return disk.sorted
          .filter((key) => compareUtf8(key, from) >= 0 && compareUtf8(key, to) < 0)
          .slice(0, limit)
          .flatMap((key) => {
            const value = disk.entries.get(key);
            return value === undefined ? [] : [[key, value] as const];
          });
      }),
    write: (entries) =>
      guarded(() => {
        for (const [key, value] of entries)
          if (value === undefined) disk.entries.delete(key.toWellFormed());
          else disk.entries.set(key.toWellFormed(), new Uint8Array(value));
        disk.sorted = undefined;
      }),
    close: () => {
      if (disk.openedBy === store) disk.openedBy = undefined;
      return Promise.resolve();
    },
  };
  return store;
};
