import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect, createServer as createTcp, type AddressInfo, type Server as TcpServer } from 'node:net';
import type { Certificate } from './certificates.js';

/** A server of the test's own on a free port of the loopback interface. */
export type LocalServer = { readonly port: number; readonly stop: () => Promise<void> };

/** http, or https with this certificate. */
export const served = async (listener: RequestListener, certificate?: Certificate): Promise<LocalServer> => {
  const server = certificate === undefined ? createPlain(listener) : createTls(certificate, listener);
  const { port } = await listening(server);
  return {
    port,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Passes connections on, and counts them. */
export const countingProxy = async (target: string): Promise<LocalServer & { readonly connections: () => number }> => {
  let connections = 0;
  const port = Number(target.slice(target.lastIndexOf(':') + 1));
  const server = createTcp((client) => {
    connections += 1;
    const upstream = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    client.pipe(upstream).pipe(client);
  });
  const { port: own } = await listening(server);
  return {
    port: own,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
};

const listening = async (server: Server | TcpServer): Promise<AddressInfo> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address() as AddressInfo;
};
