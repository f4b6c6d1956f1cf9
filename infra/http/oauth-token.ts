import { HoldfastError } from '../errors.js';
import { httpRequest } from './http-request.js';
import type { Agent } from 'node:http';

/** A client of an authorization server (RFC 6749 §4.4). */
export type OAuthClient = {
  readonly tokenEndpoint: string;
  readonly clientId: string;
  /** Asked for with each token. */
  readonly clientSecret: () => string;
  readonly scope?: string;
  readonly agent: Agent;
};

/** The token endpoint cannot be reached, or does not know what to say. */
export class TokenUnavailableError extends HoldfastError {
  constructor(endpoint: string, detail: string, cause?: unknown) {
    super(`the token endpoint ${endpoint} gives no token: ${detail}`, {
      code: 'HOLDFAST_OAUTH_UNAVAILABLE',
      retryable: true,
      cause,
    });
  }
}

/** The token endpoint does not give this client a token. */
export class TokenRefusedError extends HoldfastError {
  constructor(endpoint: string, detail: string) {
    super(
      `the token endpoint ${endpoint} refuses: ${detail} (are clientId, clientSecret and scope of kafka.sasl right?)`,
      { code: 'HOLDFAST_OAUTH_REFUSED', retryable: false },
    );
  }
}

type Token = { readonly value: string; readonly renewAt: number };

const TIMEOUT_MS = 10_000;
/** No token is longer by far. */
const MOST_BYTES = 1024 * 1024;
/** A token is renewed when a fifth of its life is left, as Kafka's own clients do, or so much: a broker that is told a
 * new one just before the old one ends needs time to hear it, ms. */
const EARLY_SHARE = 0.2;
const EARLY_MS = 20_000;

/** Tokens of a client, each given out until it is to be renewed. @throws TokenUnavailableError, TokenRefusedError */
export const clientCredentialsTokens = (client: OAuthClient): (() => Promise<string>) => {
  let held: Token | undefined;
  let asking: Promise<Token> | undefined;
  return async () => {
    if (held !== undefined && performance.now() < held.renewAt) return held.value;
    asking ??= askForToken(client).finally(() => (asking = undefined));
    held = await asking;
    return held.value;
  };
};

const askForToken = async (client: OAuthClient): Promise<Token> => {
  const { tokenEndpoint, clientId, clientSecret, scope, agent } = client;
  const askedAt = performance.now();
  const basic = [clientId, clientSecret()].map(encodeURIComponent).join(':');
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
  const { status, text } = await httpRequest(tokenEndpoint, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
    timeoutMs: TIMEOUT_MS,
    mostBytes: MOST_BYTES,
    agent,
  }).catch((error: unknown) => {
    if (error instanceof HoldfastError) throw error;
    throw new TokenUnavailableError(tokenEndpoint, error instanceof Error ? error.message : String(error), error);
  });
  const answer = objectIn(text);
  if (status >= 400 && status < 500 && status !== 429)
    throw new TokenRefusedError(tokenEndpoint, refusal(status, answer));
  const { access_token: value, expires_in: seconds } = answer;
  if (status !== 200 || typeof value !== 'string')
    throw new TokenUnavailableError(tokenEndpoint, `it answers ${status} without a token`);
  const lifeMs = typeof seconds === 'number' ? seconds * 1_000 : 0;
  return { value, renewAt: askedAt + lifeMs - Math.max(lifeMs * EARLY_SHARE, EARLY_MS) };
};

const refusal = (
  status: number,
  { error, error_description: description }: Readonly<Record<string, unknown>>,
): string => [String(status), error, description].filter((part) => typeof part === 'string').join(', ');

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};
