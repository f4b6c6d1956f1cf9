import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import { prefixed } from '../../infra/kafka/prefixed-stream-clients.js';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { kafkaConnection } from '../../infra/config/connection.js';
import { lockInstance } from '../../infra/rocksdb/instance-lock.js';
import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';
import { HoldfastError } from '../../infra/errors.js';
import type { StreamObserver } from '../../infra/streams/stream-context.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import { StreamApplication } from '../../infra/streams/stream-application.js';
import { clientLogger, type Logger } from '../../infra/telemetry/logger.js';
import { ledgerTopology } from '../../topology/ledger.topology.js';
import { explained } from '../rights/missing-rights.js';

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
  const directory = `${stateDir}/${instanceId}`;
  const unlock = await lockInstance(directory);
  const groupId = `${kafka.topicPrefix}${ledgerTopology.applicationId}`;
  const clients = createKafkaStreamClients({
    connection: kafkaConnection(config, `${instanceId}-ledger`),
    logger: clientLogger(logger),
    groupId,
  });
  const application = new StreamApplication(
    ledgerTopology,
    {
      clients: prefixed(clients, kafka.topicPrefix),
      stores: new RocksStateStores(directory),
      serdes,
    },
    { instanceId, groups: Math.min(kafka.groups, kafka.partitions), observer: observerOf(logger, kafka.topicPrefix) },
  );
  try {
    await application.start();
  } catch (error) {
    await clients.close();
    await unlock();
    throw error;
  }
  logger.info({ groups: kafka.groups, instanceId }, 'the ledger has joined');
  return {
    failed: application.failed,
    stop: async () => {
      await application.stop();
      await clients.close();
      await unlock();
    },
  };
};

/** What lasts is told again after so long. */
const TOLD_AGAIN_MS = 10_000;

/** What an operator should read of the runtime: trouble, what is done about it, and restores. */
const observerOf = (logger: Logger, topicPrefix: string): StreamObserver => {
  const told = new Map<number, { readonly at: number; readonly error: string }>();
  return {
    onFailure: (group, error, remedy) => {
      logger.warn(
        { group, ...wordsOf(explained(error, 'ledger', { topicPrefix })), remedy: remedy.action },
        'a task group failed',
      );
    },
    onBlocked: (partition, error) => {
      // It is tried many times a second.
      const [at, { error: text }, last] = [performance.now(), wordsOf(error), told.get(partition)];
      if (last?.error === text && at - last.at < TOLD_AGAIN_MS) return;
      told.set(partition, { at, error: text });
      logger.warn({ partition, ...wordsOf(error) }, 'a partition waits');
    },
    onRestored: (partition, { wiped }) => {
      logger.info({ partition, ...(wiped === undefined ? {} : { wiped }) }, 'a partition was restored');
    },
  };
};

const wordsOf = (error: unknown): { readonly code?: string; readonly error: string } =>
  error instanceof HoldfastError ? { code: error.code, error: error.message } : { error: String(error) };
