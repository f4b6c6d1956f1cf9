import type { Observation } from '../../topology/observation.js';

const UNIT = { correlationId: 'order-4711' };
const SPOKEN = { ...UNIT, agentId: 'billing-a', serverTaskId: 'f0f2a1c4' } as const;
const CLIENT = { principal: '3d1f8c', by: 'client' } as const;

/** One of each that a producer may write, as they follow one another for one unit of work. */
export const EXAMPLES: readonly Observation[] = [
  {
    type: 'DispatchObserved',
    ...UNIT,
    agentId: 'billing-a',
    ...CLIENT,
    messageId: 'm-1',
    acceptedOutputModes: ['application/json'],
    inputKept: true,
    continues: false,
  },
  {
    type: 'TaskStateObserved',
    ...SPOKEN,
    via: 'send-response',
    state: 'TASK_STATE_INPUT_REQUIRED',
    statusTimestamp: 1_767_225_600_000,
  },
  {
    type: 'ArtifactObserved',
    ...SPOKEN,
    via: 'status-update',
    artifactId: 'offer',
    append: false,
    lastChunk: true,
    parts: [{ kind: 'data', mediaType: 'application/json', bytes: 212 }],
    chunks: 1,
  },
  { type: 'StreamClosed', ...SPOKEN, clean: false },
  { type: 'TaskNotFoundObserved', ...SPOKEN, method: 'GetTask', ...CLIENT },
  {
    type: 'ExchangeObserved',
    ...UNIT,
    agentId: 'billing-a',
    binding: 'JSONRPC',
    method: 'SendMessage',
    httpStatus: 0,
    error: 'timeout',
    ...CLIENT,
  },
  { type: 'DispatchStarted', ...UNIT, agentId: 'billing-b', commandId: 'redispatch:2@0/17:0:order-4711' },
  { type: 'DispatchFailed', ...UNIT, agentId: 'billing-b', commandId: 'redispatch:2@0/17:0:order-4711' },
  { type: 'MessageObserved', ...UNIT, agentId: 'billing-b', messageId: 'm-2' },
  { type: 'CancelRequested', ...UNIT, principal: CLIENT.principal },
  { type: 'OperatorDecided', ...UNIT, action: 'resolve', actor: 'ada', reason: 'paid by hand', state: 'completed' },
];
