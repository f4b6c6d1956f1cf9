/**
 * The one error base of everything outside `topology/`: what a machine needs to tell failures apart.
 * `code` is stable (`HOLDFAST_<AREA>_<WHAT>`); `retryable` says whether doing the same again later can succeed.
 */
export class HoldfastError extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor(message: string, options: { code: string; retryable: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.retryable = options.retryable;
  }
}
