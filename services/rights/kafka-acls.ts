import type { Right } from './rights.js';

/**
 * The rights as commands for Kafka's own tool, a line each: what is granted on the same resource is granted by one.
 * @param brokers `host:port`, as `--bootstrap-server` takes them
 * @param commandConfig file with what an administrator logs in with, as `--command-config` takes it
 */
export const kafkaAclsCommands = (
  rights: readonly Right[],
  principal: string,
  brokers: readonly string[],
  commandConfig?: string,
): readonly string[] => {
  const login = commandConfig === undefined ? '' : ` --command-config ${quoted(commandConfig)}`;
  const resources = new Map<string, string[]>();
  for (const { operation, ...of } of rights) {
    const resource = resourceOptions(of);
    resources.set(resource, [...(resources.get(resource) ?? []), `--operation ${operation}`]);
  }
  return [...resources].map(
    ([resource, operations]) =>
      `kafka-acls.sh --bootstrap-server ${brokers.join(',')}${login} --add --allow-principal ${quoted(principal)} ` +
      `${operations.join(' ')} ${resource}`,
  );
};

const RESOURCE_OPTIONS: Readonly<Record<Right['resource'], string>> = {
  Topic: '--topic',
  Group: '--group',
  TransactionalId: '--transactional-id',
};

const resourceOptions = ({ resource, name, pattern }: Pick<Right, 'resource' | 'name' | 'pattern'>): string =>
  `${RESOURCE_OPTIONS[resource]} ${quoted(name)}${pattern === 'Prefixed' ? ' --resource-pattern-type prefixed' : ''}`;

/** For a shell: a principal may be the subject of a certificate. */
const quoted = (text: string): string =>
  /^[\w.:/@=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
