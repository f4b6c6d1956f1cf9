import { Command, Option } from 'commander';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { registryConnection } from '../../infra/config/connection.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { createLogger, type Logger } from '../../infra/telemetry/logger.js';
import { startDispatcher } from '../dispatcher/dispatcher-service.js';
import { startGateway } from '../gateway/gateway-service.js';
import { startLedger, type Service } from '../ledger/ledger-service.js';
import { Mesh } from '../mesh/mesh.js';
import { startVerifier } from '../verifier/verifier.js';
import { choiceArgument } from './choices.js';
import { loadConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';

/** In the order in which they start: who decides first, who brings work last. */
const ROLES = ['ledger', 'verifier', 'dispatcher', 'gateway'] as const;
type Role = (typeof ROLES)[number];
type Starter = (config: HoldfastConfig, serdes: Serdes, logger: Logger) => Promise<Service>;

const STARTERS: Readonly<Record<Role, Starter>> = {
  ledger: startLedger,
  verifier: (config, serdes, logger) => startVerifier(new Mesh('verifier', config, serdes, logger)),
  dispatcher: (config, serdes, logger) => startDispatcher(new Mesh('dispatcher', config, serdes, logger)),
  gateway: (config, serdes, logger) => startGateway({ config, serdes, logger }),
};

/** `holdfast serve <role>`: one part of Holdfast in this process, until it is told to stop. */
export const serveCommand = (): Command =>
  withExamples(withConfig(new Command('serve')), 'holdfast serve ledger --config holdfast.yaml --instance ledger-1')
    .description('run one part of Holdfast until SIGTERM or Ctrl-C')
    .addArgument(choiceArgument('<role>', 'which part', ROLES))
    .addOption(
      new Option('--instance <id>', 'name of this instance, the same after a restart').env('HOLDFAST_INSTANCE_ID'),
    )
    .action(async (role: Role, options: ConfigOptions & { readonly instance?: string }) => {
      await runServices([role], options);
    });

/** `holdfast up`: every part in this process, for development. */
export const upCommand = (): Command =>
  withExamples(withConfig(new Command('up')), 'holdfast up --config holdfast.yaml')
    .description('run every part of Holdfast in this process')
    .action(async (options: ConfigOptions) => {
      await runServices(ROLES, options);
    });

/** Starts the roles and runs until one fails or the process is told to stop; then drains all. */
const runServices = async (
  roles: readonly Role[],
  options: ConfigOptions & { readonly instance?: string },
): Promise<void> => {
  const loaded = await loadConfig(options);
  const config = options.instance === undefined ? loaded : { ...loaded, instanceId: options.instance };
  const logger = createLogger(config.logLevel);
  const { kafka, schemaWaitMs } = config;
  const serdes = await openRegistrySerdes({
    ...registryConnection(config),
    topicPrefix: kafka.topicPrefix,
    schemaWaitMs,
  });
  const told = stopSignal();
  const running: Service[] = [];
  try {
    for (const role of roles) running.push(await STARTERS[role](config, serdes, logger.child({ service: role })));
    const word = await Promise.race([told, ...running.map(({ failed }) => failed)]);
    logger.info({ signal: word }, 'stopping');
  } finally {
    await stopAll(running.reverse(), logger);
  }
  logger.info({}, 'stopped');
};

/** Stops one after the other; one that cannot be stopped must not keep the others running. */
const stopAll = async (services: readonly Service[], logger: Logger): Promise<void> => {
  for (const service of services)
    await service.stop().catch((error: unknown) => {
      logger.error({ error: String(error) }, 'a part could not be stopped in order');
      process.exitCode = EXIT.couldNot;
    });
};

/** Resolves on the first SIGTERM or SIGINT; a second one ends the process at once. */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        resolve(signal);
      });
  });
