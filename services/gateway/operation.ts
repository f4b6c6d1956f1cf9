import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../topology/a2a/json.js';
import type { A2aMethod } from '../../topology/a2a/method.js';
import type { ReadRequest } from '../../topology/a2a/request.js';

/**
 * The seam between bindings and what the gateway does: a request and its answer in the terms of A2A 1.0, whatever binding
 * carries them to and from the client.
 */

/** One request of a client. */
export type Operation = {
  /** The agent in front of which it was put. */
  readonly agentId: string;
  readonly method: A2aMethod;
  /** The request message of the operation, 1.0 ProtoJSON. */
  readonly params: JsonObject;
  /** What `params` say. */
  readonly read: ReadRequest;
  readonly headers: IncomingHttpHeaders;
  /** Salted hash of who asks (R25); absent: nobody knows. */
  readonly principal?: string;
};

/** An error of A2A in its JSON-RPC form, to which every other binding's is mapped (SPEC section 5.4). */
export type AnswerError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** Headers of the agent's answer that go with it to the client. */
export type AnswerHeaders = Readonly<Record<string, string>>;

export type Reply =
  | {
      readonly kind: 'result';
      readonly result: unknown;
      readonly status?: number;
      readonly headers?: AnswerHeaders;
    }
  | {
      readonly kind: 'error';
      readonly error: AnswerError;
      readonly status?: number;
      /** Seconds after which asking again makes sense. */
      readonly retryAfter?: number;
      readonly headers?: AnswerHeaders;
    }
  /** An answer that is not of the protocol (a proxy's page): passed on as it is. */
  | {
      readonly kind: 'foreign';
      readonly status: number;
      readonly contentType?: string;
      readonly body: string;
      readonly headers?: AnswerHeaders;
    }
  /** Everything was said in the stream. */
  | { readonly kind: 'streamed' };

/** A stream towards the client. Resolves once the client can take more; after it has gone nothing is written. */
export type EventSink = {
  readonly result: (result: unknown) => Promise<void>;
  readonly error: (error: AnswerError) => Promise<void>;
};

/** The other end of an operation. */
export type Client = {
  /** Aborts when the client hangs up or the gateway closes its streams. */
  readonly gone: AbortSignal;
  /** Begins a stream answer; called again it gives the same one. */
  readonly openStream: (headers?: AnswerHeaders) => EventSink;
};

/** The task that an operation names: GetTask and the like by their own field, a message by its task ID. */
export const askedTask = ({ read }: Operation): string => read.serverTaskId ?? '';

/** Operations about a task whose answers say nothing of its life. */
export const isAboutPush = (method: A2aMethod): boolean => method.includes('PushNotificationConfig');

export const isStreaming = (method: A2aMethod): boolean =>
  method === 'SendStreamingMessage' || method === 'SubscribeToTask';
