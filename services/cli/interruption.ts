import { EXIT } from './exit-codes.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Aborts on SIGINT and SIGTERM, and sets the exit code that shells expect of a command that was interrupted; a second one
 * ends the process at once.
 */
export const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  const told = (signal: NodeJS.Signals): void => {
    for (const one of SIGNALS) process.off(one, told);
    process.exitCode = signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
    interrupted.abort();
  };
  for (const signal of SIGNALS) process.on(signal, told);
  return interrupted.signal;
};
