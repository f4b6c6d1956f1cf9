import { describe, expect, it } from '@jest/globals';
import type { AgentEndpoint } from '../../../infra/http/agent-endpoint.js';
import { readEndpoint } from '../../../infra/http/agent-endpoint.js';
import { redispatchRequest } from '../../../services/dispatcher/redispatch-request.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { commandRecord } from '../../../topology/ledger-records.js';
import { agent } from '../../kit/decider-kit/agents.js';
import { dispatched, lostTask, said } from '../../kit/decider-kit/builders.js';
import { Ledger } from '../../kit/decider-kit/ledger.js';

const STREAMING: AgentEndpoint = { url: 'http://w2/rpc', streaming: true, extensions: [LIFECYCLE_EXTENSION] };

const KEPT = {
  tenant: 'the-first-agents',
  message: {
    messageId: 'm-1',
    role: 'ROLE_USER',
    parts: [{ text: 'twenty chairs' }],
    contextId: 'made-by-the-client',
    metadata: { other: 1, [LIFECYCLE_EXTENSION]: { correlationId: 'c-1', skillId: 'offer' } },
  },
  configuration: { acceptedOutputModes: ['application/json'], returnImmediately: false },
};

type Given = { readonly kept?: unknown; readonly endpoint?: AgentEndpoint; readonly continues?: boolean };

const built = ({ kept = KEPT, endpoint = STREAMING, continues = false }: Given = {}) => {
  const ledger = new Ledger([...agent('w1'), ...agent('w2')]).given(
    dispatched('w1', { skillId: 'offer' }),
    said('w1', 't-1', 'working'),
  );
  const issued = ledger.observe(lostTask('w1', 't-1')).commands.map((one) => commandRecord(one, 5));
  const command = issued.find((one) => one.type === 'RedispatchTask');
  if (command === undefined) throw new Error('no redispatch was issued');
  const input = {
    type: 'TaskInput',
    correlationId: 'c-1',
    agentId: 'w1',
    request: JSON.stringify(kept),
    keptAt: 0,
  } as const;
  return redispatchRequest(command, input, { ...ledger.unit, continues }, endpoint);
};

describe('the request of a redispatch', () => {
  it('should be the original one under a message ID of its own, with correlation ID, skill and attempt', () => {
    expect(built()?.body).toStrictEqual({
      jsonrpc: '2.0',
      id: 'redispatch:2@0/0:0:c-1',
      method: 'SendStreamingMessage',
      params: {
        message: {
          role: 'ROLE_USER',
          parts: [{ text: 'twenty chairs' }],
          contextId: 'made-by-the-client',
          messageId: 'holdfast:2:0:c-1',
          metadata: { other: 1, [LIFECYCLE_EXTENSION]: { correlationId: 'c-1', skillId: 'offer', attempt: 2 } },
          extensions: [LIFECYCLE_EXTENSION],
        },
        configuration: { acceptedOutputModes: ['application/json'], returnImmediately: false },
      },
    });
  });

  it('should not wait for the end at an agent that cannot stream, and name its tenant', () => {
    const { body } = built({ endpoint: { url: 'http://w2/rpc', streaming: false, extensions: [], tenant: 't' } }) ?? {};

    expect(body).toMatchObject({
      method: 'SendMessage',
      params: { tenant: 't', configuration: { acceptedOutputModes: ['application/json'], returnImmediately: true } },
    });
    expect(body?.params).not.toHaveProperty('message.extensions');
  });

  it('should name no task, no other tasks, and no context that another agent made', () => {
    const message = { ...KEPT.message, taskId: 't-0', referenceTaskIds: ['t-0'] };

    const request = built({ kept: { ...KEPT, message }, continues: true });

    expect(request).not.toHaveProperty('contextId');
    const { params } = request?.body ?? {};
    for (const field of ['contextId', 'taskId', 'referenceTaskIds'])
      expect(params).not.toHaveProperty(`message.${field}`);
  });

  it('should not be made of what is no request', () => {
    for (const kept of ['text', null, {}, { message: 'text' }, { message: {} }])
      expect(built({ kept })).toBeUndefined();
  });
});

describe('where an agent is', () => {
  const card = (...supportedInterfaces: readonly unknown[]) => ({ name: 'A', supportedInterfaces, capabilities: {} });

  it('should be its first JSON-RPC interface of protocol 1.0', () => {
    const old = { url: 'http://a/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' };
    const rest = { url: 'http://a/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' };
    const rpc = { url: 'http://a/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' };

    expect(readEndpoint(card(old, rest, rpc))).toStrictEqual({ url: 'http://a/rpc', streaming: false, extensions: [] });
  });

  it('should be unknown where there is none, or its address is none', () => {
    const bad = { url: 'ftp://a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    for (const body of [undefined, {}, card(), card(null, 'text', bad)]) expect(readEndpoint(body)).toBeUndefined();
  });
});
