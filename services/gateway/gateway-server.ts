import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { serveCard } from './card-endpoint.js';
import type { Gateway } from './gateway.js';
import { serveJsonRpc } from './json-rpc-endpoint.js';
import { failureOf } from './refusal.js';

export type GatewayServer = {
  readonly url: string;
  /** Takes no more, ends streams, waits for requests in flight (`drainMs` at most), then closes every connection. */
  readonly stop: () => Promise<void>;
};

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly agentId: string };
type Route = {
  readonly path: RegExp;
  readonly methods: readonly string[];
  readonly serve: (exchange: Exchange) => Promise<void> | void;
};

/** How long a client may take to send its request, ms. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Serves until it is stopped. Another binding is another route. @throws Error the address cannot be listened on */
export const serveGateway = async (
  gateway: Gateway,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<GatewayServer> => {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  const closing = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const { agents, logger, settings } = gateway.parts;
  const routes: readonly Route[] = [
    {
      path: /^\/healthz$/,
      methods: ['GET', 'HEAD'],
      serve: ({ response }) => {
        json(response, closing.signal.aborted ? 503 : 200, { status: closing.signal.aborted ? 'stopping' : 'ok' });
      },
    },
    {
      path: /^\/agents\/([^/]+)\/\.well-known\/agent-card\.json$/,
      methods: ['GET', 'HEAD'],
      serve: async ({ agentId, request, response }) => {
        if (agents.knows(agentId)) await serveCard(agents, agentId, request, response);
        else json(response, 404, { error: `no agent is called ${JSON.stringify(agentId)}` });
      },
    },
    {
      path: /^\/agents\/([^/]+)\/?$/,
      methods: ['POST'],
      serve: ({ agentId, request, response }) => serveJsonRpc(gateway, agentId, request, response, closing.signal),
    },
  ];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await serveRoute(routes, request, response);
    } catch (error) {
      logger.warn({ err: error, path: request.url }, 'a request failed');
      const { error: told, status } = failureOf(error);
      if (response.headersSent) response.destroy();
      else json(response, status ?? 500, { error: told.message });
    }
  };
  server.on('request', (request, response) => {
    if (closing.signal.aborted) response.setHeader('connection', 'close');
    const answering = answer(request, response).finally(() => inFlight.delete(answering));
    inFlight.add(answering);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const heard = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${heard}`,
    stop: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeIdleConnections();
      const deadline = new AbortController();
      await Promise.race([
        Promise.allSettled([...inFlight]),
        delay(settings.drainMs, undefined, deadline).catch(() => undefined),
      ]);
      deadline.abort();
      server.closeAllConnections();
      await closed;
    },
  };
};

const serveRoute = async (
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const path = (request.url ?? '').replace(/\?.*$/s, '');
  for (const route of routes) {
    const found = route.path.exec(path);
    if (found === null) continue;
    if (!route.methods.includes(request.method ?? '')) {
      response.setHeader('allow', route.methods.join(', '));
      json(response, 405, { error: 'this method is not allowed here' });
      return;
    }
    await route.serve({ request, response, agentId: decoded(found[1] ?? '') });
    return;
  }
  json(response, 404, { error: 'nothing is here' });
};

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const json = (response: ServerResponse, status: number, value: unknown): void => {
  const text = JSON.stringify(value);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
};
