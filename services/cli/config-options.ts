import type { Command } from 'commander';
import type { HoldfastConfig } from '../../infra/config/config.js';
import {
  configFromEnvironment,
  readConfigFile,
  resolveConfig,
  type PartialConfig,
} from '../../infra/config/read-config.js';
import { keptBackendDirectory, status } from '../../infra/local/kept-backend.js';

export type ConfigOptions = {
  readonly config?: string;
  readonly brokers?: string;
  readonly registry?: string;
  readonly topicPrefix?: string;
};

/** The options by which every command that needs a broker finds it. */
export const withConfig = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration file, YAML (HOLDFAST_CONFIG)')
    .option('--brokers <list>', 'Kafka brokers, host:port,… (HOLDFAST_KAFKA_BROKERS)')
    .option('--registry <url>', 'Confluent-compatible API of the schema registry (HOLDFAST_REGISTRY_URL)')
    .option('--topic-prefix <prefix>', 'what topic names begin with (HOLDFAST_TOPIC_PREFIX)');

/**
 * The configuration in force: file, then environment, then flags. Where none of them names broker and registry, those of
 * a local backend that is up. @throws ConfigError
 */
export const loadConfig = async (options: ConfigOptions): Promise<HoldfastConfig> => (await findConfig(options)).config;

/** As `loadConfig`; `located: false` where nothing says where broker and registry are. @throws ConfigError */
export const findConfig = async (
  options: ConfigOptions,
): Promise<{ readonly config: HoldfastConfig; readonly located: boolean }> => {
  const file = options.config ?? process.env.HOLDFAST_CONFIG;
  const sources = [
    file === undefined ? {} : readConfigFile(file),
    configFromEnvironment(process.env),
    fromFlags(options),
  ];
  const named = sources.some(({ kafka, registry }) => kafka?.brokers !== undefined || registry?.url !== undefined);
  const local = named ? {} : await fromLocalBackend();
  return { config: resolveConfig(local, ...sources), located: named || local.kafka !== undefined };
};

const fromFlags = ({ brokers, registry, topicPrefix }: ConfigOptions): PartialConfig => {
  const flags: Record<string, string> = {};
  if (brokers !== undefined) flags.HOLDFAST_KAFKA_BROKERS = brokers;
  if (registry !== undefined) flags.HOLDFAST_REGISTRY_URL = registry;
  if (topicPrefix !== undefined) flags.HOLDFAST_TOPIC_PREFIX = topicPrefix;
  return configFromEnvironment(flags);
};

const fromLocalBackend = async (): Promise<PartialConfig> => {
  const { up, backend } = await status(keptBackendDirectory());
  return up && backend !== undefined
    ? { kafka: { brokers: [...backend.brokers] }, registry: { url: backend.registryUrl } }
    : {};
};
