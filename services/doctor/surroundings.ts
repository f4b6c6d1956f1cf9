import type { HoldfastConfig } from '../../infra/config/config.js';
import { kafkaConnection, registryConnection } from '../../infra/config/connection.js';
import { ClusterSurveyor, type ClusterSurvey } from '../../infra/kafka/cluster-survey.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import type { KafkaConnection } from '../../infra/kafka/kafka-config.js';
import { checkAll, type SubjectState } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { createLogger, type Logger } from '../../infra/telemetry/logger.js';
import { subjects } from '../../schemas/catalogue.js';
import type { LogSource } from '../console/verdict-log.js';
import { Mesh } from '../mesh/mesh.js';
import { topicSpecs } from '../topic-specs.js';

export type FoundConfig = {
  readonly config: HoldfastConfig;
  /** Whether anything says where broker and registry are. */
  readonly located: boolean;
};

/**
 * What several checks look at. Each part is asked for once, by the first check that needs it, and failures are told to all
 * of them alike.
 */
export class Surroundings {
  readonly config: () => Promise<FoundConfig>;
  readonly cluster: () => Promise<ClusterSurvey>;
  readonly subjects: () => Promise<readonly SubjectState[]>;
  readonly surveyor: () => Promise<ClusterSurveyor>;
  readonly admin: () => Promise<KafkaAdmin>;
  /** The log, to be read. */
  readonly source: () => Promise<LogSource & { readonly partitions: number }>;
  readonly #closing: (() => Promise<void>)[] = [];

  constructor(findConfig: () => Promise<FoundConfig>) {
    this.config = once(findConfig);
    this.surveyor = once(async () => {
      const surveyor = new ClusterSurveyor(connectionOf((await this.config()).config), QUIET);
      this.#closing.push(() => surveyor.close());
      return surveyor;
    });
    this.cluster = once(async () => {
      const { config } = await this.config();
      return (await this.surveyor()).survey(topicSpecs(config).map(({ name }) => name));
    });
    this.admin = once(async () => {
      const admin = new KafkaAdmin(connectionOf((await this.config()).config), QUIET);
      this.#closing.push(() => admin.close());
      return admin;
    });
    this.subjects = once(async () => {
      const { config } = await this.config();
      return checkAll(openRegistryClient(registryConnection(config)), subjects(config.kafka.topicPrefix));
    });
    this.source = once(() => this.#openSource());
  }

  async close(): Promise<void> {
    for (const close of this.#closing.reverse()) await close();
  }

  async #openSource(): Promise<LogSource & { readonly partitions: number }> {
    const { config } = await this.config();
    const { kafka, schemaWaitMs } = config;
    const serdes = await openRegistrySerdes({
      ...registryConnection(config),
      topicPrefix: kafka.topicPrefix,
      schemaWaitMs,
    });
    const mesh = new Mesh('cli', config, serdes, QUIET);
    this.#closing.push(() => mesh.close());
    return { reader: mesh.clients.reader, serdes, partitions: kafka.partitions };
  }
}

/** What a client library has to say, the checks say better. */
const QUIET: Logger = createLogger('error');

const connectionOf = (config: HoldfastConfig): KafkaConnection =>
  kafkaConnection(config, `${config.instanceId}-doctor`);

const once = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let result: Promise<Result> | undefined;
  return () => (result ??= work());
};
