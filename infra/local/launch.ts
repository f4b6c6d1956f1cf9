import { HoldfastError } from '../errors.js';
import { kafkaArtifacts, registryArtifacts, type CacheOptions } from './artifacts.js';
import { backendCacheDirectory } from './checkout.js';
import { requireJava } from './java-tools.js';
import { KafkaProcess, type KafkaOptions } from './kafka-process.js';
import type { OnProgress } from './progress.js';
import { startRegistry, type RegistryOptions, type RunningRegistry } from './registry-process.js';
import { Supervision } from './supervision.js';

export type LaunchOptions = {
  readonly kafka: KafkaOptions;
  readonly onProgress: OnProgress;
  /** Marks the command lines of all processes. */
  readonly token: string;
  /** Makes the backend's directory, once for each attempt; it is removed with the backend. */
  readonly directory: () => Promise<string>;
  /** Where fetched artifacts are kept; the checkout's cache unless given. */
  readonly cacheDirectory?: string;
};

export type Launched = {
  readonly supervision: Supervision;
  readonly kafka: KafkaProcess;
};

export type LaunchedWithRegistry = Launched & { readonly registry: RunningRegistry };

const ATTEMPTS = 3;
const PORT_TAKEN = /address already in use|BindException|already bound|Port .* in use/i;

/**
 * Fetches what is missing, starts Kafka and the registry side by side, and resolves when both serve requests.
 * @throws HoldfastError `HOLDFAST_BACKEND_JAVA_MISSING`, `…_MAVEN_MISSING`, `…_FETCH_FAILED`, `…_START_FAILED`; then
 * nothing is left running.
 */
export async function launch(
  options: LaunchOptions & { readonly registry: RegistryOptions },
): Promise<LaunchedWithRegistry> {
  const cache = await cacheOptions(options);
  // One after the other: two Mavens at once would write to one local repository.
  const forKafka = await kafkaArtifacts(cache);
  const forRegistry = await registryArtifacts(cache);
  return withFreshPorts(options, 'starting Kafka and the schema registry', async (common) => {
    const [kafka, registry] = await Promise.all([
      startKafka({ ...common, java: cache.java, artifacts: forKafka, kafka: options.kafka }),
      startRegistry({ ...common, java: cache.java, artifacts: forRegistry, registry: options.registry }),
    ]);
    return { supervision: common.supervision, kafka, registry };
  });
}

/**
 * As `launch`, without the registry.
 * @throws HoldfastError as `launch`.
 */
export async function launchKafka(options: LaunchOptions): Promise<Launched> {
  const cache = await cacheOptions(options);
  const artifacts = await kafkaArtifacts(cache);
  return withFreshPorts(options, 'starting Kafka', async (common) => ({
    supervision: common.supervision,
    kafka: await startKafka({ ...common, java: cache.java, artifacts, kafka: options.kafka }),
  }));
}

async function cacheOptions({ onProgress, cacheDirectory }: LaunchOptions): Promise<CacheOptions> {
  const java = await requireJava();
  return { java, onProgress, cacheDirectory: cacheDirectory ?? backendCacheDirectory() };
}

async function startKafka(options: Parameters<typeof KafkaProcess.prepare>[0]): Promise<KafkaProcess> {
  const kafka = await KafkaProcess.prepare(options);
  await kafka.start();
  return kafka;
}

type Surroundings = { readonly supervision: Supervision; readonly directory: string; readonly token: string };

/** Tries again with other ports when another process took one between our look and the bind. */
async function withFreshPorts<T>(
  { onProgress, token, directory: newDirectory }: LaunchOptions,
  stage: string,
  start: (surroundings: Surroundings) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    onProgress(stage);
    const directory = await newDirectory();
    const supervision = new Supervision(directory, token);
    try {
      return await start({ supervision, directory, token });
    } catch (error) {
      await supervision.end();
      const again = attempt < ATTEMPTS && error instanceof HoldfastError && PORT_TAKEN.test(error.message);
      if (!again) throw error;
    }
  }
}
