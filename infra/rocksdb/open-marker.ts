import { open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codesOf } from './error-codes.js';

/**
 * A file beside a store while it is open, with the boot ID of the machine. A process that dies leaves a store that can be
 * trusted: the kernel still has everything that was written. A machine that dies does not: an unsynced write-ahead log may
 * have holes that RocksDB does not see. So a marker of another boot means that the store is wiped.
 */
const NO_BOOT_ID = 'unknown';

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Whether a store may be trusted that has this marker, on a machine with this boot ID. No marker: it was closed. */
export const isTrusted = async (path: string, bootId: string | undefined): Promise<boolean> => {
  try {
    return (await readFile(path, 'utf8')) === bootId;
  } catch (error) {
    if (codesOf(error).includes('ENOENT')) return true;
    throw error;
  }
};

/** Durable before it resolves. */
export const setMarker = async (path: string, bootId: string | undefined): Promise<void> => {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(bootId ?? NO_BOOT_ID);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncDirectory(dirname(path));
};

/** To be called when everything written is durable, and not before. */
export const clearMarker = async (path: string): Promise<void> => {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
};
