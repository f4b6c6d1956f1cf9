import { outcomeTable } from './outcome.js';

/** What can become of the registry. */
export const REGISTRY_OUTCOMES = outcomeTable('Schema registry', {});
