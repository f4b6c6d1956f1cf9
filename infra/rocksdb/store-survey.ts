import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { currentBootId } from './boot-id.js';
import { codesOf } from './error-codes.js';
import { isTrusted } from './open-marker.js';

/** A store as it lies on the disk, without opening it. */
export type SurveyedStore = {
  readonly name: string;
  /** The process that has it open; `undefined`: none of this machine, or the platform does not tell. */
  readonly heldBy?: number;
  /** It was not closed in order. `untrusted`: the machine went down meanwhile, so it will be built anew. */
  readonly left?: 'trusted' | 'untrusted';
};

const MARKER = '.open';
const LOCKS = '/proc/locks';

/** The stores of an instance's directory; none where it does not exist. */
export const surveyStores = async (directory: string): Promise<readonly SurveyedStore[]> => {
  const [entries, holders, bootId] = [await entriesOf(directory), await lockHolders(), await currentBootId()];
  const names = entries.filter((entry) => !entry.endsWith(MARKER)).toSorted();
  return Promise.all(
    names.map(async (entry) => {
      const heldBy = holders.get(await inodeOf(join(directory, entry, 'LOCK')));
      const marker = `${entry}${MARKER}`;
      const left =
        heldBy === undefined && entries.includes(marker)
          ? (await isTrusted(join(directory, marker), bootId))
            ? 'trusted'
            : 'untrusted'
          : undefined;
      return {
        name: decodeURIComponent(entry),
        ...(heldBy === undefined ? {} : { heldBy }),
        ...(left === undefined ? {} : { left }),
      } as const;
    }),
  );
};

const entriesOf = async (directory: string): Promise<readonly string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codesOf(error).includes('ENOENT') || codesOf(error).includes('ENOTDIR')) return [];
    throw error;
  }
};

/** Which process holds a lock on a file, by inode; taking the lock to see would turn an instance away that starts now. */
const lockHolders = async (): Promise<ReadonlyMap<number | undefined, number>> => {
  const text = await readFile(LOCKS, 'utf8').catch(() => '');
  return new Map(
    [...text.matchAll(/ WRITE (\d+) [^ ]+:(\d+) /g)].map(([, pid, inode]) => [Number(inode), Number(pid)] as const),
  );
};

const inodeOf = async (file: string): Promise<number | undefined> => {
  try {
    return (await stat(file)).ino;
  } catch {
    return undefined;
  }
};
