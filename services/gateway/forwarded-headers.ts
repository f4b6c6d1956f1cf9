import type { IncomingHttpHeaders } from 'node:http';

/** Of one connection, or of this body: never passed on (RFC 9110 section 7.6.1), nor what the HTTP client writes itself. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'accept',
  // Answers are read here, and not unpacked.
  'accept-encoding',
  'a2a-version',
]);

/** What names nobody and opens nothing. */
const HARMLESS = new Set(['a2a-extensions', 'traceparent', 'tracestate']);

/** Of the agent's answer: how to be let in, which extensions are active, when to ask again. */
const ANSWERED = new Set(['www-authenticate', 'a2a-extensions', 'retry-after']);

const pick = (headers: IncomingHttpHeaders, wanted: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && wanted(name) ? [[name, Array.isArray(value) ? value.join(', ') : value]] : [],
    ),
  );

/** What goes with a request to the agent that it was sent for: everything, credentials too. */
export const clientHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  pick(headers, (name) => !OF_THE_CONNECTION.has(name));

/** What goes with it to another agent: a credential is shown to nobody but the agent that it was sent for. */
export const harmlessHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  pick(headers, (name) => HARMLESS.has(name));

/** What of the agent's answer goes on to the client. */
export const answerHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  pick(headers, (name) => ANSWERED.has(name));
