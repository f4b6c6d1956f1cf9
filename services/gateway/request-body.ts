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
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > limit) return { kind: 'too-large' };
      chunks.push(chunk);
    }
  } catch {
    return { kind: 'torn' };
  }
  return { kind: 'text', text: Buffer.concat(chunks).toString() };
};
