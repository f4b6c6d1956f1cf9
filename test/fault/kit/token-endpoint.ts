import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Certificate } from './certificates.js';
import { served, type LocalServer } from './local-server.js';

/** A token endpoint for one client (RFC 6749 §4.4), whose tokens a broker takes that verifies no signatures. */
export type TokenEndpoint = LocalServer & { readonly url: string; readonly requests: () => number };

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT without a signature. */
export const unsignedToken = (subject: string, lifeSeconds: number): string => {
  const now = Math.floor(Date.now() / 1000);
  return `${encoded({ alg: 'none' })}.${encoded({ sub: subject, iat: now, exp: now + lifeSeconds })}.`;
};

export const serveTokens = async (
  client: { readonly id: string; readonly secret: string; readonly scope: string; readonly lifeSeconds: number },
  certificate?: Certificate,
): Promise<TokenEndpoint> => {
  let requests = 0;
  const known = `Basic ${Buffer.from(`${client.id}:${encodeURIComponent(client.secret)}`).toString('base64')}`;
  const answer = async (request: Parameters<RequestListener>[0]): Promise<readonly [status: number, body: object]> => {
    requests += 1;
    const form = new URLSearchParams(await text(request));
    if (request.headers.authorization !== known) return [401, { error: 'invalid_client' }];
    if (form.get('grant_type') !== 'client_credentials') return [400, { error: 'unsupported_grant_type' }];
    if (form.get('scope') !== client.scope) return [400, { error: 'invalid_scope' }];
    const token = unsignedToken(client.id, client.lifeSeconds);
    return [200, { access_token: token, token_type: 'Bearer', expires_in: client.lifeSeconds }];
  };
  const server = await served((request, response) => {
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  }, certificate);
  const scheme = certificate === undefined ? 'http' : 'https';
  return { ...server, url: `${scheme}://127.0.0.1:${server.port}/token`, requests: () => requests };
};
