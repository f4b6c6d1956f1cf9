import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { HoldfastError } from '../../infra/errors.js';
import { checkoutRoot } from '../../infra/local/checkout.js';
import { agentsCommand } from './agents.command.js';
import { backendCommand } from './backend.command.js';
import { reconcileCommand } from './reconcile.command.js';
import { schemasCommand } from './schemas.command.js';
import { serveCommand, upCommand } from './serve.command.js';
import { simulateCommand } from './simulate.command.js';
import { tasksCommand } from './tasks.command.js';
import { topicsCommand } from './topics.command.js';

const COULD_NOT = 2;

function version(): string {
  const manifest = JSON.parse(readFileSync(join(checkoutRoot(), 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}

const program = new Command('holdfast')
  .description('Holds A2A agents to what their cards promise, over Kafka.')
  .version(version())
  .showHelpAfterError()
  .addCommand(simulateCommand())
  .addCommand(serveCommand())
  .addCommand(upCommand())
  .addCommand(topicsCommand())
  .addCommand(schemasCommand())
  .addCommand(backendCommand())
  .addCommand(tasksCommand())
  .addCommand(agentsCommand())
  .addCommand(reconcileCommand());

// Exit codes: 0 clean, 1 findings, 2 could not. A wrong command line is the last kind; commander would say 1.
for (const command of [program, ...program.commands.flatMap((group) => [group, ...group.commands])]) {
  command.exitOverride();
}

// Whoever reads our output may stop reading (`| head`): then nobody wants the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : COULD_NOT;
  } else {
    process.stderr.write(
      `holdfast: ${error instanceof HoldfastError ? `${error.message} [${error.code}]` : String(error)}\n`,
    );
    process.exitCode = COULD_NOT;
  }
}
