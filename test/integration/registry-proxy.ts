import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a registry says instead of the truth. `honest` passes the question on and the answer back. */
export type Lie = (
  asked: { readonly method: string; readonly path: string },
  response: ServerResponse,
  honest: () => Promise<void>,
) => void | Promise<void>;

/**
 * A way to the real registry that a test has in its hand: it passes everything on, until it is shut (what is under way
 * breaks, what comes is refused, as when the registry is down) or told to lie.
 */
export class RegistryProxy {
  readonly url: string;
  /** Every question, as `GET /schemas/ids/7`. */
  readonly asked: string[] = [];
  lie: Lie | undefined;
  readonly #port: number;
  readonly #to: URL;
  #server: Server | undefined;

  private constructor(to: URL, server: Server) {
    this.#to = to;
    this.#port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}${to.pathname}`;
    this.#serve(server);
  }

  static async open(registryUrl: string): Promise<RegistryProxy> {
    return new RegistryProxy(new URL(registryUrl), await listening(0));
  }

  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async reopen(): Promise<void> {
    if (this.#server === undefined) this.#serve(await listening(this.#port));
  }

  /** How often a question was put that begins so. */
  times(question: string): number {
    return this.asked.filter((one) => one.startsWith(question)).length;
  }

  #serve(server: Server): void {
    this.#server = server;
    server.on('request', (incoming, response) => {
      void this.#answer(incoming, response).catch(() => response.destroy());
    });
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    const asked = { method: incoming.method ?? '', path: (incoming.url ?? '').slice(this.#to.pathname.length) };
    this.asked.push(`${asked.method} ${asked.path}`);
    const honest = (): Promise<void> => this.#forward(incoming, body, response);
    await (this.lie ?? ((_, __, pass) => pass()))(asked, response, honest);
  }

  #forward(incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
      const { headers, method, url } = incoming;
      const onward = request(
        {
          ...{ host: this.#to.hostname, port: this.#to.port, path: url, method },
          headers: { ...headers, host: this.#to.host, connection: 'close' },
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? '' });
          answer.pipe(response);
          answer.once('error', reject);
          response.once('close', resolve);
        },
      );
      onward.once('error', reject);
      onward.end(body);
    });
  }
}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const listening = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve(server);
    });
  });
