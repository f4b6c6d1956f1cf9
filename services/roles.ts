import type { HoldfastConfig } from '../infra/config/config.js';
import type { Serdes } from '../infra/streams/serdes.js';
import type { Logger } from '../infra/telemetry/logger.js';
import { startDispatcher } from './dispatcher/dispatcher-service.js';
import { startGateway } from './gateway/gateway-service.js';
import { startLedger, type Service } from './ledger/ledger-service.js';
import { Mesh } from './mesh/mesh.js';
import { asRole } from './rights/missing-rights.js';
import { startVerifier } from './verifier/verifier.js';

/** In the order in which they start: who decides first, who brings work last. */
export const ROLES = ['ledger', 'verifier', 'dispatcher', 'gateway'] as const;
export type Role = (typeof ROLES)[number];

type Starter = (config: HoldfastConfig, serdes: Serdes, logger: Logger) => Promise<Service>;

const STARTERS: Readonly<Record<Role, Starter>> = {
  ledger: startLedger,
  verifier: (config, serdes, logger) => startVerifier(new Mesh('verifier', config, serdes, logger)),
  dispatcher: (config, serdes, logger) => startDispatcher(new Mesh('dispatcher', config, serdes, logger)),
  gateway: (config, serdes, logger) => startGateway({ config, serdes, logger }),
};

/**
 * Starts a part of Holdfast.
 * @throws HoldfastError; where the brokers refuse it a right, here and in `failed`, NotAuthorizedError names it
 */
export const startRole = async (
  role: Role,
  config: HoldfastConfig,
  serdes: Serdes,
  logger: Logger,
): Promise<Service> => {
  const service = await asRole(role, config.kafka, () => STARTERS[role](config, serdes, logger));
  const failed = asRole(role, config.kafka, () => service.failed);
  // Whoever runs it watches; one that nobody watches is no reason to end the process.
  failed.catch(() => undefined);
  return { ...service, failed };
};
