import { Command } from 'commander';
import { registryConnection } from '../../infra/config/connection.js';
import { HoldfastError } from '../../infra/errors.js';
import { checkAll, registerAll, type Registration, type SubjectState } from '../../infra/registry/registration.js';
import { openRegistryClient, type RegistryClient } from '../../infra/registry/registry-client.js';
import { COMPATIBILITY, subjects, type Subject } from '../../schemas/catalogue.js';
import { checkRecords, fromOption, type RecordOptions } from './check-records.js';
import { findConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import { print, withJson, type JsonOption } from './output.js';
import { wholeNumber } from './whole-number.js';

type Options = ConfigOptions & JsonOption;

/**
 * `holdfast schemas register|check`: the schemas of this version in a registry. Services never register; this does.
 * Sets the exit code to 1 where a schema was refused, or differs from what is registered.
 */
export function schemasCommand(): Command {
  const schemas = withExamples(
    new Command('schemas'),
    'holdfast schemas register',
    'holdfast schemas check',
  ).description('the schemas of this version in the schema registry');
  withExamples(withJson(withConfig(schemas.command('register'))), 'holdfast schemas register')
    .description(`register every schema under its subject, with compatibility ${COMPATIBILITY}`)
    .action(register);
  withExamples(
    withJson(withConfig(schemas.command('check'))),
    'holdfast schemas check --topic-prefix staging.',
    'holdfast schemas check --topic a2a.task-events.v1 --from 1000',
  )
    .description(
      'compare the registry with this version, or with --topic the records that lie on a topic with the contract of schemas/README.md (exit code 0 as it should be, 1 findings)',
    )
    .option('--topic <name>', 'look at the records of this topic instead of the registry')
    .addOption(fromOption())
    .option('--limit <n>', 'with --topic: at most so many records', wholeNumber, 10_000)
    .action(check);
  return schemas;
}

async function register(options: Options): Promise<void> {
  const { client, wanted } = await open(options);
  const registrations = await registerAll(client, wanted);
  if (registrations.some(({ outcome }) => outcome === 'refused')) process.exitCode = EXIT.findings;
  print(options, { registry: client.url, subjects: registrations }, registrations.map(describeRegistration));
}

async function check(options: Options | RecordOptions): Promise<void> {
  if ('topic' in options) return checkRecords(options);
  const { client, wanted } = await open(options);
  const states = await checkAll(client, wanted);
  const findings = states.filter(({ state }) => state !== 'registered');
  if (findings.length > 0) process.exitCode = EXIT.findings;
  const summary = `${states.length - findings.length} of ${states.length} registered and equal`;
  print(options, { registry: client.url, subjects: states }, [...findings.map(describeState), summary]);
}

async function open(options: Options): Promise<{
  readonly client: RegistryClient;
  readonly wanted: readonly Subject[];
}> {
  const { config, located } = await findConfig(options);
  if (!located) {
    throw new HoldfastError(
      'no registry: name it with --registry, in HOLDFAST_REGISTRY_URL or in a configuration file, or run "holdfast backend up"',
      { code: 'HOLDFAST_REGISTRY_NOT_CONFIGURED', retryable: false },
    );
  }
  return { client: openRegistryClient(registryConnection(config)), wanted: subjects(config.kafka.topicPrefix) };
}

function describeRegistration(registration: Registration): string {
  const { subject, outcome } = registration;
  return outcome === 'refused'
    ? `refused      ${subject}: ${registration.detail}`
    : `${outcome.padEnd(12)} ${subject} (schema ${registration.id})`;
}

function describeState(state: SubjectState): string {
  switch (state.state) {
    case 'registered':
      return `registered   ${state.subject}`;
    case 'missing':
      return `missing      ${state.subject}`;
    case 'different':
      return `different    ${state.subject}: none of its versions is the schema of this version`;
    case 'wrong-compatibility':
      return `wrong        ${state.subject}: compatibility is ${state.compatibility}, not ${COMPATIBILITY}`;
  }
}
