import type { ErrorCode, RetryableOf } from './error-catalogue.js';

export type { ErrorCode } from './error-catalogue.js';

/** A code of the catalogue, and whether it is retryable as the catalogue has it: anything else does not compile. */
export type ErrorDetails = {
  readonly [Code in ErrorCode]: {
    readonly code: Code;
    readonly retryable: RetryableOf<Code>;
    readonly cause?: unknown;
  };
}[ErrorCode];

/**
 * The one error base of everything outside `topology/`: what a machine needs to tell failures apart.
 * `code` is stable (`HOLDFAST_<AREA>_<WHAT>`, see `error-catalogue.ts`); `retryable` says whether doing the same again
 * later can succeed.
 */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(message: string, { code, retryable, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = retryable;
  }
}
