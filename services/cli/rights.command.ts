import { Command, InvalidArgumentError } from 'commander';
import type { HoldfastConfig } from '../../infra/config/config.js';
import { columns } from '../console/columns.js';
import { kafkaAclsCommands } from '../rights/kafka-acls.js';
import { RIGHTS_ROLES, ROLE_NOTES, rightsOf, type Right, type RightsRole } from '../rights/rights.js';
import { choiceOption } from './choices.js';
import { loadConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { print, withJson, type JsonOption } from './output.js';
import { widthOf } from './terminal.js';

type Options = ConfigOptions &
  JsonOption & {
    readonly role?: RightsRole;
    readonly principal?: string;
    readonly group?: string;
    readonly commandConfig?: string;
    readonly format: 'table' | 'kafka-acls';
  };

type RoleRights = { readonly role: RightsRole; readonly principal: string; readonly rights: readonly Right[] };

/** `holdfast rights list`: the ACLs that each role needs on brokers which are already there. Asks no broker. */
export const rightsCommand = (): Command => {
  const rights = withExamples(
    new Command('rights'),
    'holdfast rights list',
    'holdfast rights list --role ledger --principal User:holdfast --format kafka-acls',
  ).description('the rights (ACLs) that Holdfast needs on the brokers');
  withExamples(
    withJson(withConfig(rights.command('list'))),
    'holdfast rights list',
    'holdfast rights list --role gateway --json',
    'holdfast rights list --role consumer --group billing-reports',
    'holdfast rights list --role ledger --principal User:holdfast --format kafka-acls | sh -e',
  )
    .description('what each role needs and nothing else, under the names of the configuration; asks no broker')
    .addOption(choiceOption('--role <role>', 'only this one', RIGHTS_ROLES))
    .option('--principal <principal>', 'whom it is granted to (User:holdfast-ROLE unless given)', principal)
    .option('--command-config <file>', 'for kafka-acls.sh: its file with what an administrator logs in with')
    .option('--group <group>', 'the consumer group of the role "consumer"')
    .addOption(
      choiceOption('--format <format>', 'a table, or commands of Kafka for a shell', ['table', 'kafka-acls']).default(
        'table',
      ),
    )
    .addHelpText('after', ROLES_HELP)
    .action(list);
  return rights;
};

const ROLES_HELP = `\nRoles:\n${RIGHTS_ROLES.map((role) => `  ${role.padEnd(12)}${ROLE_NOTES[role]}`).join('\n')}`;

const principal = (text: string): string => {
  if (!/^\w+:.+/.test(text)) throw new InvalidArgumentError('Kafka names principals TYPE:NAME, as User:holdfast.');
  return text;
};

const list = async (options: Options): Promise<void> => {
  const { kafka } = await loadConfig(options);
  const roles = options.role === undefined ? RIGHTS_ROLES : [options.role];
  const found = roles.map((role) => ({
    role,
    principal: options.principal ?? `User:holdfast-${role}`,
    rights: rightsOf(role, {
      topicPrefix: kafka.topicPrefix,
      ...(options.group === undefined ? {} : { consumerGroup: options.group }),
    }),
  }));
  print(options, found, options.format === 'table' ? table(found) : commands(found, kafka, options.commandConfig));
};

const table = (found: readonly RoleRights[]): readonly string[] =>
  columns(
    ['ROLE', 'PRINCIPAL', 'OPERATION', 'RESOURCE', 'NAME', 'WHY'],
    found.flatMap(({ role, principal: granted, rights }) =>
      rights.map(({ operation, resource, name, pattern, why }) => [
        role,
        granted,
        operation,
        resource,
        pattern === 'Prefixed' ? `${name}*` : name,
        why,
      ]),
    ),
    widthOf(process.stdout),
  );

const commands = (
  found: readonly RoleRights[],
  { brokers }: HoldfastConfig['kafka'],
  login?: string,
): readonly string[] =>
  found.flatMap(({ role, principal: granted, rights }) => [
    `# ${role}: ${ROLE_NOTES[role]}`,
    ...kafkaAclsCommands(rights, granted, brokers, login),
  ]);
