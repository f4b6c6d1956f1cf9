import { randomUUID } from 'node:crypto';
import type { CanaryConfig } from '../../infra/config/config.js';
import type { AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';

/** A JSON-RPC request of A2A 1.0. */
export type AgentRequest = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };

/** What all requests of one canary have in common. */
export type CanaryThread = {
  readonly endpoint: AgentEndpoint;
  readonly canary: CanaryConfig;
  /** The probe's own: no unit of real work has it, and it is marked as a probe's (R43). */
  readonly correlationId: string;
  readonly contextId: string;
};

/** A thread of its own for each canary. */
export const openThread = (endpoint: AgentEndpoint, canary: CanaryConfig): CanaryThread => {
  const id = randomUUID();
  return { endpoint, canary, correlationId: `holdfast-probe-${id}`, contextId: `holdfast-probe-${id}` };
};

/** The canary itself, or an answer where `task` is named. */
export const sendRequest = (
  { endpoint, canary, correlationId, contextId }: CanaryThread,
  text: string,
  task?: { readonly taskId: string; readonly contextId: string },
): AgentRequest => {
  const { skillId, mode } = canary;
  const lifecycle = { correlationId, ...(skillId === undefined ? {} : { skillId }), probe: true };
  const declared = endpoint.extensions.includes(LIFECYCLE_EXTENSION);
  return {
    method: endpoint.streaming ? 'SendStreamingMessage' : 'SendMessage',
    params: {
      ...tenantOf(endpoint),
      message: {
        messageId: randomUUID(),
        role: 'ROLE_USER',
        contextId,
        ...task,
        parts: [{ text, mediaType: 'text/plain' }],
        metadata: { [LIFECYCLE_EXTENSION]: lifecycle },
        ...(declared ? { extensions: [LIFECYCLE_EXTENSION] } : {}),
      },
      configuration: {
        ...(mode === undefined ? {} : { acceptedOutputModes: [mode] }),
        // An answer that is held back until the task stops would hide that it works.
        ...(endpoint.streaming ? {} : { returnImmediately: true }),
      },
    },
  };
};

export const getRequest = ({ endpoint }: CanaryThread, taskId: string): AgentRequest => ({
  method: 'GetTask',
  params: { ...tenantOf(endpoint), id: taskId },
});

export const cancelRequest = ({ endpoint }: CanaryThread, taskId: string): AgentRequest => ({
  method: 'CancelTask',
  params: { ...tenantOf(endpoint), id: taskId },
});

const tenantOf = ({ tenant }: AgentEndpoint): { readonly tenant?: string } => (tenant === undefined ? {} : { tenant });
