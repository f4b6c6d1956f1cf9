import { readSse, openSse } from '../../../topology/a2a/stream.js';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { AgentCards } from '../../../services/gateway/agent-cards.js';
import { createGateway } from '../../../services/gateway/gateway.js';
import { serveGateway, type GatewayServer } from '../../../services/gateway/gateway-server.js';
import { DEFAULT_SETTINGS, type GatewaySettings } from '../../../services/gateway/ports.js';
import { FakeAgents } from './fake-agent.js';
import { MemoryLedger } from './memory-ledger.js';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** Of a JSON answer. */
  readonly body: {
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: { code: number; message: string; data?: unknown };
  };
  /** Of a stream. */
  readonly events: readonly { readonly result?: unknown; readonly error?: { code: number } }[];
};

export const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A bearer token of this subject. Nobody signs it: the gateway does not verify, the agent would. */
export const tokenOf = (subject: string): string =>
  `Bearer e30.${Buffer.from(JSON.stringify({ iss: 'issuer', sub: subject })).toString('base64url')}.signature`;

/**
 * A gateway with neither Kafka nor agents on the network: its HTTP server is real, and so are the ledger's decisions; log,
 * table and agents are in memory, behind the gateway's own ports.
 */
export class GatewayTwin {
  readonly ledger: MemoryLedger;
  readonly agents = new FakeAgents();
  readonly server: GatewayServer;

  static async start(records: readonly AgentRecord[], settings: Partial<GatewaySettings> = {}): Promise<GatewayTwin> {
    const ledger = new MemoryLedger(records);
    const agents = new FakeAgents();
    const configured = ['w1', 'w2', 'w3'].map((id) => ({ id, cardUrl: `http://${id}/card` }));
    const cards = new AgentCards(
      configured,
      () => 'http://gateway',
      ({ url }) =>
        Promise.resolve({
          httpStatus: 200,
          expiresAt: Date.now() + 60_000,
          body: { kind: 'json', value: cardAt(new URL(url).hostname) },
          held: {},
        }),
    );
    const gateway = createGateway({
      log: ledger,
      ledger,
      contracts: ledger.contracts,
      agents: cards,
      call: agents.call,
      settings: {
        ...DEFAULT_SETTINGS,
        verdictWaitMs: 200,
        probeHoldMs: 50,
        drainMs: 500,
        apiKeyIdHeader: 'x-key-id',
        ...settings,
      },
      serviceIdentity: (agentId) => ({ authorization: `Holdfast at ${agentId}` }),
      logger: silent,
    });
    const server = await serveGateway(gateway, { host: '127.0.0.1', port: 0 });
    return new GatewayTwin(ledger, agents, server);
  }

  private constructor(ledger: MemoryLedger, agents: FakeAgents, server: GatewayServer) {
    this.ledger = ledger;
    this.agents = agents;
    this.server = server;
  }

  /** One JSON-RPC call of a client. */
  async ask(agentId: string, method: string, params: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.post(agentId, JSON.stringify({ jsonrpc: '2.0', id: 'q', method, params }), headers);
  }

  async post(agentId: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.server.url}/agents/${agentId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
      body,
    });
    const text = await response.text();
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const events = isStream
      ? readSse(openSse(), text).events.map(({ data }) => JSON.parse(data) as Answer['events'][number])
      : [];
    return {
      status: response.status,
      headers: response.headers,
      events,
      body: isStream ? {} : (JSON.parse(text) as Answer['body']),
    };
  }

  /** Facts written so far, in short. */
  get facts(): readonly string[] {
    return this.ledger.written.map((fact) => {
      if (fact.type === 'TaskStateObserved') return `${fact.agentId} ${fact.serverTaskId} ${fact.state ?? '-'}`;
      if (fact.type === 'ExchangeObserved')
        return `${fact.agentId} ${fact.method} ${fact.rpcErrorCode ?? fact.error ?? fact.httpStatus}`;
      return fact.type;
    });
  }
}

const cardAt = (agentId: string) => ({
  name: agentId,
  supportedInterfaces: [{ url: `http://${agentId}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});

/** A task as 1.0 writes it. */
export const task = (id: string, state: string, contextId = `ctx-${id}`, more: object = {}) => ({
  id,
  contextId,
  status: { state: `TASK_STATE_${state}` },
  ...more,
});

export const message = (more: object = {}) => ({
  message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'an offer, please' }], ...more },
});

export const lost = { error: { code: -32001, message: 'Task not found' } };
