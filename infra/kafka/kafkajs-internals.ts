/**
 * The part of kafkajs 2.2.4's inside that this folder uses, typed as narrowly as it is used. `corrected-kafkajs.ts`
 * loads it, and only for exactly that version.
 */
import type {
  AuthenticationProviderArgs,
  Authenticator,
  ISocketFactory,
  LogEntry,
  Mechanism,
  Producer,
  RetryOptions,
  SASLOptions,
  logLevel,
} from 'kafkajs';

/** A request as kafkajs sends it; `encode` returns something its own encoder can take over. */
export type EncodedRequest = {
  readonly buf: Buffer;
  readonly buffer: Buffer;
  readonly offset: number;
  readonly size: () => number;
};

export type ProtocolRequest = {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly apiName: string;
  readonly expectResponse?: () => boolean;
  readonly encode: () => Promise<EncodedRequest>;
};

export type ProtocolResponse<Decoded> = {
  readonly decode: (payload: Buffer) => Promise<Decoded>;
  readonly parse: (decoded: Decoded) => Promise<Decoded>;
};

export type Protocol<Decoded> = {
  readonly request: ProtocolRequest;
  readonly response: ProtocolResponse<Decoded>;
  readonly requestTimeout?: number;
};

export type RequestDefinition<Arguments, Decoded = unknown> = {
  readonly versions: readonly string[];
  readonly protocol: (options: { version: number }) => (options: Arguments) => Protocol<Decoded>;
};

export type FetchArguments = {
  readonly isolationLevel: number;
  readonly maxWaitTime: number;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly rackId: string;
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly {
      readonly partition: number;
      readonly fetchOffset: string;
      readonly maxBytes: number;
    }[];
  }[];
};

/** A message as our own producers hand it to kafkajs. */
export type PlacedMessage = {
  readonly partition: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
};

export type ProduceArguments = {
  readonly acks: number;
  readonly timeout: number;
  readonly compression?: number;
  readonly transactionalId?: string | null;
  readonly producerId?: string | number | { readonly toString: () => string };
  readonly producerEpoch?: number;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly {
      readonly partition: number;
      readonly firstSequence?: number;
      readonly messages: readonly PlacedMessage[];
    }[];
  }[];
};

/** The mutable table in which kafkajs looks up each request when it is sent. */
export type RequestTable = {
  Produce: RequestDefinition<ProduceArguments>;
  readonly Fetch: RequestDefinition<FetchArguments>;
};

export type ApiVersions = Readonly<
  Record<number, { readonly minVersion: number; readonly maxVersion: number } | undefined>
>;

type ProducerIdentity = {
  readonly transactionalId: string;
  readonly producerId: unknown;
  readonly producerEpoch: number;
};

/** What a transaction asks of its coordinators. */
export type CoordinatorCalls = {
  initProducerId(request: { transactionalId?: string; transactionTimeout: number }): Promise<unknown>;
  addPartitionsToTxn(
    request: ProducerIdentity & { readonly topics: readonly { topic: string; partitions: readonly number[] }[] },
  ): Promise<unknown>;
  addOffsetsToTxn(request: ProducerIdentity & { readonly groupId: string }): Promise<unknown>;
  txnOffsetCommit(request: ProducerIdentity & { readonly groupId: string; readonly topics: unknown }): Promise<unknown>;
  endTxn(request: ProducerIdentity & { readonly transactionResult: boolean }): Promise<unknown>;
};

/** What a member asks of its group's coordinator. */
export type GroupCoordinator = {
  joinGroup(request: {
    readonly groupId: string;
    readonly memberId: string;
    readonly sessionTimeout: number;
    readonly rebalanceTimeout: number;
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[];
  }): Promise<{
    readonly generationId: number;
    readonly leaderId: string;
    readonly memberId: string;
    readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    readonly groupId: string;
    readonly generationId: number;
    readonly memberId: string;
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  }): Promise<{ readonly memberAssignment: Buffer }>;
  heartbeat(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
  }): Promise<unknown>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
};

export type Broker = CoordinatorCalls &
  GroupCoordinator & {
    readonly nodeId: number;
    /** Known once it is connected. */
    readonly versions: ApiVersions;
    readonly connectionPool: { send<Decoded>(request: Protocol<Decoded>): Promise<Decoded> };
    isConnected(): boolean;
    disconnect(): Promise<void>;
    listOffsets(request: {
      readonly replicaId: number;
      readonly isolationLevel: number;
      readonly topics: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[];
      }[];
    }): Promise<{
      readonly responses: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
      }[];
    }>;
  };

export type Cluster = {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  isConnected(): boolean;
  targetTopics: Set<string>;
  /** `seedBroker`: the one that answered, once `connect` has resolved. */
  readonly brokerPool: { readonly seedBroker: Broker };
  refreshMetadata(): Promise<void>;
  refreshMetadataIfNecessary(): Promise<void>;
  findBroker(options: { readonly nodeId: string }): Promise<Broker>;
  findTopicPartitionMetadata(topic: string): readonly {
    readonly partitionId: number;
    readonly leader: number;
    readonly replicas: readonly number[];
  }[];
  findGroupCoordinator(options: FindCoordinator): Promise<Broker>;
};

export type FindCoordinator = { readonly groupId: string; readonly coordinatorType?: number };

type RootLogger = object;

export type ClusterOptions = {
  readonly logger: RootLogger;
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly ssl: boolean;
  readonly sasl: SASLOptions | Mechanism | undefined;
  readonly socketFactory: ISocketFactory;
  readonly connectionTimeout: number;
  readonly authenticationTimeout: number;
  readonly requestTimeout: number;
  readonly enforceRequestTimeout: boolean;
  readonly metadataMaxAge: number;
  readonly allowAutoTopicCreation: boolean;
  readonly maxInFlightRequests: number | null;
  readonly isolationLevel: number;
  readonly retry: RetryOptions;
};

export type ProducerOptions = {
  readonly cluster: Cluster;
  readonly logger: RootLogger;
  readonly retry: RetryOptions;
  readonly idempotent: boolean;
  readonly transactionalId?: string;
  readonly transactionTimeout?: number;
  readonly createPartitioner: () => (options: { readonly message: { readonly partition: number } }) => number;
};

type PasswordAuthenticator = (credentials: {
  readonly username: string;
  readonly password: string;
}) => (exchange: AuthenticationProviderArgs) => Authenticator;

/** By mechanism. */
export type PasswordAuthenticators = Readonly<
  Record<'plain' | 'scram-sha-256' | 'scram-sha-512', PasswordAuthenticator>
>;

export type Internals = {
  readonly Cluster: new (options: ClusterOptions) => Cluster;
  readonly createProducer: (options: ProducerOptions) => Producer;
  readonly createLogger: (options: { level: logLevel; logCreator: () => (entry: LogEntry) => void }) => RootLogger;
  readonly requests: RequestTable;
  readonly passwordAuthenticators: PasswordAuthenticators;
};
