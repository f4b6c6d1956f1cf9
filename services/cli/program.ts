import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type CommanderError } from 'commander';
import { checkoutRoot } from '../../infra/local/checkout.js';
import { agentsCommand } from './agents.command.js';
import { backendCommand } from './backend.command.js';
import { pathOf } from './command-tree.js';
import { completionCommand } from './completion/completion.command.js';
import { configCommand } from './config.command.js';
import { doctorCommand } from './doctor.command.js';
import { deadLettersCommand } from './dead-letters.command.js';
import { withExamples } from './examples.js';
import { reconcileCommand } from './reconcile.command.js';
import { rightsCommand } from './rights.command.js';
import { schemasCommand } from './schemas.command.js';
import { serveCommand, upCommand } from './serve.command.js';
import { simulateCommand } from './simulate.command.js';
import { tailCommand } from './tail.command.js';
import { tasksCommand } from './tasks.command.js';
import { topicsCommand } from './topics.command.js';
import { UsageError } from './usage-error.js';

/** Every command, in the order of the help. */
const COMMANDS: readonly (() => Command)[] = [
  simulateCommand,
  serveCommand,
  upCommand,
  topicsCommand,
  rightsCommand,
  schemasCommand,
  backendCommand,
  configCommand,
  tasksCommand,
  agentsCommand,
  reconcileCommand,
  tailCommand,
  doctorCommand,
  deadLettersCommand,
];

/** The whole command line. `parseAsync` throws UsageError, and CommanderError where help or version was printed. */
export const holdfastProgram = (): Command => {
  const program = withExamples(new Command('holdfast'), 'holdfast backend up', 'holdfast tasks list --help')
    .description('Holds A2A agents to what their cards promise, over Kafka.')
    .version(version(), '-V, --version', 'print the version')
    .option('--no-color', 'no colours (NO_COLOR; FORCE_COLOR: also off a terminal)')
    .on('option:no-color', () => {
      process.env.NO_COLOR = '1';
    });
  for (const command of COMMANDS) program.addCommand(command());
  program.addCommand(completionCommand(program));
  settle(program);
  return program;
};

/** What holds for every command: failures are thrown, for `main` to tell, and help lists the options of all. */
const settle = (command: Command): void => {
  command
    .exitOverride((end) => {
      throw isAnswer(end) ? end : new UsageError(end.message.replace(/^error: /, ''), pathOf(command));
    })
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .helpOption('-h, --help', 'print this help');
  for (const below of command.commands) settle(below);
};

/** Help or the version was printed: asked for, or because nothing was. */
export const isAnswer = ({ code }: CommanderError): boolean => /^commander\.(help|version)/.test(code);

const version = (): string => {
  const manifest = JSON.parse(readFileSync(join(checkoutRoot(), 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
};
