import { outcomeTable } from './outcome.js';

/** What each role is missing when one of its rights is. */
export const RIGHTS_OUTCOMES = outcomeTable('Rights', {});
