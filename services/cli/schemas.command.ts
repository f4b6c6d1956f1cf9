import { Command } from 'commander';
import { HoldfastError } from '../../infra/errors.js';
import { checkAll, registerAll, type Registration, type SubjectState } from '../../infra/registry/registration.js';
import { openRegistryClient, type RegistryClient } from '../../infra/registry/registry-client.js';
import { COMPATIBILITY, subjects, type Subject } from '../../schemas/catalogue.js';

type Options = { readonly registry?: string; readonly topicPrefix?: string; readonly json?: true };

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
  return command
    .option('--registry <url>', 'Confluent-compatible API of the registry (HOLDFAST_REGISTRY_URL)')
    .option('--topic-prefix <prefix>', 'what topic names begin with (HOLDFAST_TOPIC_PREFIX)')
    .option('--json', 'print one JSON object instead of text');
}

async function register(options: Options): Promise<void> {
  const { client, wanted } = open(options);
  const registrations = await registerAll(client, wanted);
  if (registrations.some(({ outcome }) => outcome === 'refused')) process.exitCode = FINDINGS;
  print(options, { registry: client.url, subjects: registrations }, registrations.map(describeRegistration));
}

async function check(options: Options): Promise<void> {
  const { client, wanted } = open(options);
  const states = await checkAll(client, wanted);
  const findings = states.filter(({ state }) => state !== 'registered');
  if (findings.length > 0) process.exitCode = FINDINGS;
  const summary = `${states.length - findings.length} of ${states.length} registered and equal`;
  print(options, { registry: client.url, subjects: states }, [...findings.map(describeState), summary]);
}

function open({ registry, topicPrefix }: Options): {
  readonly client: RegistryClient;
  readonly wanted: readonly Subject[];
} {
  const url = registry ?? process.env.HOLDFAST_REGISTRY_URL ?? '';
  if (!/^https?:\/\//.test(url)) {
    throw new HoldfastError('no registry: give its URL with --registry or in HOLDFAST_REGISTRY_URL', {
      code: 'HOLDFAST_REGISTRY_NOT_CONFIGURED',
      retryable: false,
    });
  }
  const wanted = subjects(topicPrefix ?? process.env.HOLDFAST_TOPIC_PREFIX ?? '');
  return { client: openRegistryClient(url.replace(/\/+$/, '')), wanted };
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
