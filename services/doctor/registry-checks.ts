import { registryConnection } from '../../infra/config/connection.js';
import { HoldfastError } from '../../infra/errors.js';
import { registrySkew } from '../../infra/registry/registry-clock.js';
import { COMPATIBILITY } from '../../schemas/catalogue.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

const PATIENCE_MS = 10_000;
/** Between clocks that are kept in step there is far less. */
const NOTICEABLE_MS = 2_000;
/** Cards and verifications are taken for expired, or for fresh, that are not. */
const HARMFUL_MS = 60_000;

/** Whether the registry answers. */
export const registryFound = async (around: Surroundings): Promise<Found> => {
  const { url } = (await around.config()).config.registry;
  try {
    await around.subjects();
    return ok(url);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return {
      status: 'failure',
      said: `${url} gives no answer`,
      details: [error.message],
      ways: [
        'start the registry, or name another: --registry, HOLDFAST_REGISTRY_URL, registry.url',
        'the address is that of its Confluent-compatible API: of Apicurio Registry it ends in /apis/ccompat/v7',
      ],
    };
  }
};

/** Whether every schema of this version is among the versions of its subject. */
export const schemasFound = async (around: Surroundings): Promise<Found> => {
  const states = await around.subjects();
  const wrong = states.filter(({ state }) => state === 'missing' || state === 'different');
  if (wrong.length === 0) return ok(`${states.length} registered and equal`);
  const missing = wrong.filter(({ state }) => state === 'missing');
  const { topicPrefix } = (await around.config()).config.kafka;
  return {
    status: 'failure',
    said: `${wrong.length} of ${states.length} are not registered`,
    details:
      missing.length === states.length
        ? []
        : wrong.map(({ subject, state }) =>
            state === 'missing'
              ? `${subject}: missing`
              : `${subject}: other versions only, none is that of this version`,
          ),
    ways: [
      'holdfast schemas register',
      ...(missing.length === states.length && topicPrefix !== '' ? [`or correct the prefix "${topicPrefix}"`] : []),
    ],
  };
};

/** Whether the registry would refuse a schema that could not be read any more. */
export const compatibilityFound = async (around: Surroundings): Promise<Found> => {
  const states = await around.subjects();
  const wrong = states.flatMap((state) => (state.state === 'wrong-compatibility' ? [state] : []));
  const registered = states.filter(({ id }) => id !== undefined).length;
  if (wrong.length === 0) return ok(`${COMPATIBILITY}, ${registered} subjects`);
  return {
    status: 'failure',
    said: `${wrong.length} of ${states.length} subjects are not ${COMPATIBILITY}`,
    details: wrong.map(({ subject, compatibility }) => `${subject}: ${compatibility}`),
    ways: ['"holdfast schemas register" sets it'],
  };
};

/** Whether this machine's clock agrees with the registry's: brokers do not tell the time. */
export const clockFound = async (around: Surroundings): Promise<Found> => {
  const { config } = await around.config();
  const skew = await registrySkew(registryConnection(config), PATIENCE_MS);
  if (skew === undefined) return ok('not compared: the registry does not say what time it is');
  const said = `the registry's is ${(Math.abs(skew) / 1_000).toFixed(0)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  if (Math.abs(skew) < NOTICEABLE_MS) return ok('agrees with that of the registry');
  return {
    status: Math.abs(skew) < HARMFUL_MS ? 'warning' : 'failure',
    said,
    ways: ['keep the clocks of this machine, brokers and registry in step (NTP): "timedatectl set-ntp true"'],
  };
};
