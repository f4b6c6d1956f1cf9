import { Command } from 'commander';
import { HoldfastError } from '../../infra/errors.js';
import { checkAll, registerAll, type Registration, type SubjectState } from '../../infra/registry/registration.js';
import { openRegistryClient, type RegistryClient } from '../../infra/registry/registry-client.js';
import { COMPATIBILITY, subjects, type Subject } from '../../schemas/catalogue.js';
import { findConfig, withConfig, type ConfigOptions } from './config-options.js';

type Options = ConfigOptions & { readonly json?: true };

const FINDINGS = 1;

/**
 * `holdfast schemas register|check`: the schemas of this version in a registry. Services never register; this does.
 * Sets the exit code to 1 where a schema was refused, or differs from what is registered.
 */
export function schemasCommand(): Command {
  const schemas = new Command('schemas').description('the schemas of this version in the schema registry');
  withOptions(schemas.command('register'))
    .description(`register every schema under its subject, with compatibility ${COMPATIBILITY}`)
    .action(register);
  withOptions(schemas.command('check'))
    .description('compare the registry with this version (exit code 0 equal, 1 differences)')
    .action(check);
  return schemas;
}

function withOptions(command: Command): Command {
  return withConfig(command).option('--json', 'print one JSON object instead of text');
}

async function register(options: Options): Promise<void> {
  const { client, wanted } = await open(options);
  const registrations = await registerAll(client, wanted);
  if (registrations.some(({ outcome }) => outcome === 'refused')) process.exitCode = FINDINGS;
  print(options, { registry: client.url, subjects: registrations }, registrations.map(describeRegistration));
}

async function check(options: Options): Promise<void> {
  const { client, wanted } = await open(options);
  const states = await checkAll(client, wanted);
  const findings = states.filter(({ state }) => state !== 'registered');
  if (findings.length > 0) process.exitCode = FINDINGS;
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
  const url = config.registry.url.replace(/\/+$/, '');
  return { client: openRegistryClient(url), wanted: subjects(config.kafka.topicPrefix) };
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

function print({ json }: Options, data: object, lines: readonly string[]): void {
  process.stdout.write(`${json ? JSON.stringify(data) : lines.join('\n')}\n`);
}
