import type { HoldfastConfig } from '../../infra/config/config.js';
import { kafkaConnection } from '../../infra/config/connection.js';
import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import { createPlainProducer } from '../../infra/kafka/plain-producer.js';
import { prefixed } from '../../infra/kafka/prefixed-stream-clients.js';
import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';
import type { StateStores, StreamClients } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { clientLogger, type Logger } from '../../infra/telemetry/logger.js';
import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import type { Topic } from '../../topology/kit/topology.js';
import { isInternalKey } from '../../topology/kit/record-key.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import { INPUTS, LEDGER, type TaskInput } from '../../topology/topics.js';
import { ContractsView } from './contracts-view.js';
import { EventLog, type EventLogOptions } from './event-log.js';
import { groupNameOf } from './group-name.js';
import { TopicTable } from './topic-table.js';

/** How long a fact whose outcome is unknown is written again before the caller is told, ms. */
const WRITE_PATIENCE_MS = 5_000;

/**
 * What gateway, verifier, dispatcher and commands have in common: the log to write to, the ledger and the contracts to
 * read. Each part is opened when it is asked for, and closed with the mesh.
 */
export class Mesh {
  readonly config: HoldfastConfig;
  readonly logger: Logger;
  readonly serdes: Serdes;
  /** Rejects when something the mesh follows broke for good. */
  readonly failed: Promise<never>;
  readonly #role: string;
  readonly #clients: StreamClients;
  readonly #closing: (() => Promise<void>)[] = [];
  #fail: (error: unknown) => void = () => undefined;

  constructor(role: string, config: HoldfastConfig, serdes: Serdes, logger: Logger) {
    this.config = config;
    this.logger = logger;
    this.serdes = serdes;
    this.#role = role;
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
    const clients = createKafkaStreamClients({
      connection: this.#connection(),
      logger: clientLogger(logger),
      groupId: this.groupId,
    });
    this.#clients = prefixed(clients, config.kafka.topicPrefix);
  }

  get groupId(): string {
    return `${this.config.kafka.topicPrefix}${groupNameOf(this.#role)}`;
  }

  get clients(): StreamClients {
    return this.#clients;
  }

  /** A writer of facts, under a source that names this role and instance (R17). `explain`: see EventLogOptions. */
  openLog(explain?: EventLogOptions['explain']): EventLog {
    const producer = createPlainProducer(this.#connection(), clientLogger(this.logger));
    this.#closing.push(() => producer.close());
    return new EventLog({
      producer,
      serdes: this.serdes,
      topicPrefix: this.config.kafka.topicPrefix,
      source: `/holdfast/${this.#role}/${this.config.instanceId}`,
      patienceMs: WRITE_PATIENCE_MS,
      ...(explain === undefined ? {} : { explain }),
    });
  }

  async openContracts(): Promise<ContractsView> {
    const view = new ContractsView(this.#clients.reader, this.serdes, {
      onUnreadable: unreadableTo(this.logger),
      onFailed: this.#fail,
    });
    this.#closing.push(() => view.stop());
    await view.start();
    return view;
  }

  /** The ledger, materialised: by record key, and by `task` index (see `taskIndex`). `keep` bounds what is held. */
  openLedger(keep: (entry: LedgerEntry) => boolean = () => true): Promise<TopicTable<LedgerEntry>> {
    return this.#openTable(LEDGER, {
      keep: (key, entry) => !isInternalKey(key) && keep(entry),
      indexes: (_, { tenant, serverTasks }) => serverTasks.map(({ agentId, id }) => taskIndex(agentId, tenant, id)),
    });
  }

  /** The kept inputs, by record key (R34). */
  openInputs(): Promise<TopicTable<TaskInput>> {
    return this.#openTable(INPUTS, {});
  }

  async close(): Promise<void> {
    for (const close of this.#closing.reverse()) await close();
    await this.#clients.close();
  }

  async #openTable<Value>(
    topic: Topic<Value>,
    options: Pick<ConstructorParameters<typeof TopicTable<Value>>[0], 'keep' | 'indexes'>,
  ): Promise<TopicTable<Value>> {
    const { kafka, stateDir, instanceId } = this.config;
    const stores: StateStores = new RocksStateStores(`${stateDir}/${instanceId}-${this.#role}`);
    const opened = await stores.open(topic.name);
    let { store } = opened;
    if (!opened.trusted) {
      await store.close();
      await stores.wipe(topic.name);
      ({ store } = await stores.open(topic.name));
    }
    const counts = await this.#clients.partitionCounts([topic.name]);
    const table = new TopicTable<Value>({
      topic,
      partitions: counts.get(topic.name) ?? kafka.partitions,
      reader: this.#clients.reader,
      serdes: this.serdes,
      store,
      onUnreadable: unreadableTo(this.logger),
      onFailed: this.#fail,
      ...options,
    });
    this.#closing.push(() => table.stop());
    await table.start();
    return table;
  }

  #connection() {
    return kafkaConnection(this.config, `${this.config.instanceId}-${this.#role}`);
  }
}

/** Tells of records that are passed over; what judges by them goes on by what it had (R59). */
export const unreadableTo =
  (logger: Logger) =>
  (at: Coordinates, detail: string): void => {
    logger.error({ record: formatCoordinates(at), detail }, 'a record cannot be read');
  };

/** Under which a unit is found by a server task of an agent and tenant (R54). */
export const taskIndex = (agentId: string, tenant: string | undefined, serverTaskId: string): string =>
  JSON.stringify([agentId, tenant ?? '', serverTaskId]);
