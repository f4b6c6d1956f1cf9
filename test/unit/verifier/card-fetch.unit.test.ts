import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fetchCard, type CardAnswer, type CardRequest } from '../../../infra/http/card-fetch.js';
import { closeServed, served } from './served.js';

jest.setTimeout(20_000);
afterEach(closeServed);

const TTL = 300_000;
const CARD = { name: 'W1', defaultOutputModes: ['text/plain'] };
const MEBIBYTE = 1024 * 1024;

const fetched = async (listener: RequestListener, more: Partial<CardRequest> = {}): Promise<CardAnswer> =>
  fetchCard({ url: await served(listener), defaultTtlMs: TTL, ...more });

describe('a card that is answered properly', () => {
  test('should be read, with its tag and its lifetime', async () => {
    const before = Date.now();

    const answer = await fetched((_, response) =>
      response.setHeader('etag', '"1"').setHeader('cache-control', 'max-age=60').end(JSON.stringify(CARD)),
    );

    expect(answer).toMatchObject({ httpStatus: 200, etag: '"1"', body: { kind: 'json', value: CARD } });
    expect(answer.held).toMatchObject({ etag: '"1"', 'cache-control': 'max-age=60' });
    expect(answer.expiresAt).toBeGreaterThanOrEqual(before + 60_000);
    expect(answer.expiresAt).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test('should be asked for by its tag, and be renewed by 304', async () => {
    let asked: IncomingHttpHeaders = {};

    const answer = await fetched(
      (request, response) => {
        asked = request.headers;
        response.writeHead(304).end();
      },
      { held: { etag: '"1"', 'cache-control': 'max-age=60', age: '50' } },
    );

    expect(asked['if-none-match']).toBe('"1"');
    // With `no-cache` in it, servers never answer 304.
    expect(asked['cache-control']).toBe('max-age=0');
    expect(answer).toMatchObject({ httpStatus: 304, etag: '"1"' });
    expect(answer.body).toBeUndefined();
    expect(answer.expiresAt - Date.now()).toBeGreaterThan(55_000);
  });

  test('should be read whatever compression it came in', async () => {
    const answer = await fetched((_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(JSON.stringify(CARD))),
    );

    expect(answer.body).toStrictEqual({ kind: 'json', value: CARD });
  });

  test('should be followed to another place of the same origin, with the headers', async () => {
    const answer = await fetched(
      (request, response) => {
        if (request.url === '/card') response.end(JSON.stringify({ name: request.headers.authorization }));
        else response.writeHead(302, { location: '/card' }).end();
      },
      { headers: { authorization: 'us' } },
    );

    expect(answer.body).toStrictEqual({ kind: 'json', value: { name: 'us' } });
  });
});

describe('a card that is not', () => {
  const text =
    (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
    (_, response) =>
      response.writeHead(200, headers).end(body);

  test.each<[string, RequestListener, Partial<CardAnswer>]>([
    ['an error', (_, r) => r.writeHead(500).end('{}'), { httpStatus: 500 }],
    ['nothing there', (_, r) => r.writeHead(404).end(JSON.stringify(CARD)), { httpStatus: 404 }],
    ['a connection that is closed', (request) => request.socket.destroy(), { httpStatus: 0 }],
    ['a body that is torn off', (_, r) => r.writeHead(200, { 'content-length': '99' }).write('{'), { httpStatus: 0 }],
    ['no body', text(''), { httpStatus: 200, failure: 'the body is empty' }],
    ['a page', text('<html>log in</html>'), { httpStatus: 200, failure: 'the body is no JSON' }],
    ['half a JSON text', text('{"name":"W1"'), { httpStatus: 200, failure: 'the body is no JSON' }],
    ['no UTF-8', text(Buffer.from([0x22, 0xff, 0x22])), { failure: 'the body cannot be decoded' }],
    ['no gzip', text('{}', { 'content-encoding': 'gzip' }), { failure: 'the body cannot be decoded' }],
    [
      'an encoding nobody asked for',
      text('{}', { 'content-encoding': 'zstd' }),
      { failure: 'the body is in an encoding that was not asked for' },
    ],
    [
      'a body that is too large',
      text(`"${'x'.repeat(MEBIBYTE)}"`),
      { failure: 'the body is larger than 524288 bytes' },
    ],
    [
      'a small body that is too large once it is unpacked',
      text(gzipSync(Buffer.alloc(200 * MEBIBYTE, 0x20)), { 'content-encoding': 'gzip' }),
      { failure: 'the body is larger than 524288 bytes' },
    ],
    [
      'a redirect to another host',
      (_, r) => r.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
      { httpStatus: 302, failure: 'a redirect to another host, http://169.254.169.254, is not followed' },
    ],
    ['a redirect to nowhere', (_, r) => r.writeHead(302).end(), { httpStatus: 302, failure: 'a redirect to nowhere' }],
    [
      'a redirect without an end',
      (_, r) => r.writeHead(302, { location: '/' }).end(),
      { httpStatus: 302, failure: 'more than 3 redirects' },
    ],
  ])('should be an answer without a card: %s', async (_, listener, expected) => {
    const torn: RequestListener = (request, response) => {
      listener(request, response);
      if (expected.httpStatus === 0) setTimeout(() => request.socket.destroy(), 50);
    };

    const answer = await fetched(torn);

    expect(answer).toMatchObject(expected);
    expect(answer.body?.kind).not.toBe('json');
    expect(answer.failure).toBeDefined();
  });

  test('should be waited for no longer than 5 s, however it hangs', async () => {
    const hangs: readonly RequestListener[] = [
      () => undefined,
      (_, response) => {
        const drip = setInterval(() => response.write(' '), 200);
        response.on('close', () => {
          clearInterval(drip);
        });
      },
    ];
    const began = performance.now();

    const answers = await Promise.all(hangs.map((listener) => fetched(listener)));

    expect(performance.now() - began).toBeLessThan(9_000);
    for (const answer of answers)
      expect(answer).toMatchObject({ httpStatus: 0, failure: 'no whole answer within 5000 ms' });
  });

  test('should be given up with the one who asks', async () => {
    const abort = new AbortController();
    const asking = fetched(
      () => {
        abort.abort();
      },
      { signal: abort.signal },
    );

    expect(await asking).toMatchObject({ httpStatus: 0, failure: 'given up' });
  });

  test('should be no answer where nobody listens', async () => {
    const url = await served(() => undefined);
    closeServed();

    expect(await fetchCard({ url, defaultTtlMs: TTL })).toMatchObject({ httpStatus: 0 });
  });
});
