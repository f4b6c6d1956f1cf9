import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryArtifacts } from './artifacts.js';
import { freePorts } from './free-ports.js';
import { jvmCommand } from './jvm.js';
import { whenReady } from './readiness.js';
import type { Supervision } from './supervision.js';

export type RegistryOptions = {
  /** Java system properties that add to or replace ours. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Java heap in MiB; 384 unless given. */
  readonly heapMiB?: number;
};

export type RunningRegistry = {
  /** Its Confluent-compatible API, without a slash at the end. */
  readonly url: string;
  readonly pid: number;
};

const NAME = 'registry';
const PROBE_TIMEOUT_MS = 3_000;

/** Where the Confluent-compatible API of Apicurio Registry lies. */
const API = '/apis/ccompat/v7';

/**
 * Starts a registry that keeps its schemas in memory and resolves when it serves requests.
 * @throws HoldfastError `HOLDFAST_BACKEND_START_FAILED`.
 */
export async function startRegistry(options: {
  readonly java: string;
  readonly artifacts: RegistryArtifacts;
  readonly supervision: Supervision;
  readonly directory: string;
  readonly token: string;
  readonly registry: RegistryOptions;
}): Promise<RunningRegistry> {
  const { java, artifacts, supervision, directory, token, registry } = options;
  const [port = 0] = await freePorts(1);
  const temporary = join(directory, 'registry-tmp');
  await mkdir(temporary);
  const properties = {
    'quarkus.http.host': '127.0.0.1',
    'quarkus.http.port': String(port),
    'java.util.logging.manager': 'org.jboss.logmanager.LogManager',
    ...registry.properties,
  };
  const command = jvmCommand({
    java,
    heapMiB: registry.heapMiB ?? 384,
    temporary,
    token,
    args: [...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`), '-jar', artifacts.jar],
  });
  const logFile = join(directory, `${NAME}.log`);
  const pid = await supervision.start({ name: NAME, command, cwd: directory, logFile });
  const url = `http://127.0.0.1:${port}${API}`;
  await whenReady({ name: NAME, supervision, logFile, probe: () => registryAnswers(url) });
  return { url, pid };
}

/** Whether the registry's Confluent-compatible API at this URL lists its subjects. Never rejects. */
export async function registryAnswers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const subjects: unknown = await response.json();
    return response.ok && Array.isArray(subjects);
  } catch {
    return false;
  }
}
