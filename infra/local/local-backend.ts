import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KafkaOptions } from './kafka-process.js';
import { launch, launchKafka, type Launched, type LaunchOptions } from './launch.js';
import type { OnProgress } from './progress.js';
import type { RegistryOptions } from './registry-process.js';

export type LocalKafka = {
  /** Addresses (`host:port`) for plain clients. */
  readonly brokers: string[];
  /** Address by name of the listener, the extra ones included. */
  readonly listeners: Readonly<Record<string, string>>;
  /** Ends the broker, keeping data and ports: `SIGTERM` in order, `SIGKILL` as a crash. */
  readonly stopKafka: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Starts it again. After a crash it serves only when the old session has run out (9 s unless configured). */
  readonly startKafka: () => Promise<void>;
  /** Freezes the broker with its connections open. */
  readonly pauseKafka: () => void;
  /** Thaws it. */
  readonly resumeKafka: () => void;
  /** Kills everything and removes the data; resolves when both are done. May be called again. */
  readonly stop: () => Promise<void>;
};

export type LocalBackend = LocalKafka & {
  /** The registry's Confluent-compatible API, without a slash at the end. */
  readonly registryUrl: string;
};

export type LocalKafkaOptions = {
  readonly kafka?: KafkaOptions;
  readonly onProgress?: OnProgress;
  /** Where fetched artifacts are kept; the checkout's cache unless given. */
  readonly cacheDirectory?: string;
};

export type LocalBackendOptions = LocalKafkaOptions & { readonly registry?: RegistryOptions };

/**
 * A real Kafka broker and a real schema registry of this process's own, on free ports of the loopback interface, with
 * their data in a temporary directory. They end with this process, however it ends, and do not keep it alive.
 * @throws HoldfastError `HOLDFAST_BACKEND_JAVA_MISSING`, `…_MAVEN_MISSING`, `…_FETCH_FAILED`, `…_START_FAILED`; then
 * nothing is left running.
 */
export async function startLocalBackend(options: LocalBackendOptions = {}): Promise<LocalBackend> {
  const launched = await launch({ ...temporary(options), registry: options.registry ?? {} });
  return { ...controls(launched), registryUrl: launched.registry.url };
}

/**
 * As `startLocalBackend`, without the registry.
 * @throws HoldfastError as `startLocalBackend`.
 */
export async function startLocalKafka(options: LocalKafkaOptions = {}): Promise<LocalKafka> {
  return controls(await launchKafka(temporary(options)));
}

function temporary(options: LocalKafkaOptions): LaunchOptions {
  return {
    kafka: options.kafka ?? {},
    onProgress: options.onProgress ?? (() => undefined),
    token: randomUUID(),
    directory: () => mkdtemp(join(tmpdir(), 'holdfast-backend-')),
    ...(options.cacheDirectory === undefined ? {} : { cacheDirectory: options.cacheDirectory }),
  };
}

function controls({ supervision, kafka }: Launched): LocalKafka {
  return {
    brokers: [kafka.address],
    listeners: kafka.listeners,
    stopKafka: (signal) => kafka.stop(signal),
    startKafka: () => kafka.start(),
    pauseKafka: () => {
      kafka.signal('SIGSTOP');
    },
    resumeKafka: () => {
      kafka.signal('SIGCONT');
    },
    stop: () => supervision.end(),
  };
}
