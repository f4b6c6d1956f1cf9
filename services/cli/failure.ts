import { HoldfastError, type ErrorCode } from '../../infra/errors.js';
import { printable } from '../console/printable.js';
import { UsageError } from './usage-error.js';

/** Why a command could not, as `--json` says it on standard error: `{"error": …}`. */
export type Failure = { readonly code: ErrorCode; readonly message: string; readonly retryable: boolean };

export const failureOf = (error: unknown): Failure => {
  if (error instanceof HoldfastError) return { code: error.code, message: error.message, retryable: error.retryable };
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'HOLDFAST_CLI_UNEXPECTED',
    message: `this should not happen: ${message} (HOLDFAST_LOG_LEVEL=debug shows where)`,
    retryable: false,
  };
};

/** The failure for a reader or a script. `debug`: with the place in the program, which says nothing to most. */
export const failureText = (
  error: unknown,
  { json, debug }: { readonly json: boolean; readonly debug: boolean },
): string => {
  const failure = failureOf(error);
  if (json) return `${JSON.stringify({ error: failure })}\n`;
  const lines = failure.message.split('\n').map(printable).join('\n');
  const code = error instanceof UsageError ? '' : ` [${failure.code}]`;
  return `holdfast: ${lines}${code}\n${debug ? `${stackOf(error)}\n` : ''}`;
};

const stackOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? String(error);
  return error.cause === undefined ? stack : `${stack}\ncaused by ${stackOf(error.cause)}`;
};
