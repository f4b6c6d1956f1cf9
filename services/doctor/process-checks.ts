import { requireJava, requireMaven } from '../../infra/local/java-tools.js';
import { HoldfastError } from '../../infra/errors.js';
import { ok, type Found } from './check.js';

const NEEDED = { major: 20, minor: 19 };

/** Whether a version of Node, as `process.versions.node` has it, can run Holdfast. */
export const nodeFound = (version: string): Found => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return ok(`Node ${version}`);
  return {
    status: 'failure',
    said: `Node ${version} is too old`,
    ways: [`install Node ${NEEDED.major}.${NEEDED.minor} or newer`],
  };
};

/** What a local backend needs; nothing where broker and registry are named. */
export const javaFound = async (wanted: boolean): Promise<Found> => {
  if (!wanted) return ok('not needed: broker and registry are there without them');
  try {
    return ok(`${await requireJava()}, ${await requireMaven()}`);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return {
      status: 'failure',
      said: 'nothing says where broker and registry are, and a local backend cannot start',
      details: [error.message],
      ways: [
        'name them: --brokers and --registry, or HOLDFAST_KAFKA_BROKERS and HOLDFAST_REGISTRY_URL',
        'or install Java 17 or newer and Maven, then "holdfast backend up"',
      ],
    };
  }
};
