import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { BodyAnswer, StreamAnswer, WireExchange, WireRequest } from '../../topology/a2a/exchange.js';
import { readBody } from '../../topology/a2a/json.js';
import type { SseEvent } from '../../topology/a2a/stream.js';
import { AbortedError, Patience, TimeoutError, TooLargeError, wordFor } from './agent-failure.js';
import { answerFault } from './answer-fault.js';
import { readEvents, type Head, type OnEvent } from './event-reader.js';
import type { Reach } from './egress.js';

/** One JSON-RPC call to an agent. */
export type AgentCall = {
  /** The interface's URL, as the card names it. */
  readonly url: string;
  /** The request envelope. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where its card may lead; absent: the URL is our own. */
  readonly reach?: Reach;
  /** How long the head of an answer, then a body, may take, and how long a stream may be silent, ms. */
  readonly timeoutMs: number;
  /** A connection of its own: nothing is shared with calls before (R43). */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
  /** Told the headers of the answer as soon as they are there, for whoever passes the answer on. */
  readonly onHeaders?: (headers: IncomingHttpHeaders) => void;
};

export type AgentExchange = WireExchange & { readonly kind: 'call' };

/** What an agent may make us hold. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Calls an agent and records the exchange, whatever becomes of it: a refused connection, a timeout, a broken body or an
 * answer to another question is an answer like any other, never an exception. Events of a stream go to `onEvent`, one after
 * the other, before the next is read; the recorded answer keeps them only where nobody takes them.
 */
export const callAgent = async (call: AgentCall, onEvent?: OnEvent): Promise<AgentExchange> => {
  const request: WireRequest = {
    binding: 'JSONRPC',
    headers: { 'a2a-version': '1.0', ...call.headers },
    body: call.body,
  };
  return { kind: 'call', request, answer: await send(call, request, onEvent) };
};

const send = async (
  call: AgentCall,
  { headers }: WireRequest,
  onEvent?: OnEvent,
): Promise<BodyAnswer | StreamAnswer> => {
  const response = await open(call, headers ?? {}).catch((error: unknown) => wordFor(error));
  if (typeof response === 'string') return { status: 0, error: response };
  call.onHeaders?.(response.headers);
  const contentType = response.headers['content-type'];
  const head: Head = { status: response.statusCode ?? 0, ...(contentType === undefined ? {} : { contentType }) };
  // Nobody asked for one: unpacked it could be anything, of any size.
  if (!IDENTITY.includes(response.headers['content-encoding']?.trim().toLowerCase() ?? '')) {
    response.destroy();
    return { ...head, error: 'encoded' };
  }
  const question = { response, id: call.body.id, timeoutMs: call.timeoutMs };
  if (contentType?.toLowerCase().startsWith('text/event-stream') === true) return readEvents(question, head, onEvent);
  return readText(response, call.timeoutMs).then(
    (text) => {
      const error = answerFault(call.body.id, text);
      return error === undefined ? { ...head, body: readBody(text) } : { ...head, error };
    },
    (error: unknown) => ({ ...head, error: wordFor(error) }),
  );
};

const IDENTITY: readonly string[] = ['', 'identity'];

const open = async (call: AgentCall, headers: NonNullable<WireRequest['headers']>): Promise<IncomingMessage> => {
  call.reach?.check(call.url);
  const { protocol } = new URL(call.url);
  const body = JSON.stringify(call.body);
  return new Promise((resolve, reject) => {
    const outgoing = (protocol === 'https:' ? httpsRequest : httpRequest)(
      call.url,
      {
        method: 'POST',
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
        ...(call.reach === undefined ? {} : { lookup: call.reach.lookup, agent: call.reach.agent(protocol) }),
        ...(call.fresh === true ? { agent: false } : {}),
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      },
      (response) => {
        patience.end();
        // In the middle of an answer Node calls everything a reset, unless it is told what it was.
        call.signal?.addEventListener('abort', () => response.destroy(new AbortedError()), { once: true });
        resolve(response);
      },
    );
    // Not of the socket: bytes of a head that never ends, or interim answers, are no sign of life.
    const patience = new Patience(call.timeoutMs, () => outgoing.destroy(new TimeoutError()));
    outgoing.on('error', (error) => {
      patience.end();
      reject(error);
    });
    // Another protocol is no answer, and Node says no more about it.
    outgoing.on('upgrade', (_, socket) => {
      patience.end();
      socket.destroy();
      reject(new Error('the agent switches protocols'));
    });
    outgoing.end(body);
  });
};

const readText = async (response: IncomingMessage, timeoutMs: number): Promise<string> => {
  const patience = new Patience(timeoutMs, () => response.destroy(new TimeoutError()));
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) throw new TooLargeError();
      text += decoder.decode(chunk, { stream: true });
    }
  } finally {
    patience.end();
    response.destroy();
  }
  return text + decoder.decode();
};

export type { Head, SseEvent };
