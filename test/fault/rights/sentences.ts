import type { Right, RightsRole } from '../../../services/rights/rights.js';
import { TOPICS } from '../../../topology/topics.js';
import { PARTITIONS } from './guarded-mesh.js';

/**
 * What a role may say that lacks this right alone: refused is the operation itself, or that it may know of the thing,
 * which Kafka grants along with reading and writing.
 */
export const sentencesOn = (role: RightsRole, right: Right): readonly string[] => {
  const own = namesOf(right).flatMap((name) =>
    [right.operation, 'Describe'].map((refused) => `${refused} ${right.resource} ${name}`),
  );
  // Whoever may write no topic at all is refused the ID of a producer.
  const isWrite = right.operation === 'Write' && right.resource === 'Topic';
  return [...own, ...(isWrite ? ['IdempotentWrite Cluster kafka-cluster'] : [])].map(
    (refused) =>
      `the ${role} may not ${refused}: ` +
      `grant its principal ${right.operation} on ${right.resource} ${right.name}; ` +
      `"holdfast rights list --role ${role}" has all that it needs`,
  );
};

/** Refused is one of the things that a prefix stands for, or all of them. */
const namesOf = ({ name, pattern, resource }: Right): readonly string[] => {
  if (pattern === 'Literal') return [name];
  if (resource !== 'Topic') return Array.from({ length: PARTITIONS }, (_, group) => `${name}${group}`);
  const prefix = name.slice(0, name.lastIndexOf('a2a.'));
  const topics = TOPICS.map((topic) => `${prefix}${topic.name}`);
  return [...topics.slice(0, 1), topics.toSorted().join(', ')];
};
