/**
 * What was recorded of one exchange, before anything is read into it, and what comes out of reading it. Bodies are what
 * `readBody` makes of their text; everything inside them is the other side's and is trusted in nothing.
 */
import type {
  ArtifactObserved,
  ExchangeObserved,
  MessageObserved,
  StreamClosed,
  TaskStateObserved,
} from '../observation.js';
import type { PartContent } from './part.js';
import type { SseEvent } from './stream.js';

/** The bindings that are read here; gRPC is protobuf on the wire and no text. */
export type WireBinding = 'JSONRPC' | 'HTTP+JSON';

/** A request as it was sent to the agent. */
export type WireRequest = {
  readonly binding: WireBinding;
  /** HTTP+JSON only; JSON-RPC names its operation in the body. */
  readonly verb?: string;
  /** HTTP+JSON only: relative to the interface's URL, with or without a query. */
  readonly path?: string;
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
};

/** How a stream ended: by the agent's close, or by a break or a deadline of ours. */
export type StreamEnd = 'clean' | 'broken';

type AnswerHead = {
  /** HTTP status; 0: there was no answer. */
  readonly status: number;
  readonly contentType?: string;
  /** Why there was no whole answer: `timeout`, `reset`, … */
  readonly error?: string;
};
/** One body, whatever was asked: a stream request may be answered by plain JSON. */
export type BodyAnswer = AnswerHead & { readonly body?: unknown };
/** `text/event-stream`, whatever was asked. */
export type StreamAnswer = AnswerHead & { readonly events: readonly SseEvent[]; readonly ended: StreamEnd };

/** One recorded exchange, in whole. */
export type WireExchange =
  | { readonly kind: 'call'; readonly request: WireRequest; readonly answer: BodyAnswer | StreamAnswer }
  /** A webhook call of the agent. */
  | { readonly kind: 'push'; readonly body?: unknown };

/** An artifact with its bodies, one for each of `parts`: the caller hashes them (`digest`, `assembled`) and drops them (R23). */
export type WireArtifact = ArtifactObserved & { readonly content: readonly PartContent[] };

/** What comes out of reading an exchange. */
export type WireObservation = TaskStateObserved | WireArtifact | MessageObserved | ExchangeObserved | StreamClosed;
