import { HoldfastError } from '../../infra/errors.js';
import { agentsFound, cardsFound } from './agent-checks.js';
import { brokerFound, prefixFound } from './broker-checks.js';
import { ok, runChecks, type CheckResult, type Found } from './check.js';
import { deadLettersFound } from './dead-letter-check.js';
import { dispatcherFound, ledgerFound } from './group-checks.js';
import { javaFound, nodeFound } from './process-checks.js';
import { clockFound, compatibilityFound, registryFound, schemasFound } from './registry-checks.js';
import { rightsFound } from './rights-check.js';
import { storeFound } from './store-check.js';
import { Surroundings, type FoundConfig } from './surroundings.js';
import { partitionsFound, topicsFound } from './topic-checks.js';

/** Looks at everything that Holdfast needs, and changes nothing. */
export const examine = async (
  findConfig: () => Promise<FoundConfig>,
  file: string | undefined,
): Promise<readonly CheckResult[]> => {
  const around = new Surroundings(findConfig);
  const check = (name: string, needs: readonly string[], look: (around: Surroundings) => Found | Promise<Found>) => ({
    name,
    needs,
    look: async () => {
      try {
        return await look(around);
      } catch (error) {
        return unexpected(error);
      }
    },
  });
  try {
    return await runChecks([
      check('node', [], () => nodeFound(process.versions.node)),
      check('configuration', [], () => configurationFound(around, file)),
      check('java', ['configuration'], async () => javaFound(!(await around.config()).located)),
      check('store', ['configuration'], storeFound),
      check('broker', ['configuration'], brokerFound),
      check('registry', ['configuration'], registryFound),
      check('clock', ['registry'], clockFound),
      check('prefix', ['broker'], prefixFound),
      check('rights', ['broker'], rightsFound),
      check('topics', ['broker'], topicsFound),
      check('partitions', ['broker'], partitionsFound),
      check('schemas', ['registry'], schemasFound),
      check('compatibility', ['registry'], compatibilityFound),
      check('ledger', ['topics'], ledgerFound),
      check('dispatcher', ['topics'], dispatcherFound),
      check('dead letters', ['topics', 'schemas'], deadLettersFound),
      check('cards', ['configuration'], cardsFound),
      check('agents', ['topics', 'schemas'], agentsFound),
    ]);
  } finally {
    await around.close();
  }
};

const configurationFound = async (around: Surroundings, file: string | undefined): Promise<Found> => {
  try {
    const { located } = await around.config();
    const where = file === undefined ? 'no file; environment and defaults' : `${file} is valid`;
    return ok(located ? where : `${where}; nothing says where broker and registry are`);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return {
      status: 'failure',
      said: error.message,
      ways: ['correct it, then "holdfast config check"'],
    };
  }
};

/** A check that met what it does not know is a fault all the same. */
const unexpected = (error: unknown): Found => ({
  status: 'failure',
  said: error instanceof Error ? error.message : String(error),
  ways:
    error instanceof HoldfastError && error.retryable
      ? ['look again: this may pass']
      : ['HOLDFAST_LOG_LEVEL=debug holdfast doctor, and read what it says'],
});
