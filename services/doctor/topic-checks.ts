import {
  differences,
  specFaults,
  wrongSettings,
  type FoundTopic,
  type TopicSpec,
} from '../../infra/kafka/topic-spec.js';
import { TOPICS } from '../../topology/topics.js';
import { topicSpecs } from '../topic-specs.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

/** Whether every topic is there, with the configuration that it has to have, and led. */
export const topicsFound = async (around: Surroundings): Promise<Found> => {
  const { config } = await around.config();
  const specs = topicSpecs(config);
  const faults = specFaults(specs);
  if (faults.length > 0)
    return {
      status: 'failure',
      said: 'no such topics can be',
      details: faults,
      ways: ['correct kafka.topicPrefix, kafka.partitions, kafka.replicationFactor'],
    };
  const found = await (await around.admin()).findTopics(specs.map(({ name }) => name));
  const wrong = specs.flatMap((spec) => differences(spec, found.get(spec.name)));
  const surveyed = [...(await around.cluster()).topics.values()];
  const leaderless = surveyed
    .filter(({ leaderless }) => leaderless.length > 0)
    .map(({ name, leaderless }) => `topic ${name} has no leader for partitions ${leaderless.join(', ')}`);
  const [way, ...more] = [
    ...waysOf(specs, found, config.kafka.brokers[0] ?? ''),
    ...(leaderless.length > 0 ? ['start the brokers that hold these partitions'] : []),
  ];
  if (way !== undefined)
    return {
      status: 'failure',
      said: found.size === 0 ? 'there are none' : 'not as they should be',
      details: found.size === 0 ? [] : [...wrong, ...leaderless],
      ways: [way, ...more],
    };
  const behind = surveyed.filter(({ underReplicated }) => underReplicated.length > 0);
  if (behind.length > 0)
    return {
      status: 'warning',
      said: `replicas of ${behind.length} topics lag behind`,
      details: behind.map(({ name, underReplicated }) => `${name}: partitions ${underReplicated.join(', ')}`),
      ways: ['start the brokers that hold these replicas'],
    };
  return ok(`${specs.length} as they should be`);
};

const waysOf = (
  specs: readonly TopicSpec[],
  found: ReadonlyMap<string, FoundTopic>,
  broker: string,
): readonly string[] => {
  const there = specs.flatMap((spec) => {
    const topic = found.get(spec.name);
    return topic === undefined ? [] : [{ spec, topic }];
  });
  const otherwise = there.filter(({ spec, topic }) => topic.partitions !== spec.partitions);
  const replicas = there.filter(({ spec, topic }) => topic.replicationFactor !== spec.replicationFactor);
  return [
    ...(there.length < specs.length ? ['holdfast topics create'] : []),
    ...there.flatMap(({ spec, topic }) => {
      const settings = wrongSettings(spec, topic).map((setting) => setting.join('='));
      return settings.length === 0
        ? []
        : [
            `kafka-configs.sh --bootstrap-server ${broker} --alter --entity-type topics --entity-name ${spec.name} --add-config ${settings.join(',')}`,
          ];
    }),
    ...(otherwise.length === 0
      ? []
      : [
          'if the number of partitions is right as it is, set kafka.partitions to it; else delete these topics and create them anew: keys would not stay where they are',
        ]),
    ...(replicas.length === 0
      ? []
      : ['set kafka.replicationFactor to what is there, or move the replicas: kafka-reassign-partitions.sh']),
  ];
};

/** Whether the topics between which records keep their partition number have equally many. */
export const partitionsFound = async (around: Surroundings): Promise<Found> => {
  const { config } = await around.config();
  const { topicPrefix } = config.kafka;
  const { topics } = await around.cluster();
  const counts = TOPICS.filter(({ partitioning }) => partitioning !== 'single').flatMap(({ name }) => {
    const topic = topics.get(`${topicPrefix}${name}`);
    return topic === undefined ? [] : [{ name: topic.name, partitions: topic.partitions }];
  });
  const distinct = new Set(counts.map(({ partitions }) => partitions));
  const [most = 0] = [...distinct].toSorted((a, b) => b - a);
  if (distinct.size > 1)
    return {
      status: 'failure',
      said: 'topics that have to have equally many have not',
      details: counts.map(({ name, partitions }) => `${name}: ${partitions}`),
      ways: [
        `stop every service, delete these topics and run "holdfast topics create"; or, while they are empty, add partitions up to ${most}: kafka-topics.sh --alter --partitions ${most}`,
      ],
    };
  if (most > 0 && config.kafka.groups > most)
    return {
      status: 'warning',
      said: `${most} each; more task groups (${config.kafka.groups}) than partitions`,
      ways: [`set kafka.groups to at most ${most}`],
    };
  return ok(most === 0 ? 'there are no topics yet' : `${most} each, shared by ${config.kafka.groups} task groups`);
};
