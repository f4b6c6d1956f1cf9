/**
 * Exchanges recorded between real A2A clients and agents, cut down to what classification reads: request, status, content
 * type, body or events. IDs are renamed by order of appearance, times keep seconds and fractions, the extension's URI is
 * ours, names and (but for one exchange) `history` are left out; nothing else is changed. Streams keep their framing, one frame an element.
 */
import type { WireExchange, WireRequest } from '../../../topology/a2a/exchange.js';
import { endSse, openSse, readSse } from '../../../topology/a2a/stream.js';

/** One recorded exchange. */
export type Recording = {
  readonly request: WireRequest;
  readonly status: number;
  readonly contentType: string;
} & ({ readonly body: unknown } | { readonly sse: readonly string[]; readonly ended: 'clean' | 'broken' });

/** The exchange as an observer hands it over: the stream went through the parser. */
export const exchangeOf = (recording: Recording): WireExchange => {
  const { request, status, contentType } = recording;
  if ('body' in recording) {
    return { kind: 'call', request, answer: { status, contentType, body: recording.body } };
  }
  const { state, events } = readSse(openSse(), recording.sse.join(''));
  const answer = { status, contentType, events: [...events, ...endSse(state)], ended: recording.ended };
  return { kind: 'call', request, answer };
};
