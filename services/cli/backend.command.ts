import { Command } from 'commander';
import { bringUp, keptBackendDirectory, status, takeDown, type KeptBackend } from '../../infra/local/kept-backend.js';
import { progressLine } from '../../infra/local/progress.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import { print, withJson, type JsonOption } from './output.js';

/**
 * `holdfast backend up|down|status`: Kafka and a schema registry of this checkout that stay until they are taken down.
 * `status` sets the exit code to 1 when they are not up.
 */
export function backendCommand(): Command {
  const backend = withExamples(new Command('backend'), 'holdfast backend up', 'holdfast backend down').description(
    'Kafka and a schema registry as local processes, kept until "down"',
  );
  withExamples(withJson(backend.command('up')), 'holdfast backend up', 'eval "$(holdfast backend up)"')
    .description('start them, or say where they already are')
    .action(up);
  withExamples(withJson(backend.command('down')), 'holdfast backend down')
    .description('stop them and remove their data')
    .action(down);
  withExamples(withJson(backend.command('status')), 'holdfast backend status --json')
    .description('whether they are up, and where (exit code 0 up, 1 down)')
    .action(showStatus);
  return backend;
}

async function up(options: JsonOption): Promise<void> {
  const progress = progressLine(process.stderr);
  try {
    const { backend, alreadyUp } = await bringUp(keptBackendDirectory(), progress.report);
    progress.done();
    if (options.json !== true)
      process.stderr.write(alreadyUp ? 'The local backend is already up.\n' : 'The local backend is up.\n');
    print(options, { status: 'up', alreadyUp, ...backend }, addresses(backend));
  } finally {
    progress.done();
  }
}

async function down(options: JsonOption): Promise<void> {
  const stopped = await takeDown(keptBackendDirectory());
  print(options, { status: 'down', stopped }, [
    stopped ? 'The local backend is down.' : 'The local backend was not up.',
  ]);
}

async function showStatus(options: JsonOption): Promise<void> {
  const { up: isUp, backend } = await status(keptBackendDirectory());
  if (isUp && backend !== undefined) {
    print(options, { status: 'up', ...backend }, addresses(backend));
    return;
  }
  process.exitCode = EXIT.findings;
  print(options, { status: 'down' }, ['The local backend is down; "holdfast backend up" starts it.']);
}

function addresses({ brokers, registryUrl }: KeptBackend): readonly string[] {
  return [
    // Comments, so that a shell can evaluate the whole output.
    `# brokers   ${brokers.join(',')}`,
    `# registry  ${registryUrl}`,
    `export HOLDFAST_KAFKA_BROKERS=${brokers.join(',')}`,
    `export HOLDFAST_REGISTRY_URL=${registryUrl}`,
  ];
}
