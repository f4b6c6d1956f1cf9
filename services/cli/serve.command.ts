import { setTimeout as delay } from 'node:timers/promises';
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
/** A part that is told to stop while it starts may finish its start in so long, and is then stopped in order. */
const START_GRACE_MS = 1_000;
/** What still holds the process after so long waits for somebody who does not answer. */
const LINGER_MS = 1_000;

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
  const connection = {
    ...registryConnection(config),
    topicPrefix: kafka.topicPrefix,
    schemaWaitMs,
    signal: waiting.signal,
  };
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
      const starting = startRole(role, config, own, logger.child({ service: role }));
      const started = await Promise.race([starting, told]);
      if (typeof started === 'string') {
        logger.info({ signal: started }, `stopped while the ${role} was starting`);
        await withinGrace(starting, running);
        return;
      }
      running.push(started);
    }
    const word = await Promise.race([told, ...running.map(({ failed }) => failed)]);
    logger.info({ signal: word }, 'stopping');
  } finally {
    waiting.abort();
    opened.catch(() => undefined);
    await stopAll(running.reverse(), logger);
    endSoon();
  }
  logger.info({}, 'stopped');
};

/** Adds the service to those that run, if it starts soon. */
const withinGrace = async (starting: Promise<Service>, running: Service[]): Promise<void> => {
  const started = await Promise.race([starting.catch(() => undefined), delay(START_GRACE_MS)]);
  if (started !== undefined) running.push(started);
};

/**
 * The process ends by itself when nothing is under way any more. Client libraries go on with an attempt to reach a broker
 * that is away or silent, which cannot be called off; by now there is nothing left that it could be of use for.
 */
const endSoon = (): void => {
  setTimeout(() => process.exit(), LINGER_MS).unref();
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

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Resolves on the first SIGTERM or SIGINT; a second one, of either kind, ends the process at once. */
const stopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const told = (signal: NodeJS.Signals): void => {
      for (const one of SIGNALS) process.off(one, told);
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, told);
  });
