import type { HoldfastConfig } from '../../infra/config/config.js';
import { registryConnection } from '../../infra/config/connection.js';
import { startLocalBackend, type LocalBackend } from '../../infra/local/local-backend.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { createLogger } from '../../infra/telemetry/logger.js';
import { subjects } from '../../schemas/catalogue.js';
import { kafkaPipeline, openKafkaBackend } from './kafka-pipeline.js';
import { memoryPipeline } from './memory-pipeline.js';
import type { Pipeline } from './pipeline.js';

/** Opens a pipeline for each story, and what they share. */
export type Pipelines = {
  readonly open: (partitions: number) => Promise<Pipeline>;
  readonly close: () => Promise<void>;
};

export const memoryPipelines: Pipelines = {
  open: (partitions) => Promise.resolve(memoryPipeline(partitions)),
  close: () => Promise.resolve(),
};

/**
 * Pipelines on a real broker and registry: those of the configuration, else a local backend for this run alone. Schemas
 * are registered only in a registry that was started here. @throws HoldfastError
 */
export const kafkaPipelines = async (
  { config, located }: { readonly config: HoldfastConfig; readonly located: boolean },
  onProgress: (message: string) => void,
): Promise<Pipelines> => {
  const local = located ? undefined : await startLocalBackend({ onProgress });
  try {
    const reached = local === undefined ? config : at(config, local);
    const registry = registryConnection(reached);
    if (local !== undefined) await registerAll(openRegistryClient(registry), subjects(''));
    const serdes = await openRegistrySerdes({ ...registry, schemaWaitMs: config.schemaWaitMs });
    const backend = openKafkaBackend(reached, serdes, createLogger('error'));
    return {
      open: (partitions) => kafkaPipeline(backend, Math.max(partitions, KAFKA_PARTITIONS)),
      close: async () => {
        await backend.admin.close();
        await local?.stop();
      },
    };
  } catch (error) {
    await stopQuietly(local);
    throw error;
  }
};

/** A local backend knows neither TLS nor users. */
const at = (config: HoldfastConfig, { brokers, registryUrl }: LocalBackend): HoldfastConfig => {
  const { tls: _tls, sasl: _sasl, ...kafka } = config.kafka;
  return { ...config, kafka: { ...kafka, brokers }, registry: { url: registryUrl } };
};

/** Stories are told on at least so many partitions, so that what crosses them is seen. */
const KAFKA_PARTITIONS = 3;

/** The error that led here says more than one from stopping. */
const stopQuietly = async (local: LocalBackend | undefined): Promise<void> => {
  await local?.stop().catch(() => undefined);
};
