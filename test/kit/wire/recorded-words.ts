/** Observations that the recordings have in common, by what was said. */
import type { WireObservation } from '../../../topology/a2a/exchange.js';
import { artifactOf, at, stateOf } from './expected.js';

/** The whole of what each recording of a set must be observed as. */
export type Expected<T> = Readonly<Record<keyof T, readonly WireObservation[]>>;

export const JSON_UTF8 = 'application/json; charset=utf-8';
export const ctx = { contextId: 'ctx-1' };

/** Two artifacts, of text and of data, without media types. */
export const nomime = (via: 'send-response'): readonly WireObservation[] => [
  artifactOf('task-1', via, 'a1', [{ encoding: 'utf8', body: 'no media type' }], {
    ...ctx,
    parts: [{ kind: 'text', bytes: 13 }],
  }),
  artifactOf('task-1', via, 'a2', [{ encoding: 'utf8', body: '{"k":1}' }], {
    ...ctx,
    parts: [{ kind: 'data', bytes: 7 }],
  }),
];

export const png = (via: 'send-response' | 'status-update', lastChunk: boolean): WireObservation =>
  artifactOf('task-1', via, 'a1', [{ encoding: 'base64', body: 'UE5HREFUQQ==' }], {
    ...ctx,
    lastChunk,
    parts: [{ kind: 'raw', mediaType: 'image/png', bytes: 7 }],
  });

export const waiting = (messageId: string, second: number): WireObservation =>
  stateOf('task-1', 'snapshot', {
    ...ctx,
    state: 'TASK_STATE_INPUT_REQUIRED',
    statusTimestamp: at(second),
    messageId,
  });
export const working = (second: number, messageId?: string): WireObservation =>
  stateOf('task-1', 'status-update', {
    ...ctx,
    state: 'TASK_STATE_WORKING',
    statusTimestamp: at(second),
    ...(messageId !== undefined && { messageId }),
  });
export const completed = (second: number, messageId?: string): WireObservation =>
  stateOf('task-1', 'status-update', {
    ...ctx,
    state: 'TASK_STATE_COMPLETED',
    statusTimestamp: at(second),
    ...(messageId !== undefined && { messageId }),
  });
export const zombie = (messageId: string, second: number): WireObservation =>
  stateOf('task-1', 'snapshot', { ...ctx, state: 'TASK_STATE_WORKING', statusTimestamp: at(second), messageId });
export const submitted = (second: number): WireObservation =>
  stateOf('task-1', 'snapshot', { ...ctx, state: 'TASK_STATE_SUBMITTED', statusTimestamp: at(second) });
export const asked = (second: number, messageId: string): WireObservation =>
  stateOf('task-1', 'status-update', {
    ...ctx,
    state: 'TASK_STATE_INPUT_REQUIRED',
    statusTimestamp: at(second),
    messageId,
  });
