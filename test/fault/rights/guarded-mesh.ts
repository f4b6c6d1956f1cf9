import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HoldfastConfig } from '../../../infra/config/config.js';
import type { PartialConfig } from '../../../infra/config/config-source.js';
import { resolveConfig } from '../../../infra/config/read-config.js';
import { createPlainProducer, type PlainProducer } from '../../../infra/kafka/plain-producer.js';
import { registerAll } from '../../../infra/registry/registration.js';
import { openRegistryClient } from '../../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../../infra/registry/registry-serdes.js';
import type { Serdes } from '../../../infra/streams/serdes.js';
import type { Logger } from '../../../infra/telemetry/logger.js';
import { subjects } from '../../../schemas/catalogue.js';
import { scanUnits } from '../../../services/console/find-units.js';
import { readTopic } from '../../../services/console/read-topic.js';
import type { LogSource } from '../../../services/console/verdict-log.js';
import type { Service } from '../../../services/ledger/ledger-service.js';
import type { EventLog } from '../../../services/mesh/event-log.js';
import { Mesh } from '../../../services/mesh/mesh.js';
import { ANY_GROUP, rightsOf, type Right, type RightsRole } from '../../../services/rights/rights.js';
import { startRole, type Role } from '../../../services/roles.js';
import { recordKey } from '../../../topology/kit/record-key.js';
import type { LedgerEntry } from '../../../topology/ledger-records.js';
import { TASK_EVENTS, VERDICTS } from '../../../topology/topics.js';
import { eventually, silent } from '../../integration/kafka-fixture.js';
import { required } from '../kit/fault-run.js';
import type { GuardedKafka } from './guarded-kafka.js';

export const PARTITIONS = 2;

const MAIN = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));
/** A command that should have ended is ended, and its exit code then is none. */
const COMMAND_LIMIT_MS = 60_000;

export type Printed = { readonly code: number | undefined; readonly stdout: string; readonly stderr: string };

/** Holdfast on a guarded broker, under topics of its own. What is read and written here is a super user's. */
export class GuardedMesh {
  readonly kafka: GuardedKafka;
  readonly prefix: string;
  readonly serdes: Serdes;
  readonly log: EventLog;
  readonly producer: PlainProducer;
  readonly #mesh: Mesh;
  readonly #directory: string;
  readonly #running = new Set<Service>();
  #instances = 0;

  static async open(kafka: GuardedKafka, prefix: string): Promise<GuardedMesh> {
    const url = required('HOLDFAST_REGISTRY_URL');
    await registerAll(openRegistryClient({ url }), subjects(prefix));
    const serdes = await openRegistrySerdes({ url, topicPrefix: prefix, schemaWaitMs: 1_000 });
    const mesh = new GuardedMesh(kafka, prefix, serdes);
    await kafka.grant('admin', mesh.rights('admin'));
    const created = await mesh.run('admin', ['topics', 'create']);
    if (created.code !== 0) throw new Error(`no topics: ${created.stderr}`);
    return mesh;
  }

  private constructor(kafka: GuardedKafka, prefix: string, serdes: Serdes) {
    this.kafka = kafka;
    this.prefix = prefix;
    this.serdes = serdes;
    this.#directory = mkdtempSync(join(tmpdir(), 'holdfast-rights-'));
    const { brokers } = kafka.broker;
    this.#mesh = new Mesh('test', resolveConfig(this.#said({ brokers })), serdes, silent);
    this.log = this.#mesh.openLog();
    this.producer = createPlainProducer({ brokers, clientId: 'test' }, silent);
  }

  get source(): LogSource {
    return { reader: this.#mesh.clients.reader, serdes: this.serdes };
  }

  topic({ name }: { readonly name: string }): string {
    return `${this.prefix}${name}`;
  }

  rights(role: RightsRole): readonly Right[] {
    return rightsOf(role, { topicPrefix: this.prefix });
  }

  /** The right of that list under the names of this installation; a group of others has a name of its own. */
  named(right: Right): Right {
    return right.name === ANY_GROUP ? right : { ...right, name: `${this.prefix}${right.name}` };
  }

  /** Starts an instance that has no stores yet. It may fail later: see `Service.failed`. */
  async start(role: Role, more: PartialConfig = {}, logger: Logger = silent): Promise<Service> {
    this.#instances += 1;
    const instanceId = `${role}-${this.#instances}`;
    const config = resolveConfig(this.#said(this.kafka.as(role)), more, { instanceId });
    const service = await startRole(role, config, this.serdes, logger);
    this.#running.add(service);
    return service;
  }

  async stop(service: Service): Promise<void> {
    this.#running.delete(service);
    await service.stop();
  }

  /** Runs a command as a role; `more` goes over the configuration. */
  run(role: RightsRole, args: readonly string[], more: PartialConfig = {}): Promise<Printed> {
    this.#instances += 1;
    const file = join(this.#directory, `${role}-${this.#instances}.yaml`);
    // YAML is a superset of JSON.
    writeFileSync(file, JSON.stringify({ ...this.#said(this.kafka.as(role)), logLevel: 'error', ...more }));
    const options = { env: bareEnvironment(), timeout: COMMAND_LIMIT_MS };
    return new Promise((resolve) => {
      execFile(process.execPath, [MAIN, ...args, '--config', file], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
        resolve({ code, stdout, stderr });
      });
    });
  }

  /** Resolves once every observation on the log has one verdict; with what else was found, which must be nothing. */
  async unjudged(): Promise<readonly string[]> {
    const sources = Array.from({ length: PARTITIONS }, (_, partition) => ({ topic: TASK_EVENTS.name, partition }));
    const ends = await this.source.reader.bounds(sources);
    const wanted = ends.flatMap(({ partition, end }) =>
      Array.from({ length: Number(end) }, (_, offset) => `${partition}/${offset}`),
    );
    const counts = await eventually(async () => {
      const found = await this.#verdicts();
      return wanted.every((at) => found.has(at)) ? found : undefined;
    }, `a verdict on each of ${wanted.length} observations`);
    return [...counts].filter(([, count]) => count !== 1).map(([at, count]) => `${at} has ${count} verdicts`);
  }

  async #verdicts(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    await readTopic(this.source, VERDICTS, all, ({ value }) => {
      if (value?.trigger !== 'observation' || value.cause === undefined) return;
      const at = `${value.cause.partition}/${value.cause.offset.toString()}`;
      counts.set(at, (counts.get(at) ?? 0) + 1);
    });
    return counts;
  }

  /** The unit's record, once it is as wanted. */
  unit(correlationId: string, wanted: (entry: LedgerEntry) => boolean, what: string): Promise<LedgerEntry> {
    const key = recordKey(undefined, correlationId);
    return eventually(async () => {
      const [found] = await scanUnits(this.source, PARTITIONS, (at, entry) => at === key && wanted(entry));
      return found?.entry;
    }, `${correlationId}: ${what}`);
  }

  /** Ends every service, those first that began last. */
  async stopAll(): Promise<void> {
    for (const service of [...this.#running].reverse()) await this.stop(service).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.stopAll();
    await this.producer.close();
    await this.#mesh.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #said(kafka: Pick<HoldfastConfig['kafka'], 'brokers'>): PartialConfig {
    return {
      kafka: { ...kafka, topicPrefix: this.prefix, partitions: PARTITIONS, groups: PARTITIONS },
      registry: { url: required('HOLDFAST_REGISTRY_URL') },
      stateDir: this.#directory,
      schemaWaitMs: 1_000,
    };
  }
}

/** The configuration file says all. */
const bareEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_') && name !== 'NODE_OPTIONS'),
  );
