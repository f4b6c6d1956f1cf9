import { HoldfastError } from '../errors.js';
import { StoreFailedError } from './errors.js';
import type { StateStore, StateStores } from './ports.js';

/** Stores whose every failure but a lock is a `StoreFailedError`, and told to `onFailed`: the store has to be wiped. */
export const guardedStores = (stores: StateStores, onFailed: () => void): StateStores => {
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof HoldfastError && error.code === 'HOLDFAST_STREAM_STORE_LOCKED') throw error;
      onFailed();
      throw error instanceof HoldfastError ? error : new StoreFailedError(`the store failed: ${String(error)}`, error);
    }
  };
  const guardedStore = (store: StateStore): StateStore => ({
    getMany: (keys) => guarded(() => store.getMany(keys)),
    range: (range) => guarded(() => store.range(range)),
    write: (entries) => guarded(() => store.write(entries)),
    close: () => store.close(),
  });
  return {
    wipe: (name) => guarded(() => stores.wipe(name)),
    open: (name) =>
      guarded(async () => {
        const { store, trusted } = await stores.open(name);
        return { store: guardedStore(store), trusted };
      }),
  };
};
