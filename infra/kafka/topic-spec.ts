/** What a topic has to be. `config`: Kafka's own names and values; what is not named is the broker's choice. */
export type TopicSpec = {
  readonly name: string;
  readonly partitions: number;
  /** The broker's default unless given. */
  readonly replicationFactor?: number;
  readonly config: Readonly<Record<string, string>>;
};

/** A topic as the broker holds it. */
export type FoundTopic = {
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly config: Readonly<Record<string, string>>;
};

const NAME = /^[a-zA-Z0-9._-]{1,249}$/;

/** What is wrong with the specs themselves, a sentence each. */
export function specFaults(specs: readonly TopicSpec[]): string[] {
  const names = specs.map(({ name }) => name);
  return specs.flatMap(({ name, partitions, replicationFactor }, index) => [
    ...(NAME.test(name) && name !== '.' && name !== '..'
      ? []
      : [`${JSON.stringify(name)} cannot be the name of a topic`]),
    ...(names.indexOf(name) === index ? [] : [`topic ${name} is specified twice`]),
    ...(Number.isInteger(partitions) && partitions > 0 ? [] : [`topic ${name} cannot have ${partitions} partitions`]),
    ...(replicationFactor === undefined || (Number.isInteger(replicationFactor) && replicationFactor > 0)
      ? []
      : [`topic ${name} cannot have ${replicationFactor} replicas`]),
  ]);
}

/** Every difference between what a topic has to be and what it is, a sentence each. */
export function differences(spec: TopicSpec, found: FoundTopic | undefined): string[] {
  if (found === undefined) return [`topic ${spec.name} does not exist`];
  const { partitions, replicationFactor, config } = found;
  return [
    ...(partitions === spec.partitions
      ? []
      : [`topic ${spec.name} has ${partitions} partitions, not ${spec.partitions}`]),
    ...(spec.replicationFactor === undefined || replicationFactor === spec.replicationFactor
      ? []
      : [`topic ${spec.name} has ${replicationFactor} replicas, not ${spec.replicationFactor}`]),
    ...wrongSettings(spec, found).map(([name, value]) =>
      config[name] === undefined
        ? `topic ${spec.name} has no setting ${name}, wanted ${value}`
        : `topic ${spec.name} has ${name}=${config[name]}, not ${value}`,
    ),
  ];
}

/** The settings that a topic has otherwise than it has to, with the values wanted. */
export const wrongSettings = (spec: TopicSpec, { config }: FoundTopic): readonly (readonly [string, string])[] =>
  Object.entries(spec.config).filter(([name, value]) => config[name] !== value);
