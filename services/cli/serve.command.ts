import { Command } from 'commander';
import { registryConnection } from '../../infra/config/connection.js';
import { RegistryUnreachableError } from '../../infra/registry/errors.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { createLogger, type Logger } from '../../infra/telemetry/logger.js';
import type { Service } from '../ledger/ledger-service.js';
import { patiently, patientSerdes } from '../mesh/patient-serdes.js';
import { ROLES, startRole, type Role } from '../roles.js';
import { choiceArgument } from './choices.js';
import { findConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';

/** `holdfast serve <role>`: one part of Holdfast in this process, until it is told to stop. */
export const serveCommand = (): Command =>
  withExamples(withConfig(new Command('serve')), 'holdfast serve ledger --config holdfast.yaml --instance ledger-1')
    .description('run one part of Holdfast until SIGTERM or Ctrl-C')
    .addArgument(choiceArgument('<role>', 'which part', ROLES))
    .option('--instance <id>', 'name of this instance, the same after a restart (HOLDFAST_INSTANCE_ID)')
    .action(async (role: Role, options: ConfigOptions) => {
      await runServices([role], options);
    });

/** `holdfast up`: every part in this process, for development. */
export const upCommand = (): Command =>
  withExamples(withConfig(new Command('up')), 'holdfast up --config holdfast.yaml')
    .description('run every part of Holdfast in this process')
    .action(async (options: ConfigOptions) => {
      await runServices(ROLES, options);
    });

/** How long the registry may be away when a part starts: it may be starting as well. */
const REGISTRY_PATIENCE_MS = 60_000;

/** Starts the roles and runs until one fails or the process is told to stop; then drains all. */
const runServices = async (roles: readonly Role[], options: ConfigOptions): Promise<void> => {
  const { config, warnings } = await findConfig(options);
  const logger = createLogger(config.logLevel);
  for (const { place, text } of warnings) logger.warn({ place, setting: text }, 'a setting is hardly meant so');
  const { kafka, schemaWaitMs } = config;
  logger.info(
    { roles, instanceId: config.instanceId, stateDir: config.stateDir },
    `starting ${roles.join(', ')} as ${config.instanceId}: ${sourceOf(options)}, brokers ${kafka.brokers.join(', ')}, registry ${config.registry.url}, topics ${kafka.topicPrefix}a2a.*`,
  );
  const told = stopSignal();
  const waiting = new AbortController();
  const patience = { logger, signal: waiting.signal };
  const connection = { ...registryConnection(config), topicPrefix: kafka.topicPrefix, schemaWaitMs };
  const opened = patiently(() => openRegistrySerdes(connection), {
    ...patience,
    atMostMs: REGISTRY_PATIENCE_MS,
    isAwaited: (error) => error instanceof RegistryUnreachableError,
  });
  const running: Service[] = [];
  try {
    const serdes = await Promise.race([opened, told]);
    if (typeof serdes === 'string') {
      logger.info({ signal: serdes }, 'stopped while the schema registry gave no answer');
      return;
    }
    const patient = patientSerdes(serdes, patience);
    for (const role of roles) {
      // A partition of the ledger waits by itself, and says so.
      const own = role === 'ledger' ? serdes : patient;
      running.push(await startRole(role, config, own, logger.child({ service: role })));
    }
    const word = await Promise.race([told, ...running.map(({ failed }) => failed)]);
    logger.info({ signal: word }, 'stopping');
  } finally {
    waiting.abort();
    opened.catch(() => undefined);
    await stopAll(running.reverse(), logger);
  }
  logger.info({}, 'stopped');
};

const sourceOf = ({ config = process.env.HOLDFAST_CONFIG }: ConfigOptions): string =>
  config === undefined ? 'no configuration file' : `configuration ${config}`;

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
