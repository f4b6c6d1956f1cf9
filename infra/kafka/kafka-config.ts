import type { ISocketFactory, KafkaConfig, LogEntry, RetryOptions } from 'kafkajs';
import type { TlsSource } from '../tls/tls-source.js';
import { brokerSockets } from './broker-sockets.js';
import { corrected } from './corrected-kafkajs.js';
import { saslOptions, type KafkaSasl } from './sasl.js';

/** How to reach the brokers, and as whom. */
export type KafkaConnection = {
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Absent: no TLS. */
  readonly tls?: TlsSource;
  readonly sasl?: KafkaSasl;
  /** Replaces the sockets; for tests that break them. */
  readonly socketFactory?: ISocketFactory;
};

/** Where kafkajs's words go: the shape of a pino logger. */
export type KafkaLogger = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>
>;

export const REQUEST_TIMEOUT_MS = 10_000;

/** How long a leader may wait for its replicas: it says so before the request is given up. */
export const REPLICATION_TIMEOUT_MS = 8_000;

/** Every field is set: kafkajs chooses other defaults when NODE_ENV is "test". */
export const PATIENT_RETRY: RetryOptions = {
  initialRetryTime: 50,
  maxRetryTime: 2_000,
  factor: 0.2,
  multiplier: 2,
  retries: 8,
};

/** Fields that a logger or a terminal must never see, or that say nothing to an operator. */
const DROPPED = new Set(['timestamp', 'logger', 'message', 'stack', 'payload', 'data', 'helpUrl']);

/**
 * Passes kafkajs's log on, one level lower: what fails there is retried, or thrown as an error of ours that is logged
 * by whoever handles it. Its debug level is never on: it would print decoded responses, the broker's SCRAM messages
 * among them.
 */
export function logAdapter(logger: KafkaLogger): (entry: LogEntry) => void {
  const level = corrected().kafkajs.logLevel;
  return ({ namespace, level: severity, log }) => {
    const fields = Object.fromEntries(Object.entries(log).filter(([name]) => !DROPPED.has(name)));
    const say = severity <= level.ERROR ? logger.warn : severity <= level.WARN ? logger.info : logger.debug;
    say.call(logger, { namespace, ...fields }, log.message);
  };
}

/** The configuration of every kafkajs object of ours. */
export function kafkaConfig(
  connection: KafkaConnection,
  logger: KafkaLogger,
  retry = PATIENT_RETRY,
): KafkaConfig & { readonly socketFactory: ISocketFactory } {
  const { brokers, clientId, tls, sasl, socketFactory } = connection;
  const { kafkajs } = corrected();
  return {
    brokers: [...brokers],
    clientId,
    ssl: tls !== undefined,
    ...(sasl === undefined ? {} : { sasl: saslOptions(sasl) }),
    socketFactory: socketFactory ?? brokerSockets(connection),
    connectionTimeout: 2_000,
    authenticationTimeout: 10_000,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    retry,
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => logAdapter(logger),
  };
}
