import type { IncomingMessage } from 'node:http';
import type { StreamAnswer } from '../../topology/a2a/exchange.js';
import { endSse, heldCharacters, openSse, readSse, type SseEvent } from '../../topology/a2a/stream.js';
import { Patience, TimeoutError, wordFor } from './agent-failure.js';
import { answerFault } from './answer-fault.js';

export type Head = { readonly status: number; readonly contentType?: string };
export type OnEvent = (event: SseEvent, head: Head) => Promise<void>;

/** What an agent may make us hold: an event that is not whole yet, or all events where nobody takes them. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/** The stream that answers the JSON-RPC request of this ID. */
export type Question = { readonly response: IncomingMessage; readonly id: unknown; readonly timeoutMs: number };

/**
 * Reads a stream to its end. It is broken off where an event is too large or answers somebody else, and where nothing comes
 * for `timeoutMs`: until the first event nothing but an event is something, then a whole line is, a comment too (it is a
 * sign of life). Where nobody takes the events the whole stream has that long.
 */
export const readEvents = async (
  { response, id, timeoutMs }: Question,
  head: Head,
  onEvent?: OnEvent,
): Promise<StreamAnswer> => {
  const kept: SseEvent[] = [];
  const taken = { any: false, characters: 0 };
  const patience = new Patience(timeoutMs, () => response.destroy(new TimeoutError()));
  /** Takes events up to one that is no good; says what is wrong with that. */
  const take = async (events: readonly SseEvent[]): Promise<string | undefined> => {
    for (const event of events) {
      const fault = answerFault(id, event.data);
      if (fault !== undefined) return fault;
      taken.any = true;
      if (onEvent !== undefined) {
        // How long the taker takes is not the agent's fault.
        patience.end();
        await onEvent(event, head);
        patience.renew();
        continue;
      }
      kept.push(event);
      taken.characters += event.data.length;
      if (taken.characters > MAX_EVENT_CHARACTERS) return 'too-large';
    }
    return undefined;
  };
  const decoder = new TextDecoder();
  const chunks = (response as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let state = openSse();
  let error: string | undefined;
  let fault: string | undefined;
  try {
    while (fault === undefined) {
      // Only reading may fail as the agent's failure; what `onEvent` throws is the caller's own.
      const next = await chunks.next().catch((cause: unknown) => wordFor(cause));
      if (typeof next === 'string') error = next;
      if (typeof next === 'string' || next.done === true) break;
      const text = decoder.decode(next.value, { stream: true });
      const step = readSse(state, text);
      state = step.state;
      fault = (await take(step.events)) ?? (heldCharacters(state) > MAX_EVENT_CHARACTERS ? 'too-large' : undefined);
      if (taken.any && onEvent !== undefined && /[\r\n]/.test(text)) patience.renew();
    }
    fault ??= await take(endSse(state));
  } finally {
    patience.end();
    // Also when the caller threw: nobody reads the stream any more, and the agent must not go on writing it.
    response.destroy();
  }
  error = fault ?? error;
  const ended = error === undefined ? 'clean' : 'broken';
  return { ...head, events: kept, ended, ...(error === undefined ? {} : { error }) };
};
