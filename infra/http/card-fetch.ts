import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseJson } from '../../topology/a2a/json.js';
import { readEndpoint } from './agent-endpoint.js';
import { cacheHeadersOf, conditionsOf, freshUntil, renewedHeaders, type CacheHeaders } from './card-freshness.js';
import { Egress, EgressRefusedError, type Reach } from './egress.js';

/** A question for an agent's card. */
export type CardRequest = {
  readonly url: string;
  /** Beside our own; they go to this origin only. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the answer that is held: an unchanged card is answered by 304 then. */
  readonly held?: CacheHeaders;
  /** Where the card that is held may lead: this one must not come from a less public place (a name that was rebound). */
  readonly reach?: Reach;
  /** What may be called; absent: no exceptions are listed. */
  readonly egress?: Egress;
  /** Freshness where the answer says nothing, ms (R7). */
  readonly defaultTtlMs: number;
  readonly signal?: AbortSignal;
};

/** What became of it. An agent that does not answer, or not properly, is an answer like any other. */
export type CardAnswer = {
  /** 0: no answer. */
  readonly httpStatus: number;
  readonly etag?: string;
  readonly expiresAt: number;
  /** Absent where there was none (304, an error). */
  readonly body?:
    { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'invalid'; readonly reason: string };
  /** Where the card may lead, of a 2xx or a 304. */
  readonly reach?: Reach;
  /** What to hold for the next question, of a 2xx or a 304. */
  readonly held?: CacheHeaders;
  /** What went wrong, for people. */
  readonly failure?: string;
};

/** From the first byte sent to the last one read, redirects included. */
const DEADLINE_MS = 5_000;
/** After decompression. What a card says has to be held by one record. */
const MAX_BODY_BYTES = 512 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Fetches a card and lets the other side hold nothing up: at most 5 s and 512 KiB, whatever is sent how slowly. A redirect
 * is followed inside its own origin only: whoever may answer for an agent was told by the operator. A card that leads to
 * where it must not (`Egress`) is no good card. Never rejects.
 */
export const fetchCard = async (request: CardRequest): Promise<CardAnswer> => {
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new Refusal(`no whole answer within ${DEADLINE_MS} ms`));
  }, DEADLINE_MS);
  const giveUp = (): void => {
    deadline.abort(new Refusal('given up'));
  };
  request.signal?.addEventListener('abort', giveUp, { once: true });
  if (request.signal?.aborted === true) giveUp();
  try {
    return await ask(request, deadline.signal);
  } catch (error) {
    const cause: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
    return { httpStatus: 0, expiresAt: Date.now(), failure: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', giveUp);
  }
};

/** Something that the other side did and that is not put up with. */
class Refusal extends Error {}

const ask = async (request: CardRequest, signal: AbortSignal): Promise<CardAnswer> => {
  const { egress = STRICT } = request;
  let url = new URL(request.url);
  let reach = request.reach ?? egress.anywhere;
  for (let redirects = 0; ; redirects += 1) {
    reach.check(url.href);
    const response = await open(url, request, reach, signal);
    reach = egress.from(url, response.socket.remoteAddress);
    const status = response.statusCode ?? 0;
    if (!REDIRECTS.includes(status)) return read(response, request, reach, signal);
    response.destroy();
    const failed = (failure: string): CardAnswer => ({ httpStatus: status, expiresAt: Date.now(), failure });
    const to = response.headers.location;
    if (to === undefined || !URL.canParse(to, url.href)) return failed('a redirect to nowhere');
    const target = new URL(to, url.href);
    if (target.origin !== url.origin) return failed(`a redirect to another host, ${target.origin}, is not followed`);
    if (redirects === MAX_REDIRECTS) return failed(`more than ${MAX_REDIRECTS} redirects`);
    url = target;
  }
};

const STRICT = new Egress();

const open = (
  url: URL,
  { headers, held }: CardRequest,
  { lookup }: Reach,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        // A connection that was kept from before may lead to a process that is gone.
        agent: false,
        lookup,
        signal,
        headers: {
          ...headers,
          accept: 'application/json',
          'accept-encoding': 'gzip, deflate, br',
          'a2a-version': '1.0',
          // Whoever is in between has to ask the agent. `no-cache` would say so too, but servers never answer it by 304.
          'cache-control': 'max-age=0',
          ...conditionsOf(held ?? {}),
        },
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end();
  });

const read = async (
  response: IncomingMessage,
  { held, defaultTtlMs }: CardRequest,
  reach: Reach,
  signal: AbortSignal,
): Promise<CardAnswer> => {
  const httpStatus = response.statusCode ?? 0;
  const receivedAt = Date.now();
  const said = cacheHeadersOf(response.headers);
  if (httpStatus === 304) {
    response.destroy();
    // Nothing was asked that could be answered by it.
    if (Object.keys(conditionsOf(held ?? {})).length === 0)
      return { httpStatus, expiresAt: receivedAt, failure: '304 to a question without a condition' };
    const renewed = renewedHeaders(held ?? {}, said);
    const expiresAt = freshUntil(renewed, receivedAt, defaultTtlMs);
    return { httpStatus, ...etagOf(renewed), expiresAt, held: renewed, reach };
  }
  if (httpStatus < 200 || httpStatus > 299) {
    response.destroy();
    return { httpStatus, expiresAt: receivedAt, failure: `HTTP ${httpStatus}` };
  }
  const body = await checked(await readJson(response, signal), reach, signal);
  const expiresAt = freshUntil(said, receivedAt, defaultTtlMs);
  const head = { httpStatus, ...etagOf(said), expiresAt, held: said, reach };
  if (body === undefined) return { ...head, failure: 'the body is empty' };
  return { ...head, body, ...(body.kind === 'invalid' ? { failure: body.reason } : {}) };
};

const etagOf = ({ etag }: CacheHeaders): { readonly etag?: string } => (etag === undefined ? {} : { etag });

/** A card whose interface must not be called is no good card: it would be believed and never reached. */
const checked = async (body: CardAnswer['body'], reach: Reach, signal: AbortSignal): Promise<CardAnswer['body']> => {
  const endpoint = body?.kind === 'json' ? readEndpoint(body.value) : undefined;
  if (endpoint === undefined) return body;
  try {
    await Promise.race([reach.checkName(endpoint.url), aborted(signal)]);
    return body;
  } catch (error) {
    if (error instanceof EgressRefusedError) return { kind: 'invalid', reason: `its interface ${error.message}` };
    throw error;
  }
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });

const readJson = async (response: IncomingMessage, signal: AbortSignal): Promise<CardAnswer['body']> => {
  const invalid = (reason: string): CardAnswer['body'] => ({ kind: 'invalid', reason });
  const decoded = decode(response);
  if (decoded === undefined) {
    response.destroy();
    return invalid('the body is in an encoding that was not asked for');
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return invalid(`the body is larger than ${MAX_BODY_BYTES} bytes`);
      chunks.push(chunk);
    }
    // A body without a length ends with its connection, also where we ended that.
    signal.throwIfAborted();
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    if (text.trim() === '') return undefined;
    const value = parseJson(text);
    return value === undefined ? invalid('the body is no JSON') : { kind: 'json', value };
  } catch (error) {
    // Too slow, or torn off: then there was no answer. Whole and unreadable is another matter.
    if (signal.aborted || !response.complete) throw error;
    return invalid('the body cannot be decoded');
  } finally {
    response.destroy();
  }
};

const decode = (response: IncomingMessage): Readable | undefined => {
  const through = (stream: Transform): Readable => pipeline(response, stream, () => undefined);
  switch (response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity') {
    case 'identity':
    case '':
      return response;
    case 'gzip':
    case 'x-gzip':
      return through(createGunzip());
    case 'deflate':
      return through(createInflate());
    case 'br':
      return through(createBrotliDecompress());
    default:
      return undefined;
  }
};
