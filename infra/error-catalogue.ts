/** Where in Holdfast an error comes from: a chapter of the runbook. */
export type ErrorArea =
  | 'configuration'
  | 'Kafka'
  | 'schema registry'
  | 'stream runtime'
  | 'state'
  | 'agents'
  | 'gateway'
  | 'command line'
  | 'local backend'
  | 'demo';

export type ErrorDefinition = {
  readonly area: ErrorArea;
  /** The class that carries the code; `HoldfastError` where the code is all there is to tell. */
  readonly class: string;
  /** Whether the same thing done again later can succeed; `by cause`: each error says it for itself. */
  readonly retryable: boolean | 'by cause';
  /** In one sentence. */
  readonly meaning: string;
};

/**
 * Every error code, once. A code that is not here does not compile where it is thrown; one that is here needs an entry in
 * `RUNBOOK.md` and a place that throws it. Codes are stable: operators and scripts rely on them.
 */
export const ERROR_CATALOGUE = {
  HOLDFAST_CONFIG_INVALID: {
    area: 'configuration',
    class: 'ConfigError',
    retryable: false,
    meaning: 'The configuration file, a variable or a flag cannot be used.',
  },

  HOLDFAST_CONFIG_FILE_UNUSABLE: {
    area: 'configuration',
    class: 'SettingFileError',
    retryable: false,
    meaning: 'A file that a setting names (a secret, a certificate) cannot be read or used.',
  },

  HOLDFAST_KAFKA_REFUSED: {
    area: 'Kafka',
    class: 'BrokerRefusedError',
    retryable: false,
    meaning: 'The broker refuses this client, or what it asks for, and will refuse it again.',
  },
  HOLDFAST_OAUTH_UNAVAILABLE: {
    area: 'Kafka',
    class: 'TokenUnavailableError',
    retryable: true,
    meaning: 'The token endpoint gives no answer that holds a token.',
  },
  HOLDFAST_OAUTH_REFUSED: {
    area: 'Kafka',
    class: 'TokenRefusedError',
    retryable: false,
    meaning: 'The token endpoint refuses to give this client a token.',
  },
  HOLDFAST_KAFKA_NOT_AUTHORIZED: {
    area: 'Kafka',
    class: 'NotAuthorizedError',
    retryable: false,
    meaning: 'The principal of a part or of a command lacks a right on the brokers.',
  },
  HOLDFAST_KAFKA_RECORD_TOO_LARGE: {
    area: 'Kafka',
    class: 'RecordTooLargeError',
    retryable: false,
    meaning: 'A record is larger than its topic takes.',
  },
  HOLDFAST_KAFKA_CORRUPT_BATCH: {
    area: 'Kafka',
    class: 'UnreadableBatchError',
    retryable: true,
    meaning: 'A record batch does not match its checksum.',
  },
  HOLDFAST_KAFKA_UNREADABLE_BATCH: {
    area: 'Kafka',
    class: 'UnreadableBatchError',
    retryable: false,
    meaning: 'The log holds a record batch in a format that is not read here.',
  },
  HOLDFAST_KAFKAJS_VERSION: {
    area: 'Kafka',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'The kafkajs that is installed is not the one whose corrections were tested.',
  },

  HOLDFAST_REGISTRY_UNREACHABLE: {
    area: 'schema registry',
    class: 'RegistryUnreachableError',
    retryable: true,
    meaning: 'The schema registry cannot be asked, or refuses to answer.',
  },
  HOLDFAST_REGISTRY_REFUSED: {
    area: 'schema registry',
    class: 'RegistryRefusedError',
    retryable: true,
    meaning: 'The schema registry does not let this client in, or not do what it asks for.',
  },
  HOLDFAST_REGISTRY_NOT_CONFIGURED: {
    area: 'schema registry',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'A command for the registry was not told where one is.',
  },
  HOLDFAST_REGISTRY_NOT_REGISTERED: {
    area: 'schema registry',
    class: 'SchemasNotRegisteredError',
    retryable: false,
    meaning: 'The registry lacks a schema that this version writes.',
  },
  HOLDFAST_REGISTRY_CONTRADICTS_ITSELF: {
    area: 'schema registry',
    class: 'RegistryContradictsItselfError',
    retryable: false,
    meaning: 'The registry gives another schema under an ID than the one that it says has this ID.',
  },
  HOLDFAST_REGISTRY_SCHEMA_REFUSED: {
    area: 'schema registry',
    class: 'SchemaRefusedError',
    retryable: false,
    meaning: 'The registry refuses a schema: it does not fit the versions before it.',
  },
  HOLDFAST_REGISTRY_UNENCODABLE: {
    area: 'schema registry',
    class: 'UnencodableError',
    retryable: false,
    meaning: 'A value does not fit the schema of its record: a fault of the program.',
  },

  HOLDFAST_STREAM_BROKER: {
    area: 'stream runtime',
    class: 'BrokerError',
    retryable: true,
    meaning: 'A call to the broker failed; whether it took effect is unknown.',
  },
  HOLDFAST_STREAM_FENCED: {
    area: 'stream runtime',
    class: 'FencedError',
    retryable: false,
    meaning: 'Another instance has taken the task group over.',
  },
  HOLDFAST_STREAM_REPEATEDLY_FENCED: {
    area: 'stream runtime',
    class: 'RepeatedlyFencedError',
    retryable: false,
    meaning: 'Fenced again without a rebalance that explains it: somebody else uses the same transactional ID.',
  },
  HOLDFAST_STREAM_MEMBERSHIP_LOST: {
    area: 'stream runtime',
    class: 'MembershipLostError',
    retryable: false,
    meaning: 'The membership of the consumer group ended and does not come back by itself.',
  },
  HOLDFAST_STREAM_TOPIC_MISSING: {
    area: 'stream runtime',
    class: 'TopicMissingError',
    retryable: false,
    meaning: 'The broker has no such topic or partition.',
  },
  HOLDFAST_STREAM_PARTITIONS_UNEQUAL: {
    area: 'stream runtime',
    class: 'PartitionsUnequalError',
    retryable: false,
    meaning: 'The topics do not have the numbers of partitions that belong together.',
  },
  HOLDFAST_STREAM_OFFSET_LOST: {
    area: 'stream runtime',
    class: 'OffsetLostError',
    retryable: false,
    meaning: 'Records that have not been read yet are gone from the log.',
  },
  HOLDFAST_STREAM_STATE_LOST: {
    area: 'stream runtime',
    class: 'StateLostError',
    retryable: false,
    meaning: 'The changelog is empty although decisions were written: it was deleted.',
  },
  HOLDFAST_STREAM_TASK_CORRUPTED: {
    area: 'stream runtime',
    class: 'TaskCorruptedError',
    retryable: false,
    meaning: 'The changelog holds what this version cannot read.',
  },
  HOLDFAST_STREAM_BASE_OFFSET: {
    area: 'stream runtime',
    class: 'BaseOffsetError',
    retryable: false,
    meaning: 'The broker gave an offset out twice: records that it acknowledged are missing.',
  },
  HOLDFAST_STREAM_PROCESSOR_FAULT: {
    area: 'stream runtime',
    class: 'ProcessorFaultError',
    retryable: false,
    meaning: 'The program failed on an input and would fail on it again.',
  },
  HOLDFAST_STREAM_TOPOLOGY_INVALID: {
    area: 'stream runtime',
    class: 'TopologyInvalidError',
    retryable: false,
    meaning: 'The topology, or its number of task groups, cannot run.',
  },

  HOLDFAST_STREAM_STORE_LOCKED: {
    area: 'state',
    class: 'StoreLockedError',
    retryable: true,
    meaning: 'Another process has the store open.',
  },
  HOLDFAST_STREAM_STORE_FAILED: {
    area: 'state',
    class: 'StoreFailedError',
    retryable: true,
    meaning: 'The store on disk cannot be used or trusted any more.',
  },
  HOLDFAST_INSTANCE_RUNNING: {
    area: 'state',
    class: 'InstanceRunningError',
    retryable: false,
    meaning: 'Another process runs with this state directory.',
  },

  HOLDFAST_AGENT_UNREACHABLE: {
    area: 'agents',
    class: 'AgentUnreachableError',
    retryable: 'by cause',
    meaning: 'Where an agent is cannot be told: its card cannot be had, or names no interface that is spoken here.',
  },
  HOLDFAST_EGRESS_REFUSED: {
    area: 'agents',
    class: 'EgressRefusedError',
    retryable: false,
    meaning: 'A card or a redirect leads to an address that is less public than itself, or that no agent has.',
  },

  HOLDFAST_GATEWAY_WRITE_AHEAD: {
    area: 'gateway',
    class: 'WriteAheadError',
    retryable: true,
    meaning: 'What was observed could not be written down, so it was not passed on.',
  },

  HOLDFAST_CLI_USAGE: {
    area: 'command line',
    class: 'UsageError',
    retryable: false,
    meaning: 'The command line itself is wrong.',
  },
  HOLDFAST_CLI_UNEXPECTED: {
    area: 'command line',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'The command failed in a way that nobody foresaw: a fault of the program.',
  },
  HOLDFAST_AGENT_UNKNOWN: {
    area: 'command line',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'No agent on record is called so.',
  },
  HOLDFAST_UNIT_UNKNOWN: {
    area: 'command line',
    class: 'UnitNotFoundError',
    retryable: false,
    meaning: 'No unit of work and no server task is called so.',
  },
  HOLDFAST_UNIT_AMBIGUOUS: {
    area: 'command line',
    class: 'UnitNotFoundError',
    retryable: false,
    meaning: 'More than one unit of work is called so.',
  },
  HOLDFAST_DEAD_LETTER_UNKNOWN: {
    area: 'command line',
    class: 'DeadLetterUnknownError',
    retryable: false,
    meaning: 'No dead letter lies at a place, and none is of a record there.',
  },
  HOLDFAST_VERDICT_MISSING: {
    area: 'command line',
    class: 'HoldfastError',
    retryable: true,
    meaning: 'The word of an operator is written, but the ledger has not answered.',
  },
  HOLDFAST_STORY_INVALID: {
    area: 'command line',
    class: 'StoryError',
    retryable: false,
    meaning: 'A file is no story that can be run.',
  },

  HOLDFAST_BACKEND_HALF_CONFIGURED: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'Only one of broker and registry is named.',
  },
  HOLDFAST_BACKEND_JAVA_MISSING: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'There is no Java that can run Kafka.',
  },
  HOLDFAST_BACKEND_MAVEN_MISSING: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'There is no Maven to fetch Kafka and the registry with.',
  },
  HOLDFAST_BACKEND_FETCH_FAILED: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: true,
    meaning: 'Kafka or the registry could not be fetched or unpacked.',
  },
  HOLDFAST_BACKEND_NO_PORT: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: true,
    meaning: 'There are not enough free ports.',
  },
  HOLDFAST_BACKEND_START_FAILED: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: true,
    meaning: 'A process of the local backend ended or did not answer.',
  },
  HOLDFAST_BACKEND_STUCK: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: true,
    meaning: 'A process of the local backend does not end.',
  },
  HOLDFAST_CHECKOUT_MISSING: {
    area: 'local backend',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'The installation is incomplete: there is no package.json above the code.',
  },

  HOLDFAST_DEMO_MESH_NOT_READY: {
    area: 'demo',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'Holdfast did not come up in the demo.',
  },
  HOLDFAST_DEMO_PROCESS_ENDED: {
    area: 'demo',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'A process of the demo ended too early.',
  },
  HOLDFAST_DEMO_LINE_MISSING: {
    area: 'demo',
    class: 'HoldfastError',
    retryable: false,
    meaning: 'A process of the demo did not print what was expected.',
  },
} as const satisfies Readonly<Record<`HOLDFAST_${string}`, ErrorDefinition>>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** What the catalogue says of a code's `retryable`, as a type. */
export type RetryableOf<Code extends ErrorCode> = (typeof ERROR_CATALOGUE)[Code]['retryable'] extends infer Said
  ? Said extends boolean
    ? Said
    : boolean
  : never;
