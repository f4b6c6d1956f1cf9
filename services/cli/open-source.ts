import { registryConnection } from '../../infra/config/connection.js';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { createLogger } from '../../infra/telemetry/logger.js';
import { LEDGER } from '../../topology/topics.js';
import type { LogSource } from '../console/verdict-log.js';
import { Mesh } from '../mesh/mesh.js';
import { asRole } from '../rights/missing-rights.js';
import { loadConfig, type ConfigOptions } from './config-options.js';

/** The log as a command reads it, without a store of its own: several commands may run side by side. */
export type OpenSource = { readonly mesh: Mesh; readonly source: LogSource; readonly partitions: number };

/**
 * Opens the log for one command of a reader or operator, and closes it after. `schemaWaitMs` where the command asks once
 * for a schema that is missing rather than wait for it as a service does. @throws HoldfastError
 */
export const withSource = async (
  options: ConfigOptions,
  work: (open: OpenSource) => Promise<void>,
  role: 'reader' | 'operator' = 'reader',
  overrides: Partial<Pick<HoldfastConfig, 'schemaWaitMs'>> = {},
): Promise<void> => {
  const config = { ...(await loadConfig(options)), ...overrides };
  const { kafka, schemaWaitMs } = config;
  const serdes = await openRegistrySerdes({
    ...registryConnection(config),
    topicPrefix: kafka.topicPrefix,
    schemaWaitMs,
  });
  const mesh = new Mesh('cli', config, serdes, createLogger('error'));
  try {
    await asRole(role, kafka, async () => {
      const counts = await mesh.clients.partitionCounts([LEDGER.name]);
      const source = { reader: mesh.clients.reader, serdes };
      await work({ mesh, source, partitions: counts.get(LEDGER.name) ?? kafka.partitions });
    });
  } finally {
    await mesh.close();
  }
};
