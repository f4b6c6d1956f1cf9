import { readFile } from 'node:fs/promises';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** Names the machine's current uptime; `undefined` where the platform does not tell. */
export const currentBootId = async (): Promise<string | undefined> => {
  try {
    return (await readFile(BOOT_ID, 'utf8')).trim();
  } catch {
    return undefined;
  }
};
