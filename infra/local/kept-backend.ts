import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../errors.js';
import { backendCacheDirectory } from './checkout.js';
import { kafkaAnswers } from './kafka-probe.js';
import { launch } from './launch.js';
import { withLock } from './lock.js';
import { isProcessOf } from './process-identity.js';
import type { OnProgress } from './progress.js';
import { registryAnswers } from './registry-process.js';

/** What `backend up` leaves behind for later commands. */
export type KeptBackend = {
  /** On the command line of each of the processes. */
  readonly token: string;
  readonly brokers: string[];
  /** The registry's Confluent-compatible API, without a slash at the end. */
  readonly registryUrl: string;
  readonly ports: { readonly kafka: number; readonly registry: number };
  readonly pids: { readonly supervisor: number; readonly kafka: number; readonly registry: number };
};

export type BackendStatus = {
  readonly up: boolean;
  /** Missing when none was started, or what is left of one was not running any more. */
  readonly backend?: KeptBackend;
};

const POLL_MS = 50;
const GRACE_MS = 15_000;

/** Where the data, logs and state of the kept backend of this checkout lie. */
export function keptBackendDirectory(): string {
  return join(backendCacheDirectory(), 'run');
}

/**
 * Starts a backend that stays after this process has ended, with all it writes in `directory`; `alreadyUp` when one was
 * there, which is returned then. Remains of one that died are removed.
 * @throws HoldfastError as `startLocalBackend`.
 */
export async function bringUp(
  directory: string,
  onProgress: OnProgress,
): Promise<{ readonly backend: KeptBackend; readonly alreadyUp: boolean }> {
  return exclusively(directory, async () => {
    const found = await status(directory);
    if (found.up && found.backend !== undefined) return { backend: found.backend, alreadyUp: true };
    await takeDownNow(directory);
    const token = randomUUID();
    const launched = await launch({
      kafka: {},
      registry: {},
      onProgress,
      token,
      directory: async () => {
        await mkdir(directory, { recursive: true });
        return directory;
      },
    });
    const { supervision, kafka, registry } = launched;
    const backend: KeptBackend = {
      token,
      brokers: [kafka.address],
      registryUrl: registry.url,
      ports: { kafka: portOf(`http://${kafka.address}`), registry: portOf(registry.url) },
      pids: { supervisor: supervision.pid, kafka: kafka.pid, registry: registry.pid },
    };
    try {
      await writeState(directory, backend);
      await supervision.keep();
    } catch (error) {
      await supervision.end();
      throw error;
    }
    return { backend, alreadyUp: false };
  });
}

/**
 * Stops the kept backend and removes its data. `false` when there was none.
 * @throws HoldfastError `HOLDFAST_BACKEND_STUCK` (retryable) when its processes outlive a SIGKILL.
 */
export async function takeDown(directory: string): Promise<boolean> {
  return exclusively(directory, () => takeDownNow(directory));
}

/** Whether the kept backend runs and answers. */
export async function status(directory: string): Promise<BackendStatus> {
  const backend = await readState(directory);
  if (backend === undefined || !(await isProcessOf(backend.pids.supervisor, backend.token))) return { up: false };
  const answers = await Promise.all([kafkaAnswers(backend.ports.kafka), registryAnswers(backend.registryUrl)]);
  return { up: answers.every(Boolean), backend };
}

async function exclusively<T>(directory: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(directory), { recursive: true });
  return withLock(`${directory}.lock`, work);
}

async function takeDownNow(directory: string): Promise<boolean> {
  const backend = await readState(directory);
  let stopped = false;
  if (backend !== undefined) {
    const { token, pids } = backend;
    stopped = await isProcessOf(pids.supervisor, token);
    // The supervisor kills the others and removes the directory; they are asked for only if it does not.
    if (stopped && !(await ended(pids.supervisor, token, 'SIGTERM'))) await kill(pids.supervisor, token);
    await kill(pids.kafka, token);
    await kill(pids.registry, token);
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  return stopped;
}

async function kill(pid: number, token: string): Promise<void> {
  if (!(await isProcessOf(pid, token)) || (await ended(pid, token, 'SIGKILL'))) return;
  throw new HoldfastError(`Process ${pid} of the local backend does not end.`, {
    code: 'HOLDFAST_BACKEND_STUCK',
    retryable: true,
  });
}

/** Sends the signal and waits; whether the process is gone. */
async function ended(pid: number, token: string, signal: NodeJS.Signals): Promise<boolean> {
  const deadline = performance.now() + GRACE_MS;
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in between; the look below tells.
  }
  while (await isProcessOf(pid, token)) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

async function readState(directory: string): Promise<KeptBackend | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, 'state.json'), 'utf8')) as KeptBackend;
  } catch {
    return undefined;
  }
}

async function writeState(directory: string, backend: KeptBackend): Promise<void> {
  const file = join(directory, 'state.json');
  await writeFile(`${file}.new`, `${JSON.stringify(backend, undefined, 2)}\n`);
  await rename(`${file}.new`, file);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
