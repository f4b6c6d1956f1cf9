/**
 * Requests that kafkajs 2.2.4 does not know in the versions that answer what a survey asks: what one may do with topics
 * and groups (KIP-430). None of them changes anything on the broker.
 */
import type { Broker, EncodedRequest, Protocol } from './kafkajs-internals.js';
import { ResponseReader } from './response-reader.js';

/** What one may do with a thing, in the words of Kafka's ACLs. */
export const OPERATIONS = [
  'Read',
  'Write',
  'Create',
  'Delete',
  'Alter',
  'Describe',
  'ClusterAction',
  'DescribeConfigs',
  'AlterConfigs',
  'IdempotentWrite',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export type SurveyedNode = { readonly nodeId: number; readonly host: string; readonly port: number };

/** Kafka's error codes that say something to a survey; another one says that nothing is known yet. */
export const CODE = {
  none: 0,
  noSuchTopic: 3,
  coordinatorNotAvailable: 15,
  topicRefused: 29,
  groupRefused: 30,
  transactionalIdRefused: 53,
} as const;

export type SurveyedTopic = {
  readonly name: string;
  readonly errorCode: number;
  readonly partitions: number;
  readonly leaderless: readonly number[];
  readonly underReplicated: readonly number[];
  readonly operations: readonly Operation[];
};

export type ClusterAnswer = {
  readonly clusterId: string;
  readonly nodes: readonly SurveyedNode[];
  readonly topics: readonly SurveyedTopic[];
};

export type SurveyedMember = {
  readonly clientId: string;
  readonly clientHost: string;
  readonly assignment: Buffer;
};

export type SurveyedGroup = {
  readonly groupId: string;
  readonly errorCode: number;
  readonly state: string;
  readonly members: readonly SurveyedMember[];
  readonly operations: readonly Operation[];
};

/** Where the coordinator of a group or transactional ID is. */
export type CoordinatorAnswer = { readonly nodeId: number; readonly errorCode: number };

const METADATA = { key: 3, version: 8, name: 'Metadata' };
const FIND_COORDINATOR = { key: 10, version: 1, name: 'FindCoordinator' };
const DESCRIBE_GROUPS = { key: 15, version: 4, name: 'DescribeGroups' };

/** The cluster and these topics; `undefined`: all that one may see. */
export const askCluster = (broker: Broker, topics: readonly string[] | undefined): Promise<ClusterAnswer> =>
  send(
    broker,
    METADATA,
    [topics === undefined ? int32(-1) : array(topics.map(string)), bool(false), bool(false), bool(true)],
    (reader) => {
      reader.int32(); // throttle time
      const nodes = reader.array(() => {
        const node = { nodeId: reader.int32(), host: reader.string(), port: reader.int32() };
        reader.string(); // rack
        return node;
      });
      const clusterId = reader.string();
      reader.int32(); // controller
      return { clusterId, nodes, topics: reader.array(() => topicOf(reader)) };
    },
  );

const topicOf = (reader: ResponseReader): SurveyedTopic => {
  const errorCode = reader.int16();
  const name = reader.string();
  reader.int8(); // whether it is internal
  const partitions = reader.array(() => {
    reader.int16(); // error: leader -1 says the same
    const partition = reader.int32();
    const leader = reader.int32();
    reader.int32(); // leader epoch
    const [replicas, inSync] = [reader.array(() => reader.int32()), reader.array(() => reader.int32())];
    reader.array(() => reader.int32()); // offline replicas
    return { partition, leader, short: inSync.length < replicas.length };
  });
  return {
    name,
    errorCode,
    partitions: partitions.length,
    leaderless: partitions.filter(({ leader }) => leader < 0).map(({ partition }) => partition),
    underReplicated: partitions.filter(({ short }) => short).map(({ partition }) => partition),
    operations: operationsOf(reader.int32()),
  };
};

/** Of a consumer group, or of a transactional ID: who may not describe it is refused. */
export const askCoordinator = (
  broker: Broker,
  name: string,
  kind: 'group' | 'transactional-id',
): Promise<CoordinatorAnswer> =>
  send(broker, FIND_COORDINATOR, [string(name), int8(kind === 'group' ? 0 : 1)], (reader) => {
    reader.int32(); // throttle time
    const errorCode = reader.int16();
    reader.string(); // the same in words
    return { nodeId: reader.int32(), errorCode };
  });

/** Asked of the group's coordinator. A group that does not exist is in state `Dead`. */
export const askGroup = async (coordinator: Broker, groupId: string): Promise<SurveyedGroup> =>
  send(coordinator, DESCRIBE_GROUPS, [array([string(groupId)]), bool(true)], (reader) => {
    reader.int32(); // throttle time
    const [group] = reader.array(() => {
      const errorCode = reader.int16();
      const id = reader.string();
      const state = reader.string();
      reader.string(); // protocol type
      reader.string(); // protocol
      const members = reader.array(() => memberOf(reader));
      const operations = operationsOf(reader.int32());
      return { groupId: id, errorCode, state, members, operations };
    });
    return group ?? { groupId, errorCode: CODE.none, state: 'Dead', members: [], operations: [] };
  });

const memberOf = (reader: ResponseReader): SurveyedMember => {
  reader.string(); // member ID
  reader.string(); // group instance ID
  const member = { clientId: reader.string(), clientHost: reader.string() };
  reader.bytes(); // what it said when it joined
  return { ...member, assignment: reader.bytes() };
};

/** A bit an operation, Read being the third; a broker that was not asked says the least number. */
const operationsOf = (bits: number): readonly Operation[] =>
  bits < 0 ? [] : OPERATIONS.filter((_, index) => (bits & (1 << (index + 3))) !== 0);

const send = <Decoded>(
  broker: Broker,
  { key, version, name }: { readonly key: number; readonly version: number; readonly name: string },
  body: readonly Buffer[],
  decode: (reader: ResponseReader) => Decoded,
): Promise<Decoded> => {
  const protocol: Protocol<Decoded> = {
    request: { apiKey: key, apiVersion: version, apiName: name, encode: () => Promise.resolve(encoded(body)) },
    response: {
      decode: (payload) => Promise.resolve(decode(new ResponseReader(payload))),
      parse: (decoded) => Promise.resolve(decoded),
    },
  };
  return broker.connectionPool.send(protocol);
};

const encoded = (pieces: readonly Buffer[]): EncodedRequest => {
  const buf = Buffer.concat(pieces);
  return { buf, buffer: buf, offset: buf.length, size: () => buf.length };
};

const int8 = (value: number): Buffer => Buffer.from([value]);
const bool = (value: boolean): Buffer => int8(value ? 1 : 0);

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const string = (value: string): Buffer => {
  const text = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeInt16BE(text.length);
  return Buffer.concat([length, text]);
};

const array = (items: readonly Buffer[]): Buffer => Buffer.concat([int32(items.length), ...items]);
