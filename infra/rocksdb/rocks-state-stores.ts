import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RocksLevel } from 'rocksdb';
import { HoldfastError } from '../errors.js';
import { StoreFailedError, StoreLockedError } from '../streams/errors.js';
import type { StateStore, StateStores } from '../streams/ports.js';
import { currentBootId } from './boot-id.js';
import { codesOf, messagesOf } from './error-codes.js';
import { clearMarker, isTrusted, setMarker } from './open-marker.js';

/** Memory of one store; an instance has one for each of its partitions. */
const MEMORY = { memtableMemoryBudget: 32 << 20, cacheSize: 8 << 20 };

/** Runs one operation; whatever it fails with means that the store cannot be trusted. */
const guarded = async <Result>(doing: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new StoreFailedError(`${doing}: ${messagesOf(error)}`, error);
  }
};

/** State stores on RocksDB, one database a store, under one directory that belongs to one instance. */
export class RocksStateStores implements StateStores {
  readonly #directory: string;
  readonly #bootId: () => Promise<string | undefined>;

  /** `bootId` names the machine's uptime; a test may say another. */
  constructor(directory: string, bootId = currentBootId) {
    this.#directory = directory;
    this.#bootId = bootId;
  }

  open = async (name: string): Promise<{ readonly store: StateStore; readonly trusted: boolean }> => {
    const { location, marker } = this.#places(name);
    await guarded(`creating ${this.#directory}`, () => mkdir(this.#directory, { recursive: true }));
    const level = new RocksLevel(location, { keyEncoding: 'utf8', valueEncoding: 'buffer' });
    try {
      await level.open({
        createIfMissing: true,
        compaction: 'level',
        walCompression: false,
        parallelism: 1,
        ...MEMORY,
      });
    } catch (error) {
      if (codesOf(error).includes('LEVEL_LOCKED')) throw new StoreLockedError(name, error);
      throw new StoreFailedError(`opening ${name}: ${messagesOf(error)}`, error);
    }
    return guarded(`opening ${name}`, async () => {
      const bootId = await this.#bootId();
      const trusted = await isTrusted(marker, bootId);
      await setMarker(marker, bootId);
      return { store: rocksStore(level, name, marker), trusted };
    });
  };

  wipe = async (name: string): Promise<void> => {
    const { location, marker } = this.#places(name);
    await guarded(`wiping ${name}`, async () => {
      await rm(location, { recursive: true, force: true });
      await rm(marker, { force: true });
    });
  };

  #places(name: string): { readonly location: string; readonly marker: string } {
    const location = join(this.#directory, encodeURIComponent(name));
    return { location, marker: `${location}.open` };
  }
}

const rocksStore = (level: RocksLevel, name: string, marker: string): StateStore => {
  let closing: Promise<void> | undefined;
  let failed = false;
  const use = async <Result>(doing: string, work: () => Promise<Result>): Promise<Result> => {
    if (closing !== undefined) throw new StoreFailedError(`${doing}: store ${name} is closed`);
    try {
      return await guarded(`${doing} ${name}`, work);
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  return {
    getMany: (keys) =>
      use('reading', () => {
        const values = level._getManySync(keys, { valueEncoding: 'buffer' });
        const read = values.map((value, index) => {
          // "Not there" and "could not be read" are different answers.
          if (value === null)
            throw new StoreFailedError(`reading ${name}: no answer for ${JSON.stringify(keys[index])}`);
          return value;
        });
        return Promise.resolve(read);
      }),
    range: ({ from, limit, to }) => use('reading', () => level.iterator({ gte: from, lt: to, limit }).all()),
    write: (entries) =>
      use('writing', async () => {
        // Built by hand, because the library's own `batch([…])` never gives the memory of what it wrote back.
        const batch = level.batch();
        try {
          for (const [key, value] of entries)
            if (value === undefined) batch.del(key);
            else batch.put(key, value);
          // Not synced: what a dead machine loses is on the changelog.
          await batch.write({ sync: false });
        } finally {
          await batch.close();
        }
      }),
    close: () => {
      closing ??= guarded(`closing ${name}`, async () => {
        // Syncs everything written before; then the store may be trusted whatever happens to the machine.
        if (!failed) await level.batch([], { sync: true });
        await level.close();
        if (!failed) await clearMarker(marker);
      });
      return closing;
    },
  };
};
