import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HoldfastConfig } from '../../../infra/config/config.js';
import type { PartialConfig } from '../../../infra/config/config-source.js';
import { resolveConfig } from '../../../infra/config/read-config.js';
import type { LocalKafka } from '../../../infra/local/local-backend.js';
import { dyingWithParent } from '../../../infra/local/run-command.js';
import { openRegistrySerdes } from '../../../infra/registry/registry-serdes.js';
import { verdictOn } from '../../../services/console/verdict-log.js';
import { Mesh } from '../../../services/mesh/mesh.js';
import { partitionOf } from '../../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import { silent } from '../../integration/kafka-fixture.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { Authority } from './certificates.js';
import { startSecuredKafka } from './secured-kafka.js';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
const PARTITIONS = 3;
const VERDICT_WITHIN_MS = 60_000;

export type Printed = { readonly code: number; readonly stdout: string; readonly stderr: string };
type Environment = Readonly<Record<string, string>>;

/** A broker with every kind of listener, a registry, files of secrets, and the command line as users have it. */
export class SecuredWorld {
  readonly authority = new Authority('authority of the test');
  readonly strangers = new Authority('another authority');
  /** With what configurations and headers have to escape. */
  readonly password = `p,w ${randomBytes(9).toString('base64url')}`;
  readonly registryUrl: string;
  readonly #directory = mkdtempSync(join(tmpdir(), 'holdfast-secured-'));
  readonly #secrets: string[] = [this.password];
  #kafka: LocalKafka | undefined;

  constructor() {
    this.registryUrl = process.env.HOLDFAST_REGISTRY_URL ?? '';
    if (this.registryUrl === '') throw new Error('HOLDFAST_REGISTRY_URL names no registry to test against');
  }

  async start(): Promise<void> {
    this.#kafka = await startSecuredKafka(this.authority, this.password);
  }

  async stop(): Promise<void> {
    await this.#kafka?.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  get kafka(): LocalKafka {
    if (this.#kafka === undefined) throw new Error('not started');
    return this.#kafka;
  }

  listener(name: string): string {
    return this.kafka.listeners[name] ?? 'no such listener';
  }

  /** Writes a file and returns its path. */
  file(name: string, content: string): string {
    const path = join(this.#directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  /** A secret that no output may hold, from now on. */
  secret(text = randomBytes(12).toString('base64url')): string {
    this.#secrets.push(text);
    return text;
  }

  get caFile(): string {
    return this.file('ca.pem', this.authority.cert);
  }

  /** An installation of its own on the broker, reached as `written` says. */
  installation(written: PartialConfig, environment: Environment = {}): Installation {
    const name = randomUUID().slice(0, 8);
    const kafka = { partitions: PARTITIONS, groups: 1, topicPrefix: `secured-${name}.`, ...written.kafka };
    const whole: PartialConfig = {
      registry: { url: this.registryUrl },
      stateDir: join(this.#directory, name),
      ...written,
      kafka,
    };
    return new Installation(this, this.file(`${name}.yaml`, JSON.stringify(whole)), resolveConfig(whole), environment);
  }

  /** @throws Error an output holds a secret */
  refuseSecrets(...texts: readonly string[]): void {
    const told = this.#secrets.filter((secret) => texts.some((text) => text.includes(secret)));
    if (told.length > 0) throw new Error(`a secret was printed:\n${texts.join('\n')}`);
  }
}

export class Installation {
  readonly config: HoldfastConfig;
  readonly #world: SecuredWorld;
  readonly #file: string;
  readonly #environment: Environment;

  constructor(world: SecuredWorld, file: string, config: HoldfastConfig, environment: Environment) {
    this.#world = world;
    this.#file = file;
    this.config = config;
    this.#environment = environment;
  }

  /** `holdfast …` with this configuration, to its end. */
  run(...args: readonly string[]): Promise<Printed> {
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [MAIN, ...args], { env: this.#env() }, (error, stdout, stderr) => {
        try {
          this.#world.refuseSecrets(stdout, stderr);
          resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
        } catch (fault) {
          reject(fault instanceof Error ? fault : new Error(String(fault)));
        }
      });
    });
  }

  /** A running ledger of this installation: judges one observation, written over the plain listener. */
  async judging<Result>(work: (judge: () => Promise<string>) => Promise<Result>): Promise<Result> {
    const plain = {
      ...this.config,
      kafka: plainly(this.config, this.#world),
      registry: { url: this.#world.registryUrl },
    };
    const { topicPrefix } = plain.kafka;
    const serdes = await openRegistrySerdes({ url: plain.registry.url, topicPrefix, schemaWaitMs: 1_000 });
    const mesh = new Mesh('test', plain, serdes, silent);
    const [file = '', ...args] = await dyingWithParent([process.execPath, MAIN, 'serve', 'ledger']);
    const child = spawn(file, args, { env: this.#env(), stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const broken = ended.then((code) => {
      throw new Error(`the ledger ended with ${code ?? 'a signal'}: ${said}`);
    });
    broken.catch(() => undefined);
    const log = mesh.openLog();
    for (const record of agent('a', { states: ['working', 'completed'] })) await log.publishAgent(record);
    const judge = async (): Promise<string> => {
      const correlationId = randomUUID();
      const partition = partitionOf(utf8(recordKey(undefined, correlationId)), PARTITIONS);
      const observation = {
        type: 'DispatchObserved',
        correlationId,
        agentId: 'a',
        by: 'client',
        principal: 'p',
        messageId: correlationId,
        inputKept: false,
        continues: false,
      } as const;
      const verdict = verdictOn(
        { reader: mesh.clients.reader, serdes },
        partition,
        async () => (await log.observe([observation]))[0],
        VERDICT_WITHIN_MS,
      );
      return (await Promise.race([verdict, broken]))?.value.verdict ?? `no verdict: ${said}`;
    };
    try {
      return await work(judge);
    } finally {
      child.kill('SIGTERM');
      await ended;
      await mesh.close();
      this.#world.refuseSecrets(said);
    }
  }

  /** Nothing of the test's own environment but what Node needs. */
  #env(): NodeJS.ProcessEnv {
    const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'));
    return { ...Object.fromEntries(foreign), ...this.#environment, HOLDFAST_CONFIG: this.#file };
  }
}

const plainly = ({ kafka }: HoldfastConfig, { kafka: { brokers } }: SecuredWorld): HoldfastConfig['kafka'] => {
  const { tls: _tls, sasl: _sasl, ...rest } = kafka;
  return { ...rest, brokers };
};

/** What a command says, with what differs from run to run named. */
export const said = ({ stderr }: Printed): string =>
  stderr
    .trimEnd()
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\/\S*\/(?=[^/\s]+ (cannot|holds))/g, '');
