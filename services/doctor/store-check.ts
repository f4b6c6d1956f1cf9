import { mkdtemp, readdir, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { surveyStores } from '../../infra/rocksdb/store-survey.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

const MIB = 1024 * 1024;
const SCARCE_BYTES = 1024 * MIB;
/** Less, and RocksDB cannot write its next files. */
const TOO_FEW_BYTES = 128 * MIB;

/** Whether stores can be kept where they are to lie, and how those there were left. */
export const storeFound = async (around: Surroundings): Promise<Found> => {
  const { stateDir, instanceId } = (await around.config()).config;
  const directory = resolve(stateDir);
  const refusal = await writeRefusal(directory);
  if (refusal !== undefined)
    return {
      status: 'failure',
      said: `${directory} cannot be written to`,
      details: [refusal],
      ways: ['give this user the right to write there, or name another: HOLDFAST_STATE_DIR, stateDir'],
    };
  const { bavail, bsize } = await statfs(await existing(directory));
  const stores = await storesOf(directory, instanceId);
  return spaceFound(directory, bavail * bsize) ?? stores;
};

/** @returns a finding where there is too little room; `undefined`: there is enough */
export const spaceFound = (directory: string, free: number): Found | undefined => {
  if (free >= SCARCE_BYTES) return undefined;
  return {
    status: free < TOO_FEW_BYTES ? 'failure' : 'warning',
    said: `${directory} has ${Math.floor(free / MIB)} MiB left`,
    ways: ['make room there, or name a directory on a larger disk: HOLDFAST_STATE_DIR, stateDir'],
  };
};

const storesOf = async (directory: string, instanceId: string): Promise<Found> => {
  const entries = await readdir(directory).catch(() => []);
  const own = entries.filter((entry) => entry === instanceId || entry.startsWith(`${instanceId}-`)).toSorted();
  const stores = (
    await Promise.all(
      own.map(async (name) => (await surveyStores(join(directory, name))).map((store) => ({ in: name, ...store }))),
    )
  ).flat();
  const holders = [...new Set(stores.flatMap(({ heldBy }) => (heldBy === undefined ? [] : [heldBy])))];
  const left = stores.filter(({ left }) => left !== undefined);
  const inUse = holders.length === 0 ? 'not in use' : `in use by process ${holders.join(', ')}`;
  if (left.length > 0)
    return {
      status: 'warning',
      said: `${directory}: ${left.length} of ${stores.length} stores of ${instanceId} were not closed in order; ${inUse}`,
      details: left.map((store) =>
        store.left === 'trusted'
          ? `${store.in}/${store.name}: left by a process that died, to be used as it is`
          : `${store.in}/${store.name}: the machine went down with it open, to be built anew from the log`,
      ),
      ways: ['start the instance again, under the same name: it sees to them'],
    };
  return ok(`${directory}, ${inUse}`);
};

/** Why nothing can be written there, tried out; `undefined`: something was, and is gone again. */
const writeRefusal = async (directory: string): Promise<string | undefined> => {
  try {
    await rmdir(await mkdtemp(join(await existing(directory), '.holdfast-doctor-')));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The directory, or the nearest above it that is there: what is missing is made when it is needed. */
const existing = async (path: string): Promise<string> => {
  try {
    await stat(path);
    return path;
  } catch (error) {
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    return existing(above);
  }
};
