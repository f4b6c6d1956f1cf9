import { Command } from 'commander';
import { bringUp, keptBackendDirectory, status, takeDown, type KeptBackend } from '../../infra/local/kept-backend.js';
import { progressLine } from '../../infra/local/progress.js';

type Output = { readonly json?: true };

/**
 * `holdfast backend up|down|status`: Kafka and a schema registry of this checkout that stay until they are taken down.
 * `status` sets the exit code to 1 when they are not up.
 */
export function backendCommand(): Command {
  const backend = new Command('backend').description(
    'Kafka and a schema registry as local processes, kept until "down"',
  );
  withJson(backend.command('up')).description('start them, or say where they already are').action(up);
  withJson(backend.command('down')).description('stop them and remove their data').action(down);
  withJson(backend.command('status'))
    .description('whether they are up, and where (exit code 0 up, 1 down)')
    .action(showStatus);
  return backend;
}

function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON object instead of text');
}

async function up({ json }: Output): Promise<void> {
  const progress = progressLine(process.stderr);
  try {
    const { backend, alreadyUp } = await bringUp(keptBackendDirectory(), progress.report);
    progress.done();
    if (!json) process.stderr.write(alreadyUp ? 'The local backend is already up.\n' : 'The local backend is up.\n');
    print(json, { status: 'up', alreadyUp, ...backend }, addresses(backend));
  } finally {
    progress.done();
  }
}

async function down({ json }: Output): Promise<void> {
  const stopped = await takeDown(keptBackendDirectory());
  print(json, { status: 'down', stopped }, stopped ? 'The local backend is down.' : 'The local backend was not up.');
}

async function showStatus({ json }: Output): Promise<void> {
  const { up: isUp, backend } = await status(keptBackendDirectory());
  if (isUp && backend !== undefined) {
    print(json, { status: 'up', ...backend }, addresses(backend));
    return;
  }
  process.exitCode = 1;
  print(json, { status: 'down' }, 'down');
}

function addresses({ brokers, registryUrl }: KeptBackend): string {
  return [
    // Comments, so that a shell can evaluate the whole output.
    `# brokers   ${brokers.join(',')}`,
    `# registry  ${registryUrl}`,
    `export HOLDFAST_KAFKA_BROKERS=${brokers.join(',')}`,
    `export HOLDFAST_REGISTRY_URL=${registryUrl}`,
  ].join('\n');
}

function print(json: true | undefined, data: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(data) : text}\n`);
}
