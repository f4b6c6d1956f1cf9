import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KafkaArtifacts } from './artifacts.js';
import { brokerProperties, PLAIN_LISTENER, propertiesText } from './broker-properties.js';
import type { ExtraListener, Properties } from './broker-properties.js';
import { freePorts } from './free-ports.js';
import { jvmCommand } from './jvm.js';
import { kafkaAnswers } from './kafka-probe.js';
import { newStorage } from './kafka-storage.js';
import { whenReady } from './readiness.js';
import type { Supervision } from './supervision.js';

export type KafkaOptions = {
  /** Broker properties that add to or replace ours, for example `message.max.bytes`. */
  readonly properties?: Properties;
  /** Listeners besides the plain one, each on a free port of its own. */
  readonly listeners?: readonly ExtraListener[];
  /** Java heap in MiB; 512 unless given. */
  readonly heapMiB?: number;
};

const NAME = 'kafka';

/** One broker on fixed ports and one storage directory, which may be stopped and started again. */
export class KafkaProcess {
  readonly #supervision: Supervision;
  readonly #command: readonly string[];
  readonly #directory: string;
  readonly #port: number;
  /** Address (`host:port`) of the plain listener. */
  readonly address: string;
  /** Address (`host:port`) by name of the listener; the plain one is `PLAINTEXT`. */
  readonly listeners: Readonly<Record<string, string>>;
  /** Process ID of the last start. */
  pid = 0;

  private constructor(options: {
    readonly supervision: Supervision;
    readonly command: readonly string[];
    readonly directory: string;
    readonly port: number;
    readonly listeners: Readonly<Record<string, string>>;
  }) {
    this.#supervision = options.supervision;
    this.#command = options.command;
    this.#directory = options.directory;
    this.#port = options.port;
    this.address = `127.0.0.1:${options.port}`;
    this.listeners = options.listeners;
  }

  /** Lays out the storage and the configuration of a new broker inside `directory`; starts nothing. */
  static async prepare(options: {
    readonly java: string;
    readonly artifacts: KafkaArtifacts;
    readonly supervision: Supervision;
    readonly directory: string;
    readonly token: string;
    readonly kafka: KafkaOptions;
  }): Promise<KafkaProcess> {
    const { java, artifacts, supervision, directory, token, kafka } = options;
    const extraListeners = kafka.listeners ?? [];
    const [client = 0, controller = 0, ...extra] = await freePorts(2 + extraListeners.length);
    const storage = join(directory, 'kafka-data');
    await newStorage(artifacts.storageTemplate, storage);
    const properties = brokerProperties({
      directory: storage,
      ports: { client, controller, extra },
      listeners: extraListeners,
      overrides: kafka.properties ?? {},
    });
    const config = join(directory, 'server.properties');
    // Readable by the owner only: a caller's properties may carry passwords.
    await writeFile(config, propertiesText(properties), { mode: 0o600 });
    const temporary = join(directory, 'kafka-tmp');
    await mkdir(temporary);
    const command = jvmCommand({
      java,
      heapMiB: kafka.heapMiB ?? 512,
      temporary,
      token,
      args: [
        `-Dlog4j2.configurationFile=${artifacts.brokerLogging}`,
        '-cp',
        artifacts.classPath,
        'kafka.Kafka',
        config,
      ],
    });
    const named = extraListeners.map(({ name }, index) => [name, `127.0.0.1:${extra[index] ?? 0}`] as const);
    const listeners = Object.fromEntries([[PLAIN_LISTENER, `127.0.0.1:${client}`], ...named]);
    return new KafkaProcess({ supervision, command, directory, port: client, listeners });
  }

  /**
   * Starts the broker and resolves when it serves requests.
   * @throws HoldfastError `HOLDFAST_BACKEND_START_FAILED`.
   */
  async start(): Promise<void> {
    const logFile = join(this.#directory, `${NAME}.log`);
    this.pid = await this.#supervision.start({ name: NAME, command: this.#command, cwd: this.#directory, logFile });
    await whenReady({
      name: NAME,
      supervision: this.#supervision,
      logFile,
      probe: () => kafkaAnswers(this.#port),
    });
  }

  /** Ends the broker, keeping its data and ports: `SIGTERM` in order, `SIGKILL` as a crash. Resolves when it is gone. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#supervision.signal(NAME, signal);
    await this.#supervision.exited(NAME);
  }

  /** `SIGSTOP` freezes the broker with its connections open, `SIGCONT` thaws it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#supervision.signal(NAME, signal);
  }
}
