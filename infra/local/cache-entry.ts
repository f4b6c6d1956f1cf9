import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withLock } from './lock.js';
import type { OnProgress } from './progress.js';

type ManifestFile = {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly sha256: string;
};

const MANIFEST = 'manifest.json';
const UNFINISHED = '.unfinished-';

/**
 * The directory `<cache>/<name>`, complete. When it is missing or damaged, `fill` builds it anew in a temporary
 * directory that takes its place by a rename: no reader ever sees a half-filled entry, whoever is killed when.
 */
export async function cacheEntry(
  cache: string,
  name: string,
  fill: (directory: string) => Promise<void>,
  onProgress: OnProgress,
): Promise<string> {
  const entry = join(cache, name);
  if (await isIntact(entry)) return entry;
  await mkdir(cache, { recursive: true });
  const waiting = (): void => {
    onProgress(`waiting for another process that prepares ${name}`);
  };
  await withLock(
    join(cache, `${name}.lock`),
    async () => {
      if (await isIntact(entry)) return;
      await removeLeftovers(cache, name);
      const directory = await mkdtemp(join(cache, `${UNFINISHED}${name}-`));
      try {
        await fill(directory);
        await writeFile(join(directory, MANIFEST), JSON.stringify(await listFiles(directory), undefined, 1));
        await replace(entry, directory);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    waiting,
  );
  return entry;
}

/** A rename cannot replace a directory that has content: the damaged one moves aside first. */
async function replace(entry: string, directory: string): Promise<void> {
  const damaged = `${directory}.damaged`;
  await rename(entry, damaged).catch(() => undefined);
  await rename(directory, entry);
  await rm(damaged, { recursive: true, force: true });
}

async function removeLeftovers(cache: string, name: string): Promise<void> {
  for (const found of await readdir(cache)) {
    if (found.startsWith(`${UNFINISHED}${name}-`)) await rm(join(cache, found), { recursive: true, force: true });
  }
}

/** Size and time are looked at on each start; a file whose time changed is hashed, so that a copied cache is good. */
async function isIntact(entry: string): Promise<boolean> {
  try {
    const files = JSON.parse(await readFile(join(entry, MANIFEST), 'utf8')) as ManifestFile[];
    const checks = files.map(async ({ path, bytes, mtimeMs, sha256 }) => {
      const file = join(entry, path);
      const found = await stat(file);
      return found.size === bytes && (found.mtimeMs === mtimeMs || (await sha256Of(file)) === sha256);
    });
    return files.length > 0 && (await Promise.all(checks)).every(Boolean);
  } catch {
    return false;
  }
}

async function listFiles(directory: string): Promise<ManifestFile[]> {
  const files: ManifestFile[] = [];
  for (const found of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!found.isFile()) continue;
    const file = join(found.parentPath, found.name);
    const { size, mtimeMs } = await stat(file);
    files.push({ path: relative(directory, file), bytes: size, mtimeMs, sha256: await sha256Of(file) });
  }
  return files;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
