/**
 * Makes a checkout ready to run: dependencies as the lock file says, and `dist/` as the sources say. Plain JavaScript
 * on Node's own modules, because it runs when nothing is installed or compiled yet.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SOURCE_FOLDERS = ['schemas', 'topology', 'infra', 'services', 'test'];
const HEARTBEAT_MS = 2_000;
const SILENT_AFTER_MS = 20_000;

/**
 * Installs and builds what is missing or out of date; costs a few milliseconds when nothing is.
 * @param {{ root: string, say: (text: string) => void, signal?: AbortSignal }} options `say` receives what is being
 *   done, one line at a time.
 * @throws Error with a message for the user when npm or the compiler fails.
 */
export async function setUp({ root, say, signal }) {
  if (isInstalled(root) && isBuilt(root)) return;
  await exclusively(root, say, async () => {
    if (!isInstalled(root)) {
      say('installing dependencies (npm ci)');
      // The compiler is a development dependency, and NODE_ENV=production would leave it out.
      await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], root, signal);
      writeFileSync(installStamp(root), installFingerprint(root));
    }
    if (!isBuilt(root)) {
      say('compiling (tsc)');
      const fingerprint = sourceFingerprint(root);
      removeStale(root);
      await run(
        process.execPath,
        [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json'],
        root,
        signal,
      );
      writeFileSync(buildStamp(root), fingerprint);
    }
  });
}

function isInstalled(root) {
  if (!existsSync(join(root, 'node_modules'))) return false;
  const fingerprint = installFingerprint(root);
  if (readOr(installStamp(root)) === fingerprint) return true;
  if (!matchesLock(root)) return false;
  writeFileSync(installStamp(root), fingerprint);
  return true;
}

/** Whether somebody who ran npm by hand has installed exactly what the lock file says, optional packages apart. */
function matchesLock(root) {
  try {
    const wanted = packagesOf(join(root, 'package-lock.json'));
    const found = packagesOf(join(root, 'node_modules', '.package-lock.json'));
    const isThere = ([path, entry]) =>
      path === '' || entry.optional === true || found[path]?.integrity === entry.integrity;
    return Object.entries(wanted).every(isThere) && Object.keys(found).every((path) => path in wanted);
  } catch {
    return false;
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

function installStamp(root) {
  return join(root, 'node_modules', '.holdfast-stamp');
}

function installFingerprint(root) {
  return `${digest(readFileSync(join(root, 'package-lock.json')))} ${process.platform}-${process.arch}`;
}

function isBuilt(root) {
  if (readOr(buildStamp(root)) !== sourceFingerprint(root)) return false;
  return sources(root).every((path) => !path.endsWith('.ts') || existsSync(outputOf(root, path)));
}

function buildStamp(root) {
  return join(root, 'dist', '.holdfast-stamp');
}

/** Changes when a source appears, disappears or changes, and with the compiler's settings and the dependencies. */
function sourceFingerprint(root) {
  const lines = [...sources(root), 'tsconfig.json'].map((path) => {
    const { mtimeMs, size } = statSync(join(root, path));
    return `${path} ${mtimeMs} ${size}`;
  });
  return digest(`${lines.join('\n')}\n${installFingerprint(root)}`);
}

function sources(root) {
  return SOURCE_FOLDERS.flatMap((folder) => filesUnder(root, folder))
    .filter((path) => (path.endsWith('.ts') && !path.endsWith('.d.ts')) || path.endsWith('.json'))
    .sort();
}

function outputOf(root, source) {
  return join(root, 'dist', source.replace(/\.ts$/, '.js'));
}

/** A compiled test whose source is gone would go on running, and passing. */
function removeStale(root) {
  const known = new Set(sources(root));
  for (const path of filesUnder(root, 'dist')) {
    const source = relative('dist', path).replace(/\.js(\.map)?$/, '.ts');
    if (/\.(ts|json)$/.test(source) && !known.has(source)) rmSync(join(root, path));
  }
  // The incremental compiler trusts its notes and does not write again what somebody deleted.
  const missing = [...known].some((path) => path.endsWith('.ts') && !existsSync(outputOf(root, path)));
  if (missing) rmSync(join(root, 'dist', '.tsbuildinfo'), { force: true });
}

function filesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function digest(content) {
  return createHash('sha256').update(content).digest('hex');
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Two commands started together would otherwise install and compile over each other. */
async function exclusively(root, say, work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const lock = join(root, '.cache', 'set-up.lock');
  let told = false;
  while (!acquire(lock)) {
    const stale = staleHolder(lock);
    if (stale !== undefined) {
      remove(lock, stale);
      continue;
    }
    if (!told) say('waiting for another process that sets this checkout up');
    told = true;
    await delay(100);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimesSync(lock, now, now);
  }, HEARTBEAT_MS);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(lock, { force: true });
  }
}

function acquire(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The process ID in the lock of a holder that died or fell silent; undefined while the lock is good or gone. */
function staleHolder(lock) {
  try {
    const { mtimeMs } = statSync(lock);
    const holder = readFileSync(lock, 'utf8');
    if (Date.now() - mtimeMs > SILENT_AFTER_MS) return holder;
    return Number(holder) > 0 && !isRunning(Number(holder)) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Another waiter may have replaced the stale lock by its own meanwhile: what is no longer stale is put back. */
function remove(lock, stale) {
  const aside = `${lock}.stale-${process.pid}`;
  try {
    renameSync(lock, aside);
    if (readFileSync(aside, 'utf8') !== stale) linkSync(aside, lock);
  } catch {
    // Moved away by another waiter, or replaced while it was aside.
  }
  rmSync(aside, { force: true });
}

/** What the command prints goes to standard error: standard output belongs to the command the user asked for. */
function run(command, args, cwd, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2], signal });
    child.on('error', (error) => {
      const what = signal?.aborted ? 'was interrupted' : `could not be started (${error.message})`;
      reject(new Error(`${command} ${what}`, { cause: error }));
    });
    child.on('close', (code, killed) => {
      if (code === 0) resolve();
      else reject(new Error(`${[command, ...args].join(' ')} failed (${killed ?? `exit code ${code}`})`));
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    await setUp({ root, say: (text) => process.stderr.write(`holdfast: ${text}\n`) });
  } catch (error) {
    process.stderr.write(`holdfast: ${error.message}\n`);
    process.exitCode = 2;
  }
}
