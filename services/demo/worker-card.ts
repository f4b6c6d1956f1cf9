import { A2A_PROTOCOL_VERSION, type AgentCard } from '@a2a-js/sdk';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import type { WorkerOptions } from './worker-options.js';

/** Where the worker answers JSON-RPC. */
export const JSON_RPC_PATH = '/a2a/jsonrpc';

/** The card of a worker: what it promises, be it true or not. */
export const workerCard = (options: WorkerOptions, baseUrl: string): AgentCard => ({
  name: options.name,
  description: 'Writes an offer, and asks where the request leaves something open.',
  version: '1.0.0',
  provider: { organization: options.provider, url: 'https://example.org' },
  supportedInterfaces: [
    {
      url: `${baseUrl}${JSON_RPC_PATH}`,
      protocolBinding: 'JSONRPC',
      protocolVersion: A2A_PROTOCOL_VERSION,
      tenant: '',
    },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: false,
    extensions: [
      {
        uri: LIFECYCLE_EXTENSION,
        description: 'The task states this agent can reach.',
        required: false,
        params: { states: [...options.states], durable: false },
      },
    ],
  },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: [...options.modes],
  skills: [
    {
      id: 'offer',
      name: 'Offer',
      description: 'An offer for what the message asks.',
      tags: ['offer'],
      examples: ['An offer for twenty chairs'],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
});
