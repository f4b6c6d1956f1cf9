import { groupedBy } from '../../infra/kafka/grouped.js';
import { NotAuthorizedError } from '../../infra/kafka/kafka-errors.js';
import { rightsOf, type Right, type RightsNaming, type RightsRole } from './rights.js';

type Refusal = NotAuthorizedError['refusals'][number];

/**
 * The error as it is, unless a missing right is behind it: then which one, in the words of `holdfast rights list`, for
 * whoever ends with it to print.
 */
export const explained = (error: unknown, role: RightsRole, naming: RightsNaming): unknown => {
  for (let at = error, depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if (at instanceof NotAuthorizedError) {
      const { refusals } = at;
      return new NotAuthorizedError(missingText(role, refusals, rightsOf(role, naming)), refusals, error);
    }
    at = at.cause;
  }
  return error;
};

/** Does the work; what is refused for want of a right is told as `explained`. */
export const asRole = async <Result>(
  role: RightsRole,
  naming: RightsNaming,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw explained(error, role, naming);
  }
};

const missingText = (role: RightsRole, refusals: readonly Refusal[], rights: readonly Right[]): string => {
  const needed = refusals.flatMap((refusal) => grants(rights, refusal));
  return (
    `the ${role} may not ${listed(refusals, ' ')}: grant its principal ${listed(needed, ' on ')}; ` +
    `"holdfast rights list --role ${role}" has all that it needs`
  );
};

/** `Describe Topic a, b, Read Group c` */
const listed = (all: readonly Refusal[], joint: string): string =>
  [...groupedBy(all, ({ operation, resource }) => `${operation}${joint}${resource}`)]
    .map(([words, of]) => `${words} ${[...new Set(of.map(({ name }) => name))].toSorted().join(', ')}`)
    .join(', ');

/** The listed rights that the refused operation follows from; where none does, that operation itself. */
const grants = (rights: readonly Right[], refusal: Refusal): readonly Refusal[] => {
  const found = rights.filter((right) => covers(right, refusal));
  return found.length > 0 ? found : [refusal];
};

const covers = (right: Right, { operation, resource, name }: Refusal): boolean => {
  // Whoever may write any topic may be an idempotent producer.
  if (operation === 'IdempotentWrite') return right.resource === 'Topic' && right.operation === 'Write';
  const isNamed = right.pattern === 'Literal' ? right.name === name : name.startsWith(right.name);
  return right.resource === resource && isNamed && implied(right.operation).includes(operation);
};

/** What Kafka's authorizer takes as granted with an operation. */
const implied = (operation: Right['operation']): readonly string[] =>
  operation === 'Read' || operation === 'Write' ? [operation, 'Describe'] : [operation];
