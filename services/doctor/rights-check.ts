import type { ClusterSurvey, GroupSurvey } from '../../infra/kafka/cluster-survey.js';
import { CODE } from '../../infra/kafka/survey-protocol.js';
import { rightsOf, type Right, type RightsRole } from '../rights/rights.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

/** The parts that run; commands need no more than these have. */
const ROLES: readonly RightsRole[] = ['ledger', 'verifier', 'dispatcher', 'gateway'];

/**
 * Whether the principal that asks may do what each part of Holdfast does, as far as brokers say without anything being
 * done: of topics and groups they say everything, of transactional IDs only whether one may see them.
 */
export const rightsFound = async (around: Surroundings): Promise<Found> => {
  const { topicPrefix } = (await around.config()).config.kafka;
  const cluster = await around.cluster();
  const surveyor = await around.surveyor();
  const groups = new Map<string, GroupSurvey>();
  const lacking: { readonly role: RightsRole; readonly rights: readonly Right[] }[] = [];
  for (const role of ROLES) {
    const lacks: Right[] = [];
    for (const right of rightsOf(role, { topicPrefix })) {
      if (right.resource === 'Group' && !groups.has(right.name))
        groups.set(right.name, await surveyor.group(right.name));
      const granted =
        right.resource === 'TransactionalId'
          ? await surveyor.mayDescribe(`${right.name}0`)
          : right.resource === 'Group'
            ? groupGrants(groups.get(right.name), right)
            : topicGrants(cluster, right);
      if (!granted) lacks.push(right);
    }
    if (lacks.length > 0) lacking.push({ role, rights: lacks });
  }
  if (lacking.length === 0) return ok(`enough for ${ROLES.join(', ')}`);
  return {
    status: lacking.length === ROLES.length ? 'failure' : 'warning',
    said: `not enough for ${lacking.map(({ role }) => role).join(', ')}`,
    details: lacking.flatMap(({ role, rights }) =>
      rights.map(({ operation, resource, name }) => `${role}: ${operation} on ${resource} ${name}`),
    ),
    ways: [
      `holdfast rights list --role ${lacking[0]?.role ?? 'ledger'} --format kafka-acls`,
      ...(lacking.length === ROLES.length ? [] : ['nothing, where these parts run as other principals']),
    ],
  };
};

/** Of a topic that is not there nothing is told: the check of the topics says so. */
const topicGrants = ({ topics }: ClusterSurvey, { name, operation }: Right): boolean => {
  const topic = topics.get(name);
  if (topic === undefined) return true;
  return topic.errorCode !== CODE.topicRefused && topic.operations.some((one) => one === operation);
};

const groupGrants = (group: GroupSurvey | undefined, { operation }: Right): boolean =>
  group?.kind === 'group' && group.operations.some((one) => one === operation);
