import { outcomeTable } from './outcome.js';

/** How brokers and registries are reached, and what is told where that fails. */
export const CONNECTION_OUTCOMES = outcomeTable('Connections', {});
