import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to the registry that can be shut: what is under way breaks, what comes is refused, as when it is down. */
export class RegistryGate {
  readonly url: string;
  readonly #port: number;
  readonly #to: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(to: URL, server: Server) {
    this.#to = to;
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}${to.pathname}`;
    this.#serve(server);
  }

  static async open(registryUrl: string): Promise<RegistryGate> {
    return new RegistryGate(new URL(registryUrl), await listening(0));
  }

  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  async reopen(): Promise<void> {
    this.#server = await listening(this.#port);
    this.#serve(this.#server);
  }

  #serve(server: Server): void {
    server.on('connection', (client) => {
      const registry = connect({ host: this.#to.hostname, port: Number(this.#to.port) });
      for (const [from, to] of [
        [client, registry],
        [registry, client],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.once('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
  }
}

const listening = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(server);
    });
  });
