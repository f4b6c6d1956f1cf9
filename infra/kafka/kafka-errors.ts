import { HoldfastError } from '../errors.js';
import { BrokerError, FencedError } from '../streams/errors.js';
import { refusalsOf, type Refusal } from './corrections/named-refusals.js';

/** A record batch that cannot be read: its checksum does not match its bytes, or its format is not one read here. */
export class UnreadableBatchError extends HoldfastError {
  constructor(message: string, options: { readonly corrupt: boolean; readonly cause?: unknown }) {
    // Bytes altered on the way are whole again when they are fetched again.
    const kind = options.corrupt
      ? ({ code: 'HOLDFAST_KAFKA_CORRUPT_BATCH', retryable: true } as const)
      : ({ code: 'HOLDFAST_KAFKA_UNREADABLE_BATCH', retryable: false } as const);
    super(message, { ...kind, cause: options.cause });
  }
}

/** The broker refuses this client, or what it asks for, and will refuse it again. */
export class BrokerRefusedError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HOLDFAST_KAFKA_REFUSED', retryable: false, cause });
  }
}

/** The principal of a connection lacks rights. */
export class NotAuthorizedError extends HoldfastError {
  readonly refusals: readonly Refusal[];

  constructor(message: string, refusals: readonly Refusal[], cause?: unknown) {
    super(message, { code: 'HOLDFAST_KAFKA_NOT_AUTHORIZED', retryable: false, cause });
    this.refusals = refusals;
  }
}

/** Where nobody knows whose connection it is. */
export const notAuthorized = (doing: string, refusals: readonly Refusal[], cause?: unknown): NotAuthorizedError => {
  const words = refusals.map(({ operation, resource, name }) => `${operation} ${resource} ${name}`);
  return new NotAuthorizedError(`${doing}: the brokers do not let this principal ${words.join(', ')}`, refusals, cause);
};

/** A record is larger than its topic takes. */
export class RecordTooLargeError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'HOLDFAST_KAFKA_RECORD_TOO_LARGE', retryable: false, cause });
  }
}

/** What kafkajs tells about a failure, dug out from under its wrappers. */
export type KafkajsFailure = { readonly type?: string; readonly name: string; readonly message: string };

/** The innermost error that names a protocol type is the reason; kafkajs wraps what it gave up on. */
export function failureOf(error: unknown): KafkajsFailure {
  const layers: { readonly type?: unknown; readonly name?: unknown; readonly message?: unknown }[] = [];
  let at: unknown = error;
  for (let depth = 0; depth < 8 && typeof at === 'object' && at !== null; depth += 1) {
    layers.push(at);
    const { cause, errors } = at as { cause?: unknown; errors?: readonly unknown[] };
    at = cause ?? errors?.[0];
  }
  const reason = layers.find((layer) => typeof layer.type === 'string') ?? layers.at(-1) ?? {};
  return {
    ...(typeof reason.type === 'string' ? { type: reason.type } : {}),
    name: typeof reason.name === 'string' ? reason.name : 'Error',
    message: typeof reason.message === 'string' && reason.message !== '' ? reason.message : String(error),
  };
}

const REFUSALS =
  /AUTHENTICATION|AUTHORIZATION|UNSUPPORTED|ILLEGAL_SASL|POLICY_VIOLATION|INCONSISTENT_GROUP|^INVALID_(?!PRODUCER|TXN_STATE)/i;

/** Where the broker's own words name no way out. */
const HINTS: Readonly<Record<string, string>> = {
  ILLEGAL_SASL_STATE: 'does the broker ask for SASL at this port, as kafka.sasl says?',
  UNSUPPORTED_SASL_MECHANISM: 'set kafka.sasl.mechanism to one that it does',
};

/** True when a newer epoch of the transactional ID exists, or the broker gave its transaction up. */
export function isFencing(error: unknown): boolean {
  const { type, message } = failureOf(error);
  // Kafka's code 90 is unknown to kafkajs 2.2.4, which keeps it in the text only.
  return type === 'INVALID_PRODUCER_EPOCH' || message === 'Unknown error code 90';
}

/** An error of ours that went through kafkajs's retries comes back as the cause of theirs. */
function holdfastErrorIn(error: unknown): HoldfastError | undefined {
  let at = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if (at instanceof HoldfastError) return at;
    at = at.cause;
  }
  return undefined;
}

/** Translates a failure of kafkajs; errors of ours pass through. */
export function translate(doing: string, error: unknown, transactionalId?: string): HoldfastError {
  const ours = holdfastErrorIn(error);
  if (ours !== undefined) return ours;
  if (transactionalId !== undefined && isFencing(error)) return new FencedError(transactionalId, error);
  const refusals = refusalsOf(error);
  if (refusals.length > 0) return notAuthorized(doing, refusals, error);
  const { type, name, message } = failureOf(error);
  const hint = HINTS[type ?? ''];
  const text = `${doing}: ${type ?? name}: ${message}${hint === undefined ? '' : `: ${hint}`}`;
  if ((type ?? name).includes('TOO_LARGE')) return new RecordTooLargeError(text, error);
  return REFUSALS.test(type ?? name) ? new BrokerRefusedError(text, error) : new BrokerError(text, error);
}
