import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '../errors.js';
import { cacheEntry } from './cache-entry.js';
import { formatTemplate } from './kafka-storage.js';
import { fetchDistribution, fetchWithDependencies } from './maven.js';
import type { OnProgress } from './progress.js';
import { runCommand } from './run-command.js';

const KAFKA = '4.4.0';
const REGISTRY = '3.0.9';

export type KafkaArtifacts = {
  /** A Java class path: the broker, the command line tools and what they depend on. */
  readonly classPath: string;
  /** Logging set-ups of the broker (info, to standard output) and of the tools (warnings, to standard error). */
  readonly brokerLogging: string;
  readonly toolLogging: string;
  /** A formatted, empty storage directory, copied for each new broker: formatting costs a JVM. */
  readonly storageTemplate: string;
};

export type RegistryArtifacts = { readonly home: string; readonly jar: string };

export type CacheOptions = {
  readonly java: string;
  readonly onProgress: OnProgress;
  readonly cacheDirectory: string;
};

const logging = (level: string, target: string): string =>
  [
    'status=error',
    'appender.out.type=Console',
    'appender.out.name=out',
    `appender.out.target=${target}`,
    'appender.out.layout.type=PatternLayout',
    'appender.out.layout.pattern=%d{ISO8601} %p %c{1}: %m%n',
    `rootLogger.level=${level}`,
    'rootLogger.appenderRef.out.ref=out',
    '',
  ].join('\n');

/**
 * Kafka's jars from the cache, fetched when they are not there or damaged.
 * @throws HoldfastError `HOLDFAST_BACKEND_MAVEN_MISSING`, `HOLDFAST_BACKEND_FETCH_FAILED`.
 */
export async function kafkaArtifacts({ java, onProgress, cacheDirectory }: CacheOptions): Promise<KafkaArtifacts> {
  const locate = (entry: string): KafkaArtifacts => ({
    classPath: join(entry, 'libs', '*'),
    brokerLogging: join(entry, 'broker-log4j2.properties'),
    toolLogging: join(entry, 'tool-log4j2.properties'),
    storageTemplate: join(entry, 'storage'),
  });
  const fill = async (directory: string): Promise<void> => {
    const { classPath, brokerLogging, toolLogging, storageTemplate } = locate(directory);
    const artifacts = [
      { group: 'org.apache.kafka', artifact: 'kafka_2.13', version: KAFKA },
      { group: 'org.apache.kafka', artifact: 'kafka-tools', version: KAFKA },
      // Kafka's pom leaves the logging backend out; without one a broker says nothing, whatever happens to it.
      { group: 'org.apache.logging.log4j', artifact: 'log4j-slf4j-impl', version: '2.25.5' },
    ];
    await fetchWithDependencies(directory, join(directory, 'libs'), artifacts, onProgress);
    await writeFile(brokerLogging, logging('info', 'SYSTEM_OUT'));
    await writeFile(toolLogging, logging('warn', 'SYSTEM_ERR'));
    onProgress('preparing the storage of the broker');
    await formatTemplate({ java, classPath, logging: toolLogging, directory: storageTemplate });
  };
  return locate(await cacheEntry(cacheDirectory, `kafka-${KAFKA}`, fill, onProgress));
}

/**
 * The registry's unpacked distribution from the cache, fetched when it is not there or damaged.
 * @throws HoldfastError `HOLDFAST_BACKEND_MAVEN_MISSING`, `HOLDFAST_BACKEND_FETCH_FAILED`.
 */
export async function registryArtifacts({ onProgress, cacheDirectory }: CacheOptions): Promise<RegistryArtifacts> {
  const fill = async (directory: string): Promise<void> => {
    const coordinates = { group: 'io.apicurio', artifact: 'apicurio-registry-app', version: REGISTRY };
    await fetchDistribution(directory, directory, coordinates, onProgress);
    onProgress('unpacking the schema registry');
    const archive = `${coordinates.artifact}-${REGISTRY}-all.tar.gz`;
    const { code, output } = await runCommand(['tar', '-xzf', archive], { cwd: directory });
    if (code !== 0) throw unusable(`tar could not unpack ${archive}: ${output.trim()}`);
    await rm(join(directory, archive));
  };
  const home = await cacheEntry(cacheDirectory, `apicurio-registry-${REGISTRY}`, fill, onProgress);
  const jar = (await readdir(home)).find((name) => name.endsWith('-runner.jar'));
  if (jar === undefined) throw unusable('the distribution of the schema registry holds no runner jar');
  return { home, jar: join(home, jar) };
}

function unusable(message: string): HoldfastError {
  return new HoldfastError(message, { code: 'HOLDFAST_BACKEND_FETCH_FAILED', retryable: true });
}
