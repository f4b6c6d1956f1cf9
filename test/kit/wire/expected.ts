/** Builders of whole expected observations, so that a table shows what differs and a strict comparison sees the rest. */
import type { Binding, ExchangeObserved, StreamClosed, TaskStateObserved, Via } from '../../../topology/observation.js';
import type { WireArtifact, WireObservation } from '../../../topology/a2a/exchange.js';
import type { PartContent } from '../../../topology/a2a/part.js';

export const UNIT = { tenant: 'acme', correlationId: 'c-1' };
export const AGENT = 'agent-1';
export const ASKER = { by: 'client', principal: 'p-1' } as const;

/** Milliseconds since the epoch of a second of the recordings' one minute; what is finer is cut off. */
export const at = (second: number): number => Date.UTC(2026, 0, 1) + Math.floor(second * 1000 + 1e-6);

export const stateOf = (
  serverTaskId: string,
  via: Via,
  rest: Partial<Omit<TaskStateObserved, 'type'>> = {},
): TaskStateObserved => ({ type: 'TaskStateObserved', ...UNIT, agentId: AGENT, serverTaskId, via, ...rest });

type ArtifactRest = Partial<Omit<WireArtifact, 'type' | 'content'>>;

export const artifactOf = (
  serverTaskId: string,
  via: Via,
  artifactId: string,
  content: readonly PartContent[],
  rest: ArtifactRest & Pick<WireArtifact, 'parts'>,
): WireArtifact => ({
  type: 'ArtifactObserved',
  ...UNIT,
  agentId: AGENT,
  serverTaskId,
  via,
  artifactId,
  append: false,
  lastChunk: false,
  chunks: 1,
  content,
  ...rest,
});

/** An artifact of one part of plain text with a declared type. */
export const plainArtifact = (
  serverTaskId: string,
  via: Via,
  body: string,
  rest: ArtifactRest & { readonly mediaType?: string } = {},
): WireArtifact => {
  const { mediaType = 'text/plain', ...others } = rest;
  const parts = [{ kind: 'text', mediaType, bytes: body.length }] as const;
  return artifactOf(serverTaskId, via, 'a1', [{ encoding: 'utf8', body }], { parts, ...others });
};

export const messageOf = (messageId: string, contextId: string): WireObservation => ({
  type: 'MessageObserved',
  ...UNIT,
  agentId: AGENT,
  messageId,
  contextId,
});

export const exchangeWith = (
  binding: Binding,
  method: string,
  httpStatus: number,
  rest: Partial<ExchangeObserved> = {},
): ExchangeObserved => ({
  type: 'ExchangeObserved',
  ...UNIT,
  agentId: AGENT,
  binding,
  method,
  httpStatus,
  ...ASKER,
  ...rest,
});

export const closed = (serverTaskId: string, clean = true): StreamClosed => ({
  type: 'StreamClosed',
  ...UNIT,
  agentId: AGENT,
  serverTaskId,
  clean,
});
