import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { kafkaTool } from '../../../infra/local/kafka-tool.js';
import type { RightsRole } from '../../../services/rights/rights.js';
import { textOf } from './guarded-kafka.js';
import type { GuardedMesh } from './guarded-mesh.js';

/** What `holdfast rights list --format kafka-acls` prints, put to a shell in which `kafka-acls.sh` is Kafka's own tool. */
export const grantedByCommands = async (mesh: GuardedMesh, role: RightsRole): Promise<readonly string[]> => {
  const principal = `${role}-by-commands`;
  const { brokers } = mesh.kafka.broker;
  const flags = ['--role', role, '--principal', `User:${principal}`, '--format', 'kafka-acls'];
  const { stdout } = await mesh.run(role, ['rights', 'list', ...flags, '--brokers', brokers.join(',')]);
  const { command, args } = await kafkaTool('org.apache.kafka.tools.AclCommand', []);
  const tool = [command, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  // A function may have a dot in its name in bash, not in every shell.
  const script = `set -e\nfunction kafka-acls.sh { ${tool} "$@"; }\n${stdout}`;
  await promisify(execFile)('bash', ['-c', script]);
  return (await mesh.kafka.granted(principal)).map(textOf).toSorted();
};
