import { outcomeTable } from './outcome.js';

/** What agents can answer. */
export const AGENT_OUTCOMES = outcomeTable('Agents and their cards', {});
