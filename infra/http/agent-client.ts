import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { BodyAnswer, StreamAnswer, WireExchange, WireRequest } from '../../topology/a2a/exchange.js';
import { readBody } from '../../topology/a2a/json.js';
import { endSse, heldCharacters, openSse, readSse, type SseEvent } from '../../topology/a2a/stream.js';

/** One JSON-RPC call to an agent. */
export type AgentCall = {
  /** The interface's URL, as the card names it. */
  readonly url: string;
  /** The request envelope. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without a word for so long the call is over, ms. */
  readonly timeoutMs: number;
  /** A connection of its own: nothing is shared with calls before (R43). */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
  /** Told the headers of the answer as soon as they are there, for whoever passes the answer on. */
  readonly onHeaders?: (headers: IncomingHttpHeaders) => void;
};

export type AgentExchange = WireExchange & { readonly kind: 'call' };

/** What an agent may make us hold: a body, or an event that is not whole yet. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/**
 * Calls an agent and records the exchange, whatever becomes of it: a refused connection, a timeout or a broken body is an
 * answer like any other, never an exception. Events of a stream go to `onEvent`, one after the other, before the next is
 * read; the recorded answer keeps them only where nobody takes them.
 */
export const callAgent = async (
  call: AgentCall,
  onEvent?: (event: SseEvent, head: Head) => Promise<void>,
): Promise<AgentExchange> => {
  const request: WireRequest = {
    binding: 'JSONRPC',
    headers: { 'a2a-version': '1.0', ...call.headers },
    body: call.body,
  };
  return { kind: 'call', request, answer: await send(call, request, onEvent) };
};

type Head = { readonly status: number; readonly contentType?: string };
type Answer = BodyAnswer | StreamAnswer;

const send = async (
  call: AgentCall,
  { headers }: WireRequest,
  onEvent?: (event: SseEvent, head: Head) => Promise<void>,
): Promise<Answer> => {
  const response = await open(call, headers ?? {}).catch((error: unknown) => wordFor(error));
  if (typeof response === 'string') return { status: 0, error: response };
  call.onHeaders?.(response.headers);
  const contentType = response.headers['content-type'];
  const head: Head = { status: response.statusCode ?? 0, ...(contentType === undefined ? {} : { contentType }) };
  if (contentType?.toLowerCase().startsWith('text/event-stream') === true) return readStream(response, head, onEvent);
  return readText(response).then(
    (text) => ({ ...head, body: readBody(text) }),
    (error: unknown) => ({ ...head, error: wordFor(error) }),
  );
};

const open = (call: AgentCall, headers: NonNullable<WireRequest['headers']>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = new URL(call.url);
    const body = JSON.stringify(call.body);
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
        timeout: call.timeoutMs,
        ...(call.fresh === true ? { agent: false } : {}),
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      },
      (response) => {
        // In the middle of an answer Node calls everything a reset, unless it is told what it was.
        outgoing.on('timeout', () => response.destroy(new TimeoutError()));
        call.signal?.addEventListener('abort', () => response.destroy(new AbortedError()), { once: true });
        resolve(response);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new TimeoutError()));
    outgoing.on('error', reject);
    // Another protocol is no answer, and Node says no more about it.
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the agent switches protocols'));
    });
    outgoing.end(body);
  });

class TimeoutError extends Error {}
class AbortedError extends Error {}
class TooLargeError extends Error {}

/** The word under which a failure is observed. */
const wordFor = (error: unknown): string => {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof TooLargeError) return 'too-large';
  // Told by its code alone: an error of another realm is no `Error` of this one.
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === 'ABORT_ERR' || error instanceof AbortedError) return 'aborted';
  return code === 'ECONNREFUSED' ? 'refused' : 'reset';
};

const readText = async (response: IncomingMessage): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      response.destroy();
      throw new TooLargeError();
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

const readStream = async (
  response: IncomingMessage,
  head: Head,
  onEvent?: (event: SseEvent, head: Head) => Promise<void>,
): Promise<StreamAnswer> => {
  const kept: SseEvent[] = [];
  const take = async (events: readonly SseEvent[]): Promise<void> => {
    for (const event of events) await (onEvent === undefined ? kept.push(event) : onEvent(event, head));
  };
  const decoder = new TextDecoder();
  const chunks = (response as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let state = openSse();
  let error: string | undefined;
  try {
    for (;;) {
      // Only reading may fail as the agent's failure; what `onEvent` throws is the caller's own.
      const next = await chunks.next().catch((cause: unknown) => wordFor(cause));
      if (typeof next === 'string') error = next;
      if (typeof next === 'string' || next.done === true) break;
      const step = readSse(state, decoder.decode(next.value, { stream: true }));
      state = step.state;
      await take(step.events);
      if (heldCharacters(state) <= MAX_EVENT_CHARACTERS) continue;
      error = 'too-large';
      break;
    }
  } finally {
    // Also when the caller threw: nobody reads the stream any more, and the agent must not go on writing it.
    response.destroy();
  }
  await take(endSse(state));
  const ended = error === undefined ? 'clean' : 'broken';
  return { ...head, events: kept, ended, ...(error === undefined ? {} : { error }) };
};
