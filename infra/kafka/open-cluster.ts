import { corrected } from './corrected-kafkajs.js';
import { kafkaConfig, logAdapter, REQUEST_TIMEOUT_MS } from './kafka-config.js';
import type { KafkaConnection, KafkaLogger } from './kafka-config.js';
import type { Cluster, ClusterOptions } from './kafkajs-internals.js';

export type ClusterContext = { readonly cluster: Cluster; readonly logger: ClusterOptions['logger'] };

const READ_COMMITTED = 1;

/**
 * kafkajs's connections, metadata and authentication without one of its clients on top; nothing is connected yet. A
 * cluster of its own for each producer and each reader: kafkajs keeps committed offsets, retries and the one connection
 * for fetches per cluster.
 */
export function createCluster(
  connection: KafkaConnection,
  logger: KafkaLogger,
  options: { readonly retry: ClusterOptions['retry']; readonly maxInFlightRequests?: number },
): ClusterContext {
  const { internals, kafkajs } = corrected();
  const config = kafkaConfig(connection, logger, options.retry);
  const rootLogger = internals.createLogger({ level: kafkajs.logLevel.INFO, logCreator: () => logAdapter(logger) });
  const cluster = new internals.Cluster({
    logger: rootLogger,
    brokers: connection.brokers,
    clientId: connection.clientId,
    ssl: connection.tls !== undefined,
    sasl: config.sasl,
    socketFactory: config.socketFactory,
    connectionTimeout: config.connectionTimeout ?? 2_000,
    authenticationTimeout: config.authenticationTimeout ?? 10_000,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    maxInFlightRequests: options.maxInFlightRequests ?? null,
    isolationLevel: READ_COMMITTED,
    retry: options.retry,
  });
  return { cluster, logger: rootLogger };
}
