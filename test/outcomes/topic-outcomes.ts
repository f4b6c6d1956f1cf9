import { outcomeTable } from './outcome.js';

/** What producers can put on the topics. */
export const TOPIC_OUTCOMES = outcomeTable('Records on the topics', {});
