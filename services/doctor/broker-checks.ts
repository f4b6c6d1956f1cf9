import { HoldfastError } from '../../infra/errors.js';
import { missingApis, releaseOf } from '../../infra/kafka/broker-apis.js';
import type { ClusterSurvey, ClusterSurveyor } from '../../infra/kafka/cluster-survey.js';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { TASK_EVENTS, TOPICS } from '../../topology/topics.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

/** Whether the brokers answer, under every address that they give out, and know what is asked of them. */
export const brokerFound = async (around: Surroundings): Promise<Found> => {
  const { config } = await around.config();
  const addresses = config.kafka.brokers.join(', ');
  let cluster: ClusterSurvey;
  try {
    cluster = await around.cluster();
  } catch (error) {
    return unreachable(addresses, error, config);
  }
  const missing = missingApis(cluster.apis);
  if (missing.length > 0)
    return {
      status: 'failure',
      said: `${addresses}: ${releaseOf(cluster.apis)}, too old or too new`,
      details: [`no version in common of: ${missing.join(', ')}`],
      ways: ['run Kafka 2.4 or later, of a release that this version was tested with (4.x)'],
    };
  const lost = await unreachableNodes(await around.surveyor(), cluster);
  if (lost.length > 0)
    return {
      status: 'failure',
      said: `${addresses} gives out addresses that cannot be reached from here`,
      details: lost,
      ways: ['set advertised.listeners of these brokers to addresses that this machine can connect to'],
    };
  const count = cluster.nodes.length === 1 ? 'a broker' : `${cluster.nodes.length} brokers`;
  return ok(
    `${addresses}: ${count}, ${releaseOf(cluster.apis)}, cluster ${cluster.clusterId}, ${securityOf(config.kafka)}`,
  );
};

const securityOf = ({ tls, sasl }: HoldfastConfig['kafka']): string => {
  const how = [
    ...(tls === undefined || tls === false ? [] : ['TLS']),
    ...(sasl === undefined ? [] : [`SASL ${sasl.mechanism}`]),
  ];
  return how.length === 0 ? 'neither TLS nor SASL' : how.join(' and ');
};

const unreachable = (addresses: string, error: unknown, { kafka }: HoldfastConfig): Found => {
  if (!(error instanceof HoldfastError)) throw error;
  return {
    status: 'failure',
    said: error.retryable ? `${addresses} gives no answer` : `${addresses} refuses this client`,
    details: [error.message],
    ways: [
      ...(error.retryable
        ? (['start the broker, or name another: --brokers, HOLDFAST_KAFKA_BROKERS, kafka.brokers'] as const)
        : (['check as whom and by what protocol it is asked: the security settings below "kafka"'] as const)),
      ...(isLocal(kafka.brokers) ? ['"holdfast backend up" starts a local broker and registry'] : []),
    ],
  };
};

const isLocal = (brokers: readonly string[]): boolean =>
  brokers.every((broker) => /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?):/.test(broker));

const unreachableNodes = async (surveyor: ClusterSurveyor, { nodes }: ClusterSurvey): Promise<readonly string[]> => {
  const lost: string[] = [];
  // One after the other: they share a client, and a cluster has few.
  for (const node of nodes)
    try {
      await surveyor.reach(node);
    } catch (error) {
      lost.push(
        `broker ${node.nodeId} at ${node.host}:${node.port}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  return lost;
};

/** Whether the topics lie under the prefix that is configured, or under another one. */
export const prefixFound = async (around: Surroundings): Promise<Found> => {
  const { topicPrefix } = (await around.config()).config.kafka;
  const { visible } = await around.cluster();
  const named = topicPrefix === '' ? 'no prefix' : `"${topicPrefix}"`;
  if (TOPICS.some(({ name }) => visible.includes(`${topicPrefix}${name}`))) return ok(named);
  const others = visible
    .filter((name) => name.endsWith(TASK_EVENTS.name))
    .map((name) => name.slice(0, -TASK_EVENTS.name.length))
    .filter((prefix) => prefix !== topicPrefix);
  if (others.length === 0) return ok(`${named}; no topics yet`);
  return {
    status: 'warning',
    said: `there are no topics with ${named}, but some with other prefixes`,
    details: others.map((prefix) => (prefix === '' ? 'no prefix' : `"${prefix}"`)),
    ways: [
      `if one of these is meant, name it: --topic-prefix, HOLDFAST_KAFKA_TOPIC_PREFIX, kafka.topicPrefix`,
      'else "holdfast topics create" makes new ones',
    ],
  };
};
