import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.js';
import { failureText } from './failure.js';
import { holdfastProgram } from './program.js';

// Whoever reads our output may stop reading (`| head`): then nobody wants the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`holdfast: standard output cannot be written (${error.code ?? error.message})\n`);
  process.exit(EXIT.couldNot);
});

try {
  await holdfastProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // What was printed is the whole answer.
    process.exitCode = error.exitCode === 0 ? EXIT.clean : EXIT.couldNot;
  } else {
    process.stderr.write(
      failureText(error, { json: asksForJson(), debug: process.env.HOLDFAST_LOG_LEVEL === 'debug' }),
    );
    process.exitCode = EXIT.couldNot;
  }
}

/** By the words themselves: a command line that cannot be understood is answered as its author wants to read it. */
function asksForJson(): boolean {
  const words = process.argv.slice(2);
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).includes('--json');
}
