import type { HoldfastConfig } from '../../infra/config/config.js';
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
    const brokers = local?.brokers ?? config.kafka.brokers;
    const url = local?.registryUrl ?? config.registry.url;
    if (local !== undefined) await registerAll(openRegistryClient(url), subjects(''));
    const serdes = await openRegistrySerdes({ url, schemaWaitMs: config.schemaWaitMs });
    const located = { ...config, kafka: { ...config.kafka, brokers }, registry: { url } };
    const backend = openKafkaBackend(located, serdes, createLogger('error'));
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

/** Stories are told on at least so many partitions, so that what crosses them is seen. */
const KAFKA_PARTITIONS = 3;

/** The error that led here says more than one from stopping. */
const stopQuietly = async (local: LocalBackend | undefined): Promise<void> => {
  await local?.stop().catch(() => undefined);
};
