import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import type { PartialConfig } from '../../infra/config/config-source.js';
import { kafkaConnection, registryConnection } from '../../infra/config/connection.js';
import { configFromEnvironment } from '../../infra/config/config-environment.js';
import { resolveConfig } from '../../infra/config/read-config.js';
import { HoldfastError } from '../../infra/errors.js';
import { KafkaAdmin } from '../../infra/kafka/kafka-admin.js';
import { bringUp, keptBackendDirectory } from '../../infra/local/kept-backend.js';
import { progressLine } from '../../infra/local/progress.js';
import { resolveBackend } from '../../infra/local/resolve-backend.js';
import { registerAll } from '../../infra/registry/registration.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import { clientLogger, createLogger } from '../../infra/telemetry/logger.js';
import { subjects } from '../../schemas/catalogue.js';
import { recordKey } from '../../topology/kit/record-key.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import { Mesh } from '../mesh/mesh.js';
import { topicSpecs } from '../topic-specs.js';
import { checkVariant, findingsOf, type Check } from './checks.js';
import { parsed } from './flags.js';
import { explainRedispatch, tell } from './narration.js';
import { StoryTape } from './story-tape.js';
import { CORRELATION_ID, playVariant, playWithoutHoldfast, type VariantId } from './variants.js';

type Options = { readonly recovery: 'off' | 'always'; readonly keep?: true };

const TITLES: Readonly<Record<VariantId, string>> = {
  a: 'another verified worker takes the task over',
  b: 'only the worker that lost it can; it comes back with another media type',
  c: 'nobody can, until somebody is verified',
};
const PARTITIONS = 6;
const INTERRUPTED = 130;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The reference scenario on a local backend, told as it happens and checked by reading it back from Kafka. */
const runDemo = async ({ recovery, keep }: Options): Promise<boolean> => {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-demo-'));
  // Every process of the demo ends with this one; what it wrote has to be removed by hand.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      rmSync(directory, { recursive: true, force: true });
      process.stdout.write(`\n${signal}: the demo was stopped, and everything it had started.\n`);
      process.exit(INTERRUPTED);
    });
  try {
    say('\nWithout Holdfast: straight to the agent\n');
    const bare = await playWithoutHoldfast(join(directory, 'bare'), say);
    const blamed = check(
      bare.ended.code === 1 && bare.outcome.blames === 'client',
      'the task ends failed, and the client is blamed',
    );
    report([blamed]);
    const backend = await openBackend(keep);
    try {
      const results = [blamed];
      for (const variant of recovery === 'off' ? (['a'] as const) : (['a', 'b', 'c'] as const)) {
        say(`\nThrough Holdfast, variant ${variant}: ${TITLES[variant]}\n`);
        results.push(...(await runVariant(variant, recovery, backend, join(directory, variant))));
      }
      if (keep === true) sayHowToLook();
      return results.every(({ holds }) => holds);
    } finally {
      await backend.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

type DemoBackend = {
  /** How broker and registry are reached. */
  readonly reached: Pick<PartialConfig, 'kafka' | 'registry'>;
  readonly stop: () => Promise<void>;
};

const openBackend = async (keep: true | undefined): Promise<DemoBackend> => {
  const progress = progressLine(process.stderr);
  try {
    const kept = keep === true ? (await bringUp(keptBackendDirectory(), progress.report)).backend : undefined;
    const { brokers, registryUrl, stop, local } =
      kept === undefined
        ? await resolveBackend({ onProgress: progress.report })
        : { ...kept, stop: () => Promise.resolve(), local: true };
    const at: DemoBackend['reached'] = { kafka: { brokers: [...brokers] }, registry: { url: registryUrl } };
    return { reached: local ? at : securedBy(process.env, at), stop };
  } finally {
    progress.done();
  }
};

/** Brokers and registry of others are reached as the environment says. */
const securedBy = (env: NodeJS.ProcessEnv, { kafka, registry }: DemoBackend['reached']): DemoBackend['reached'] => {
  const { values } = configFromEnvironment(env);
  return { kafka: { ...values.kafka, ...kafka }, registry: { ...values.registry, ...registry } };
};

const runVariant = async (
  variant: VariantId,
  recovery: 'off' | 'always',
  backend: DemoBackend,
  directory: string,
): Promise<readonly Check[]> => {
  const topicPrefix = `demo-${variant}.`;
  const written: PartialConfig = {
    kafka: { ...backend.reached.kafka, topicPrefix, partitions: PARTITIONS, groups: 2 },
    ...(backend.reached.registry === undefined ? {} : { registry: backend.reached.registry }),
    stateDir: join(directory, 'state'),
    instanceId: `demo-${variant}`,
    policy: { recovery },
    verifier: { idleMs: 250 },
    dispatcher: { recheckMs: [200, 400] },
  };
  const config = resolveConfig(written);
  const logger = createLogger('error');
  const registry = registryConnection(config);
  await registerAll(openRegistryClient(registry), subjects(topicPrefix));
  const serdes = await openRegistrySerdes({ ...registry, topicPrefix, schemaWaitMs: 10_000 });
  const admin = new KafkaAdmin(kafkaConnection(config, 'holdfast-demo'), clientLogger(logger));
  await admin.deleteTopics(topicPrefix);
  await admin.createTopics(topicSpecs(config));
  await admin.close();
  const mesh = new Mesh('demo', { ...config, stateDir: join(directory, 'reader') }, serdes, logger);
  const tape = new StoryTape(mesh.clients.reader, serdes, (record) => {
    const line = tell(record);
    if (line !== undefined) say(line);
  });
  tape.start(PARTITIONS);
  try {
    const played = await playVariant(variant, { directory, config: written, tape, say });
    const ledger = await mesh.openLedger();
    const entry = await ledger.get(recordKey(undefined, CORRELATION_ID));
    const findings = findingsOf(tape.records, CORRELATION_ID, entry);
    if (entry !== undefined) say(`\nledger    ${summary(entry)}`);
    if (findings.loss !== undefined) say(`decision  ${explainRedispatch(findings.loss, findings.redispatch)}`);
    const checks = checkVariant(variant, findings, played);
    report(checks);
    return checks;
  } finally {
    await tape.stop();
    await mesh.close();
  }
};

const summary = (entry: LedgerEntry): string =>
  `${entry.correlationId}: ${entry.loss === undefined ? (entry.state ?? 'no state') : 'indeterminate'}; ` +
  `attempts ${entry.attempts.map(({ number, agentId, status }) => `${number} ${agentId} ${status}`).join(', ')}; ` +
  `tasks ${entry.serverTasks.map(({ agentId, id, lost }) => `${agentId}/${id}${lost ? ' lost' : ''}`).join(', ')}; ` +
  `violations ${entry.counts.violations}; redispatches ${entry.counts.redispatches}`;

const check = (holds: boolean, text: string): Check => ({ holds, text });

const report = (checks: readonly Check[]): void => {
  say('');
  for (const { holds, text } of checks) say(`  ${holds ? '✓' : '✗'} ${text}`);
};

const sayHowToLook = (): void => {
  say(`
The backend and the topics are still there. Look around:
  export HOLDFAST_KAFKA_TOPIC_PREFIX=demo-a. HOLDFAST_KAFKA_PARTITIONS=${PARTITIONS}
  npx holdfast tasks list
  npx holdfast tasks why ${CORRELATION_ID}
  npx holdfast tail --from beginning --no-follow
  npx holdfast agents list
Stop it, and remove everything:
  npx holdfast backend down`);
};

const command = new Command('demo')
  .description('the reference scenario: a worker loses a task that waits for input')
  .addOption(
    new Option('--recovery <switch>', 'whether lost tasks are recovered').choices(['off', 'always']).default('always'),
  )
  .option('--keep', 'leave the backend and the topics up afterwards');
const options = parsed(command).opts<Options>();

const started = performance.now();
try {
  const held = await runDemo(options);
  say(`\n${held ? 'All of it held' : 'Not all of it held'} (${((performance.now() - started) / 1000).toFixed(1)} s).`);
  process.exitCode = held ? 0 : 1;
} catch (error) {
  process.stderr.write(
    `demo: ${error instanceof HoldfastError ? `${error.message} [${error.code}]` : String(error)}\n`,
  );
  process.exitCode = 2;
}
