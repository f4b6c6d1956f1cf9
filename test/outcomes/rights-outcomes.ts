import { RIGHTS, RIGHTS_ROLES, type Right, type RightsRole } from '../../services/rights/rights.js';
import { INPUTS, LEDGER, TASK_EVENTS, VERDICTS } from '../../topology/topics.js';
import { outcomeTable, type Outcome } from './outcome.js';

/** A right of a role, and the name of its row. */
export type RightOf = { readonly role: RightsRole; readonly right: Right; readonly row: string };

/** Every right of every role, in the order of the list: a right that is added has a row, and must have an outcome. */
export const ALL_RIGHTS: readonly RightOf[] = RIGHTS_ROLES.flatMap((role) =>
  RIGHTS[role].map((right) => ({ role, right, row: `${role}: ${wordsOf(right)}` })),
);

function wordsOf({ operation, resource, name, pattern }: Right): string {
  return `${operation} on ${resource === 'Topic' ? '' : `${resource} `}${name}${pattern === 'Prefixed' ? '*' : ''}`;
}

export type Consequence = 'ends' | 'does not start' | 'ends later' | 'refuses' | 'could not' | 'told by the broker';

const SERVICES: readonly RightsRole[] = ['ledger', 'verifier', 'dispatcher', 'gateway'];
const FOREIGN: readonly RightsRole[] = ['producer', 'consumer'];

/** What becomes of a role without one of its rights. */
export const consequenceOf = ({ role, right: { name, operation } }: Omit<RightOf, 'row'>): Consequence => {
  if (FOREIGN.includes(role)) return 'told by the broker';
  if (!SERVICES.includes(role)) return 'could not';
  if (role === 'ledger' && operation === 'Read' && name === LEDGER.name) return 'does not start';
  if (role === 'dispatcher' && name === VERDICTS.name) return 'ends later';
  if (role === 'gateway' && [TASK_EVENTS.name, INPUTS.name].includes(name)) return 'refuses';
  return 'ends';
};

const OUTCOMES: Readonly<Record<Consequence, string>> = {
  ends: 'ends with exit code 2 and says which right it needs, at its start and while it runs; started with it again, it goes on where it was, and nothing is lost or done twice',
  'does not start':
    'goes on while it runs; ends with exit code 2 and says which right it needs where it has to restore a store; started with it again, it goes on where it was',
  'ends later':
    'starts; ends with exit code 2 and says which right it needs when a task that was lost answers after all; started with it again, it comes to the verdict it would have come to',
  refuses:
    'answers 503 before anything is passed on, and its log says which right it needs; the same message goes through as soon as it has it, once',
  'could not': 'the command ends with exit code 2, says which right it needs, and changes nothing',
  'told by the broker': 'is told so by the broker; with the right it works',
};

const rowOf = (of: RightOf): Outcome => ({
  given: `the ${of.role} without ${wordsOf(of.right)} (${of.right.why})`,
  outcome: OUTCOMES[consequenceOf(of)],
});

/** What each role is missing when one of its rights is. */
export const RIGHTS_OUTCOMES = outcomeTable('Rights', Object.fromEntries(ALL_RIGHTS.map((of) => [of.row, rowOf(of)])));
