import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { HoldfastError } from '../errors.js';

const LOWEST = 15_000;
// Below the range from which systems take the ports of outgoing connections: one of those could otherwise get a port
// between this look and the moment the server binds it, or while a broker is being restarted.
const HIGHEST = 32_000;
const ATTEMPTS = 200;

/**
 * Different TCP ports of the loopback interface that nobody listens on at this moment.
 * @throws HoldfastError `HOLDFAST_BACKEND_NO_PORT` (retryable).
 */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; attempt < ATTEMPTS && found.size < count; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await canBind(port)) found.add(port);
  }
  if (found.size === count) return [...found];
  throw new HoldfastError(`Found no ${count} free ports on 127.0.0.1 between ${LOWEST} and ${HIGHEST}.`, {
    code: 'HOLDFAST_BACKEND_NO_PORT',
    retryable: true,
  });
}

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => {
      resolve(false);
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
