import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that behaves as it is told to, from one request to the next. */
export class HostileAgent {
  readonly id: string;
  readonly url: string;
  readonly #server: Server;
  #behave: RequestListener;

  static async start(id: string, behave: RequestListener): Promise<HostileAgent> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HostileAgent(id, server, behave);
  }

  private constructor(id: string, server: Server, behave: RequestListener) {
    this.id = id;
    this.#server = server;
    this.#behave = behave;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      this.#behave(request, response);
    });
  }

  become(behave: RequestListener): void {
    this.#behave = behave;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export const MEBIBYTE = 1024 * 1024;
const CHUNK = Buffer.alloc(MEBIBYTE, 0x78);

/** Writes so many MiB, as fast as they are taken. */
export const flood = (response: ServerResponse, mebibytes = 1024): ServerResponse => {
  let left = mebibytes;
  const go = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(CHUNK)) {
        response.once('drain', go);
        return;
      }
    }
    response.end();
  };
  go();
  return response;
};

/** Writes `begin`, then a character again and again, with pauses, straight to the connection: a head is part of it. */
export const drip = (response: ServerResponse, begin: string, on: string): ServerResponse => {
  const { socket } = response;
  socket?.write(begin);
  const timer = setInterval(() => {
    if (socket === null || socket.destroyed) clearInterval(timer);
    else socket.write(on);
  }, 50);
  response.on('close', () => {
    clearInterval(timer);
  });
  return response;
};

/** Most that the process has grown while something went on, in MiB. */
export const growthDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return (most - before) / MEBIBYTE;
};
