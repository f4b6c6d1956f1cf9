import { createHmac } from 'node:crypto';
import { own, parseJson, text } from '../../topology/a2a/json.js';

/** What a request says about who sent it. */
export type Credentials = {
  readonly authorization?: string;
  /** Subject of a client certificate that the TLS layer verified. */
  readonly certificateSubject?: string;
  readonly apiKeyId?: string;
};

const BEARER = /^bearer +(\S+)$/i;

/**
 * Issuer and subject of a JWT. The signature is NOT verified: the agent verifies the token it is sent, and what is read
 * here is a hint at identity. It may say whose a unit is; it must never alone open what the agent would not open.
 */
const jwtIdentity = (authorization: string | undefined): readonly string[] | undefined => {
  const [, payload, signature] = BEARER.exec(authorization ?? '')?.[1]?.split('.') ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  const claims = parseJson(Buffer.from(payload, 'base64url').toString());
  const subject = text(own(claims, 'sub'));
  return subject === undefined ? undefined : ['jwt', text(own(claims, 'iss')) ?? '', subject];
};

/**
 * The principal of a request: a salted hash of a stable identity, never of the credential, which rotates (R25). In this
 * order: issuer and subject of a bearer token, subject of the client certificate, ID of the API key; else absent.
 */
export const principalOf = (
  { authorization, certificateSubject, apiKeyId }: Credentials,
  salt: string,
): string | undefined => {
  const identity =
    jwtIdentity(authorization) ??
    (certificateSubject === undefined ? undefined : ['certificate', certificateSubject]) ??
    (apiKeyId === undefined ? undefined : ['api-key', apiKeyId]);
  return identity && createHmac('sha256', salt).update(JSON.stringify(identity)).digest('hex');
};
