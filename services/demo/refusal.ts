import { A2AError, isJsonRpcError, TaskNotFoundError } from '@a2a-js/sdk/errors';

/** Why a request to an agent had no answer, as far as a client can act on it. */
export type Refusal = {
  readonly kind: 'not-found' | 'try-again' | 'refused' | 'unreachable';
  readonly text: string;
  readonly code?: number;
};

/** "Not now, ask again": a code of the range that JSON-RPC leaves to servers. */
const TRY_AGAIN = -32090;

/** Sorts what the SDK's client throws. An error inside a stream arrives as the cause of another. */
export const refusalOf = (error: unknown): Refusal => {
  const cause = error instanceof Error && error.cause instanceof A2AError ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  if (!(cause instanceof A2AError)) return { kind: 'unreachable', text };
  const code = isJsonRpcError(cause) ? { code: cause.envelopeCode } : {};
  if (cause instanceof TaskNotFoundError) return { kind: 'not-found', text, ...code };
  return { kind: code.code === TRY_AGAIN ? 'try-again' : 'refused', text, ...code };
};
