import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createRegistry } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { subjects } from '../../../schemas/catalogue.js';
import { HOLDFAST } from '../../kit/cli/run-holdfast.js';

let scratch: string;
let closing: (() => void)[];

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-stopped-'));
  closing = [];
});

afterEach(() => {
  for (const close of closing) close();
  rmSync(scratch, { recursive: true, force: true });
});

const portOf = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** Takes what it is sent, and never says a word; resolves when somebody has come. */
const silentServer = async (): Promise<{ readonly port: number; readonly reached: Promise<unknown> }> => {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  const reached = new Promise((resolve) => server.once('connection', resolve));
  return { port: await portOf(server), reached };
};

/** Has the schemas of Holdfast. */
const registry = async (): Promise<number> => {
  const schemas = [...new Set(subjects().map(({ schema }) => schema))];
  return portOf(
    createRegistry((request, response) => {
      let body = '';
      request.on('data', (some: Buffer) => (body += some.toString()));
      request.on('end', () => {
        const id = /^\/schemas\/ids\/(\d+)/.exec(request.url ?? '')?.[1];
        if (id !== undefined) response.end(JSON.stringify({ schema: schemas[Number(id) - 1] }));
        else {
          const { schema } = JSON.parse(body) as { readonly schema: string };
          response.end(JSON.stringify({ id: schemas.indexOf(schema) + 1, version: 1, subject: 'any', schema }));
        }
      });
    }),
  );
};

/** `serve ledger` told to stop once `reached`; how it ended, and what it said last. */
const stopped = async (brokerPort: number, registryPort: number, reached: Promise<unknown>, signal: NodeJS.Signals) => {
  const child = spawn(process.execPath, [HOLDFAST, 'serve', 'ledger', '--instance', 'i'], {
    env: {
      ...process.env,
      HOLDFAST_KAFKA_BROKERS: `127.0.0.1:${brokerPort}`,
      HOLDFAST_REGISTRY_URL: `http://127.0.0.1:${registryPort}`,
      HOLDFAST_STATE_DIR: join(scratch, 'state'),
    },
  });
  closing.push(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (some: Buffer) => (stderr += some.toString()));
  const ended = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve) =>
    child.on('close', (code, killedBy) => {
      resolve({ code, signal: killedBy });
    }),
  );
  const early = ended.then(() => {
    throw new Error(`it ended by itself: ${stderr}`);
  });
  await Promise.race([reached, early]);
  early.catch(() => undefined);
  child.kill(signal);
  return { ...(await ended), said: messagesIn(stderr).slice(1) };
};

const messagesIn = (log: string): readonly unknown[] =>
  log
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

describe('serve, told to stop while it starts', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'should end when no broker answers: %s',
    async (signal) => {
      const broker = await silentServer();

      expect(await stopped(broker.port, await registry(), broker.reached, signal)).toStrictEqual({
        code: 0,
        signal: null,
        said: ['stopped while the ledger was starting'],
      });
    },
    60_000,
  );

  it('should end when the registry holds its answer back', async () => {
    const [broker, held] = [await silentServer(), await silentServer()];

    expect(await stopped(broker.port, held.port, held.reached, 'SIGTERM')).toStrictEqual({
      code: 0,
      signal: null,
      said: ['stopped while the schema registry gave no answer'],
    });
  }, 60_000);
});
