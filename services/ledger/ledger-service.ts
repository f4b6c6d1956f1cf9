import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import { prefixed } from '../../infra/kafka/prefixed-stream-clients.js';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { StreamApplication } from '../../infra/streams/stream-application.js';
import { clientLogger, type Logger } from '../../infra/telemetry/logger.js';
import { ledgerTopology } from '../../topology/ledger.topology.js';

/** A running part of Holdfast. */
export type Service = {
  /** Rejects when the service ended by itself; never resolves. */
  readonly failed: Promise<never>;
  /** Finishes what is under way and leaves. */
  readonly stop: () => Promise<void>;
};

/** Starts one instance of the ledger: the real topology on Kafka and RocksDB. @throws HoldfastError */
export const startLedger = async (config: HoldfastConfig, serdes: Serdes, logger: Logger): Promise<Service> => {
  const { kafka, stateDir, instanceId } = config;
  const groupId = `${kafka.topicPrefix}${ledgerTopology.applicationId}`;
  const clients = createKafkaStreamClients({
    connection: { brokers: kafka.brokers, clientId: `${instanceId}-ledger` },
    logger: clientLogger(logger),
    groupId,
  });
  const application = new StreamApplication(
    ledgerTopology,
    {
      clients: prefixed(clients, kafka.topicPrefix),
      stores: new RocksStateStores(`${stateDir}/${instanceId}`),
      serdes,
    },
    { instanceId, groups: Math.min(kafka.groups, kafka.partitions) },
  );
  try {
    await application.start();
  } catch (error) {
    await clients.close();
    throw error;
  }
  logger.info({ groups: kafka.groups, instanceId }, 'the ledger has joined');
  return {
    failed: application.failed,
    stop: async () => {
      await application.stop();
      await clients.close();
    },
  };
};
