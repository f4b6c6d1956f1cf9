import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
const SILENT_AFTER_MS = 20_000;
const RETRY_MS = 100;

/**
 * Runs `work` while no other process of this machine holds the lock file. A holder that died or fell silent loses it.
 * The lock only saves double work: what it guards must stay correct (temporary directory, then rename) without it.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, onWait?: () => void): Promise<T> {
  while (!(await acquire(path))) {
    const stale = await staleHolder(path);
    if (stale !== undefined) {
      await remove(path, stale);
      continue;
    }
    onWait?.();
    await delay(RETRY_MS);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process ID in the lock of a holder that died or fell silent; undefined while the lock is good or gone. */
async function staleHolder(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs } = await stat(path);
    const holder = await readFile(path, 'utf8');
    const dead = Number(holder) > 0 && !isRunning(Number(holder));
    return dead || Date.now() - mtimeMs > SILENT_AFTER_MS ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Another waiter may have replaced the stale lock by its own meanwhile: what is no longer stale is put back. */
async function remove(path: string, stale: string): Promise<void> {
  const aside = `${path}.stale-${process.pid}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== stale) await link(aside, path);
  } catch {
    // Moved away by another waiter, or replaced while it was aside.
  }
  await rm(aside, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
