import { HoldfastError } from '../../infra/errors.js';

/** The command line itself is wrong. */
export class UsageError extends HoldfastError {
  /** `path`: the command that was called, as in `holdfast tasks list`. */
  constructor(what: string, path: string) {
    super(`${what}\nSee "${path} --help".`, { code: 'HOLDFAST_CLI_USAGE', retryable: false });
  }
}
