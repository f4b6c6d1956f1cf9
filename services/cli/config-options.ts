import type { Command } from 'commander';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { configFromEnvironment, configFromFlags } from '../../infra/config/config-environment.js';
import { readConfigFile } from '../../infra/config/config-file.js';
import type { ConfigSource } from '../../infra/config/config-source.js';
import { settleConfig, type SettledConfig } from '../../infra/config/read-config.js';
import { keptBackendDirectory, status } from '../../infra/local/kept-backend.js';

export type ConfigOptions = {
  readonly config?: string;
  readonly brokers?: string;
  readonly registry?: string;
  readonly topicPrefix?: string;
  readonly instance?: string;
};

/** The options by which every command that needs a broker finds it. */
export const withConfig = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration file, YAML (HOLDFAST_CONFIG)')
    .option('--brokers <list>', 'Kafka brokers, host:port,… (HOLDFAST_KAFKA_BROKERS)')
    .option('--registry <url>', 'Confluent-compatible API of the schema registry (HOLDFAST_REGISTRY_URL)')
    .option('--topic-prefix <prefix>', 'what topic names begin with (HOLDFAST_KAFKA_TOPIC_PREFIX)');

export type FoundConfig = SettledConfig & {
  /** Whether anything says where broker and registry are. */
  readonly located: boolean;
};

/**
 * The configuration in force: file, then environment, then flags. Where none of them names broker and registry, those of
 * a local backend that is up. @throws ConfigError
 */
export const loadConfig = async (options: ConfigOptions): Promise<HoldfastConfig> => (await findConfig(options)).config;

/** As `loadConfig`, with all there is to know of it. @throws ConfigError */
export const findConfig = async (options: ConfigOptions): Promise<FoundConfig> => {
  const file = options.config ?? process.env.HOLDFAST_CONFIG;
  const said = [
    ...(file === undefined || file === '' ? [] : [readConfigFile(file)]),
    configFromEnvironment(process.env),
    fromFlags(options),
  ];
  const named = said.some(({ values: { kafka, registry }, faults }) => {
    const isNamed = kafka?.brokers !== undefined || registry?.url !== undefined || kafka?.sasl !== undefined;
    return isNamed || faults.length > 0;
  });
  const local = named ? undefined : await fromLocalBackend();
  const settled = settleConfig(local === undefined ? said : [local, ...said]);
  return { ...settled, located: named || local !== undefined };
};

const fromFlags = ({ brokers, registry, topicPrefix, instance }: ConfigOptions): ConfigSource =>
  configFromFlags({
    'kafka.brokers': { flag: '--brokers', text: brokers },
    'registry.url': { flag: '--registry', text: registry },
    'kafka.topicPrefix': { flag: '--topic-prefix', text: topicPrefix },
    instanceId: { flag: '--instance', text: instance },
  });

const fromLocalBackend = async (): Promise<ConfigSource | undefined> => {
  const { up, backend } = await status(keptBackendDirectory());
  if (!up || backend === undefined) return undefined;
  const values = { kafka: { brokers: [...backend.brokers] }, registry: { url: backend.registryUrl } };
  return { values, faults: [], placeOf: () => 'holdfast backend up' };
};
