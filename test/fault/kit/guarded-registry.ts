import { request as requestUpstream, type RequestListener } from 'node:http';
import type { Certificate } from './certificates.js';
import { served, type LocalServer } from './local-server.js';

/** The real registry behind a proxy that asks who one is, as operators put it. */
export type GuardedRegistry = LocalServer & { readonly url: string; readonly requests: () => number };

export const guardRegistry = async (
  registryUrl: string,
  rights: { readonly authorization: string; readonly readOnly?: true; readonly certificate?: Certificate },
): Promise<GuardedRegistry> => {
  const upstream = new URL(registryUrl);
  let requests = 0;
  const guard: RequestListener = (request, response) => {
    requests += 1;
    const isKnown = request.headers.authorization === rights.authorization;
    const isWrite = request.method === 'PUT' || request.url?.endsWith('/versions') === true;
    const refusal = !isKnown ? 401 : rights.readOnly === true && isWrite ? 403 : undefined;
    if (refusal !== undefined) {
      request.resume();
      response.writeHead(refusal, { 'content-type': 'text/html' }).end('<html>no</html>');
      return;
    }
    const { authorization: _, ...headers } = request.headers;
    const passedOn = requestUpstream(
      { host: upstream.hostname, port: upstream.port, path: request.url, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passedOn.on('error', () => response.destroy());
    request.pipe(passedOn);
  };
  const server = await served(guard, rights.certificate);
  const scheme = rights.certificate === undefined ? 'http' : 'https';
  return { ...server, url: `${scheme}://127.0.0.1:${server.port}${upstream.pathname}`, requests: () => requests };
};
