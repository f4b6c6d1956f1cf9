/**
 * Server-sent events as A2A servers write them (WHATWG HTML section 9.2.6). Incremental and by value: a state and a chunk
 * give the next state and the events that the chunk completed. The caller decodes bytes with one streaming decoder for
 * the whole stream (`decoder.decode(bytes, { stream: true })`), so that a UTF-8 sequence cut in two arrives whole, and
 * bounds what it lets a stream hold (`heldCharacters`).
 */

/** One event. `event` is absent for the default type; A2A uses `error` beside it, and no `id`. */
export type SseEvent = { readonly event?: string; readonly data: string };

export type SseState = {
  /** The line begun and not ended. */
  readonly line: string;
  readonly event: string;
  /** Data lines of the event begun; `undefined`: it has none yet. */
  readonly data: string | undefined;
  /** The last chunk ended with CR: a LF that comes first in the next belongs to it. */
  readonly afterCr: boolean;
  readonly begun: boolean;
};

/** The state before the first chunk. */
export const openSse = (): SseState => ({ line: '', event: '', data: undefined, afterCr: false, begun: false });

/** What the state holds of events that are not whole yet. */
export const heldCharacters = ({ line, data }: SseState): number => line.length + (data?.length ?? 0);

type Draft = { event: string; data: string | undefined };

const eventOf = ({ event, data }: Draft): readonly SseEvent[] =>
  data === undefined ? [] : [{ data, ...(event !== '' && event !== 'message' && { event }) }];

/** Takes one whole line; `id`, `retry`, comments (pings begin with a colon) and unknown fields mean nothing here. */
const takeLine = (draft: Draft, line: string): void => {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'event') draft.event = value;
  if (name === 'data') draft.data = draft.data === undefined ? value : `${draft.data}\n${value}`;
};

/** Takes a chunk, cut anywhere: inside a line, between CR and LF, inside a surrogate pair. */
export const readSse = (
  state: SseState,
  chunk: string,
): { readonly state: SseState; readonly events: readonly SseEvent[] } => {
  if (chunk === '') return { state, events: [] };
  const fresh = state.begun || !chunk.startsWith('\ufeff') ? chunk : chunk.slice(1);
  const [first = '', ...others] = (state.afterCr && fresh.startsWith('\n') ? fresh.slice(1) : fresh).split(
    /\r\n|\r|\n/,
  );
  const lines = [state.line + first, ...others];
  const line = lines.pop() ?? '';
  const draft: Draft = { event: state.event, data: state.data };
  const events: SseEvent[] = [];
  for (const whole of lines) {
    if (whole !== '') {
      takeLine(draft, whole);
      continue;
    }
    events.push(...eventOf(draft));
    draft.event = '';
    draft.data = undefined;
  }
  return { state: { line, ...draft, afterCr: chunk.endsWith('\r'), begun: true }, events };
};

/**
 * The event that the end of the stream left without its empty line. Browsers drop it; here it is a word that the agent
 * spoke, and one that was cut off is no JSON and says nothing anyway.
 */
export const endSse = (state: SseState): readonly SseEvent[] => {
  const draft: Draft = { event: state.event, data: state.data };
  takeLine(draft, state.line);
  return eventOf(draft);
};
