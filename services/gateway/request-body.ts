import type { IncomingMessage } from 'node:http';

export type RequestBody = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too-large' | 'torn' };

/**
 * The body of a request. `too-large`: it is longer than `limit`, and the rest of it is not read. `torn`: the client hung
 * up in the middle.
 */
export const readRequestBody = async (request: IncomingMessage, limit: number): Promise<RequestBody> => {
  if (Number(request.headers['content-length'] ?? '0') > limit) return { kind: 'too-large' };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop must not destroy the request: the answer goes out on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > limit) return { kind: 'too-large' };
      chunks.push(chunk);
    }
  } catch {
    return { kind: 'torn' };
  }
  return { kind: 'text', text: Buffer.concat(chunks).toString() };
};

const DISCARD_MS = 2_000;
const DISCARD_BYTES = 64 * 1024 * 1024;

/**
 * Throws away what still comes of a body that is not wanted. Closed at once, the connection would be reset, and the client,
 * which is still writing, lose the answer with it (RFC 9112, section 9.6). Resolves when the client has stopped, or has
 * had its chance to.
 */
export const discardRest = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, DISCARD_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (request.complete || request.destroyed) {
      done();
      return;
    }
    request.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > DISCARD_BYTES) done();
    });
    for (const end of ['end', 'close', 'error']) request.once(end, done);
    request.resume();
  });
