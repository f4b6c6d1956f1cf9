import { HoldfastError } from '../errors.js';
import { startLocalBackend, type LocalBackendOptions } from './local-backend.js';

export type Backend = {
  readonly brokers: string[];
  /** The registry's Confluent-compatible API, without a slash at the end. */
  readonly registryUrl: string;
  /** Whether it was started here, and so ends with this process. */
  readonly local: boolean;
  readonly stop: () => Promise<void>;
};

/**
 * The backend named by HOLDFAST_KAFKA_BROKERS (addresses separated by commas) and HOLDFAST_REGISTRY_URL; when neither
 * is set, a local one of this process's own.
 * @throws HoldfastError `HOLDFAST_BACKEND_HALF_CONFIGURED` when only one is set; else as `startLocalBackend`.
 */
export async function resolveBackend(options: LocalBackendOptions = {}): Promise<Backend> {
  const brokers = (process.env.HOLDFAST_KAFKA_BROKERS ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  const registryUrl = (process.env.HOLDFAST_REGISTRY_URL ?? '').trim().replace(/\/+$/, '');
  if (brokers.length > 0 && registryUrl !== '') {
    return { brokers, registryUrl, local: false, stop: () => Promise.resolve() };
  }
  if (brokers.length > 0 || registryUrl !== '') {
    const [set, unset] =
      registryUrl === ''
        ? ['HOLDFAST_KAFKA_BROKERS', 'HOLDFAST_REGISTRY_URL']
        : ['HOLDFAST_REGISTRY_URL', 'HOLDFAST_KAFKA_BROKERS'];
    throw new HoldfastError(`${set} is set but ${unset} is not: set both, or neither for a local backend.`, {
      code: 'HOLDFAST_BACKEND_HALF_CONFIGURED',
      retryable: false,
    });
  }
  const backend = await startLocalBackend(options);
  return { brokers: backend.brokers, registryUrl: backend.registryUrl, local: true, stop: backend.stop };
}
