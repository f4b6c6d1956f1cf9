import { corrected } from './corrected-kafkajs.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import { translate } from './kafka-errors.js';
import type { ApiVersions, Broker, Cluster } from './kafkajs-internals.js';
import { createCluster } from './open-cluster.js';
import { repeated } from './retrying.js';
import { BrokerError } from '../streams/errors.js';
import {
  askCluster,
  askCoordinator,
  askGroup,
  CODE,
  type Operation,
  type SurveyedMember,
  type SurveyedNode,
  type SurveyedTopic,
} from './survey-protocol.js';

/** One who looks does not wait long for a broker that does not answer. */
const IMPATIENT_RETRY = { initialRetryTime: 50, maxRetryTime: 200, factor: 0.2, multiplier: 2, retries: 1 };
const COORDINATOR_PATIENCE_MS = 10_000;

export type ClusterSurvey = {
  readonly clusterId: string;
  readonly nodes: readonly SurveyedNode[];
  /** What the brokers say of the topics that were named; absent ones are unknown to them. */
  readonly topics: ReadonlyMap<string, SurveyedTopic>;
  /** Names of all topics that one may see. */
  readonly visible: readonly string[];
  readonly apis: ApiVersions;
};

export type GroupMemberSurvey = {
  readonly clientId: string;
  readonly clientHost: string;
  /** By topic. */
  readonly partitions: ReadonlyMap<string, readonly number[]>;
};

/** A consumer group as its coordinator has it. `Dead`: it does not exist. */
export type GroupSurvey =
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'group';
      readonly state: string;
      readonly members: readonly GroupMemberSurvey[];
      readonly operations: readonly Operation[];
    };

/** Looks at a cluster without changing anything. Every method throws BrokerError or BrokerRefusedError. */
export class ClusterSurveyor {
  readonly #cluster: Cluster;

  constructor(connection: KafkaConnection, logger: KafkaLogger) {
    this.#cluster = createCluster(connection, logger, { retry: IMPATIENT_RETRY }).cluster;
  }

  async survey(topics: readonly string[]): Promise<ClusterSurvey> {
    return this.#doing('asking the brokers', async () => {
      const broker = await this.#connected();
      const named = await askCluster(broker, topics);
      const all = await askCluster(broker, undefined);
      return {
        clusterId: named.clusterId,
        nodes: named.nodes,
        topics: new Map(
          named.topics.filter(({ errorCode }) => errorCode !== CODE.noSuchTopic).map((topic) => [topic.name, topic]),
        ),
        visible: all.topics.map(({ name }) => name).toSorted(),
        apis: broker.versions,
      };
    });
  }

  /** Connects to a broker under the address that the cluster gives out. */
  async reach({ nodeId, host, port }: SurveyedNode): Promise<void> {
    await this.#doing(`connecting to ${host}:${port}`, async () => {
      await this.#connected();
      await this.#cluster.refreshMetadata();
      await this.#cluster.findBroker({ nodeId: String(nodeId) });
    });
  }

  async group(groupId: string): Promise<GroupSurvey> {
    return this.#doing(`asking for group ${groupId}`, async () => {
      const answer = await patiently(async () => {
        const nodeId = await this.#coordinatorOf(groupId, 'group');
        if (nodeId === undefined) return undefined;
        await this.#cluster.refreshMetadata();
        const group = await askGroup(await this.#cluster.findBroker({ nodeId: String(nodeId) }), groupId);
        if (group.errorCode === CODE.none) return group;
        if (group.errorCode === CODE.groupRefused) return undefined;
        throw new BrokerError(`the coordinator does not know it yet (error ${group.errorCode})`);
      });
      if (answer === undefined) return { kind: 'refused' };
      const { state, members, operations } = answer;
      return { kind: 'group', state, operations, members: members.map(memberOf) };
    });
  }

  /** Whether one may describe this transactional ID, which whoever may use it may. Whether one may use it is not told. */
  async mayDescribe(transactionalId: string): Promise<boolean> {
    return this.#doing(`asking for the transactional ID ${transactionalId}`, async () => {
      return (await this.#coordinatorOf(transactionalId, 'transactional-id')) !== undefined;
    });
  }

  close(): Promise<void> {
    return this.#cluster.disconnect();
  }

  /** Its node; `undefined`: one may not know. */
  async #coordinatorOf(name: string, kind: 'group' | 'transactional-id'): Promise<number | undefined> {
    const broker = await this.#connected();
    return patiently(async () => {
      const { nodeId, errorCode } = await askCoordinator(broker, name, kind);
      if (errorCode === CODE.groupRefused || errorCode === CODE.transactionalIdRefused) return undefined;
      if (errorCode !== CODE.none) throw new BrokerError(`there is no coordinator yet (error ${errorCode})`);
      return nodeId;
    });
  }

  async #connected(): Promise<Broker> {
    await this.#cluster.connect();
    return this.#cluster.brokerPool.seedBroker;
  }

  async #doing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw translate(what, error);
    }
  }
}

/** The first one who asks a fresh cluster waits until the topics behind its coordinators exist. */
const patiently = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
  repeated(attempt, { between: () => Promise.resolve(), patience: COORDINATOR_PATIENCE_MS });

const memberOf = ({ clientId, clientHost, assignment }: SurveyedMember): GroupMemberSurvey => {
  const decoded =
    assignment.length === 0 ? null : corrected().kafkajs.AssignerProtocol.MemberAssignment.decode(assignment);
  return { clientId, clientHost, partitions: new Map(Object.entries(decoded?.assignment ?? {})) };
};
