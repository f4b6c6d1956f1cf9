import { EXIT } from './exit-codes.js';

/**
 * Aborts on SIGINT and SIGTERM, and sets the exit code that shells expect of a command that was interrupted; a second one
 * ends the process at once.
 */
export const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  for (const [signal, code] of [
    ['SIGINT', EXIT.interrupted],
    ['SIGTERM', EXIT.terminated],
  ] as const)
    process.once(signal, () => {
      process.exitCode = code;
      interrupted.abort();
    });
  return interrupted.signal;
};
