import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from '@jest/globals';
import { startGateway, type GatewayService } from '../../../services/gateway/gateway-service.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { openSse, readSse } from '../../../topology/a2a/stream.js';
import type { LedgerEntry } from '../../../topology/ledger-records.js';
import { DEFAULT_POLICY } from '../../../topology/policy.js';
import { agent, policyChanged } from '../../kit/decider-kit/agents.js';
import { DispatcherWorld } from '../dispatcher-fixture.js';
import { silent } from '../kafka-fixture.js';
import { HostileAgent } from './hostile-agent.js';

/** A request as an agent meets it. */
export type Asked = {
  readonly method: string;
  readonly params: { readonly id?: string; readonly message?: { readonly messageId?: string } };
  readonly id: unknown;
  readonly response: ServerResponse;
};
export type Behaviour = (asked: Asked) => unknown;

export type Answer = {
  readonly status: number;
  readonly body: { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
  /** Of a stream, in short: the task's ID and state, or the error's code. */
  readonly events: readonly string[];
};

export const task = (id: string, state: string, more: object = {}) => ({
  id,
  contextId: `ctx-${id}`,
  status: { state: `TASK_STATE_${state}` },
  ...more,
});

const json = (response: ServerResponse, value: unknown): unknown =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
export const result = ({ id, response }: Asked, value: unknown): unknown =>
  json(response, { jsonrpc: '2.0', id, result: value });
export const NOT_FOUND = { code: -32001, message: 'Task not found' };
export const notFound = ({ id, response }: Asked): unknown => json(response, { jsonrpc: '2.0', id, error: NOT_FOUND });
/** Begins a stream; each event is a result or an error. */
export const stream = ({ id, response }: Asked, ...events: readonly object[]): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, ...event })}\n\n`);
  return response;
};

/** Tasks are named after the messages that began them, and are done when they are asked for. */
export const well: Behaviour = (asked) => {
  const { method, params } = asked;
  if (method === 'SendMessage') result(asked, { task: task(`t-${params.message?.messageId ?? ''}`, 'WORKING') });
  else if (method === 'SubscribeToTask') stream(asked, { result: { task: task(params.id ?? '', 'COMPLETED') } }).end();
  else if (method === 'GetTask') result(asked, task(params.id ?? '', 'COMPLETED'));
  else json(asked.response, { jsonrpc: '2.0', id: asked.id, error: { code: -32004, message: 'not here' } });
};

const ALICE = `Bearer e30.${Buffer.from(JSON.stringify({ iss: 'i', sub: 'alice' })).toString('base64url')}.x`;

/** Gateway, ledger and dispatcher on the real broker and registry, before a hostile agent w1 and a good one, w3. */
export class AnswerWorld {
  readonly mesh: DispatcherWorld;
  readonly #agents: readonly HostileAgent[];
  readonly #gateway: GatewayService;
  #behave: Behaviour = well;

  static async open(): Promise<AnswerWorld> {
    const agents = await Promise.all(['w1', 'w3'].map((id) => HostileAgent.start(id, () => undefined)));
    const mesh = new DispatcherWorld(
      agents.map(({ id, url }) => ({ id, cardUrl: url, serviceIdentity: { headers: { authorization: 'Holdfast' } } })),
    );
    await mesh.start();
    await mesh.tell(
      policyChanged({ ...DEFAULT_POLICY, substitutionGroups: [['w1', 'w3']] }),
      ...agents.flatMap(({ id }) => agent(id, { config: { serviceIdentity: true } })),
    );
    await mesh.dispatcher('d1');
    const gateway = await startGateway({
      config: { ...mesh.config, instanceId: 'g1', gateway: { host: '127.0.0.1', port: 0 } },
      serdes: mesh.serdes,
      logger: silent,
      settings: { questionTimeoutMs: 2_000, answerTimeoutMs: 60_000, verdictWaitMs: 20_000 },
    });
    return new AnswerWorld(mesh, agents, gateway);
  }

  private constructor(mesh: DispatcherWorld, agents: readonly HostileAgent[], gateway: GatewayService) {
    this.mesh = mesh;
    this.#agents = agents;
    this.#gateway = gateway;
    for (const one of agents)
      one.become((request, response) => {
        const behave = one.id === 'w1' ? (asked: Asked) => this.#behave(asked) : takesOver;
        void answered(one.url, request, response, behave);
      });
  }

  get url(): string {
    return this.#gateway.url;
  }

  /** How w1 behaves from now on. */
  behave(behaviour: Behaviour): void {
    this.#behave = behaviour;
  }

  message(row: string) {
    return {
      message: {
        messageId: row,
        role: 'ROLE_USER',
        parts: [{ text: 'a chair' }],
        metadata: { [LIFECYCLE_EXTENSION]: { correlationId: row } },
      },
    };
  }

  async ask(method: string, params: unknown): Promise<Answer> {
    return this.post(JSON.stringify({ jsonrpc: '2.0', id: 'q', method, params }));
  }

  async post(body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}/agents/w1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: ALICE, ...headers },
      body,
    });
    const text = await response.text();
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    return {
      status: response.status,
      body: isStream ? {} : (JSON.parse(text) as Answer['body']),
      events: isStream ? readSse(openSse(), text).events.map(({ data }) => inShort(JSON.parse(data) as Said)) : [],
    };
  }

  /** A task of w1 that works, and that alice knows. */
  async dispatched(row: string): Promise<string> {
    this.behave(well);
    const answer = await this.ask('SendMessage', this.message(row));
    expect(answer.body.result).toStrictEqual({ task: task(`t-${row}`, 'WORKING') });
    return `t-${row}`;
  }

  /** w1 behaves again, and says that the task is done. */
  async goesOn(row: string): Promise<LedgerEntry> {
    this.behave(well);
    const answer = await this.ask('GetTask', { id: `t-${row}` });
    expect(answer.body.result).toStrictEqual(task(`t-${row}`, 'COMPLETED'));
    return this.mesh.unit(row, ({ state }) => state === 'completed', 'completed');
  }

  async close(): Promise<void> {
    await this.#gateway.stop();
    await this.mesh.stop();
    for (const one of this.#agents) one.stop();
  }
}

const takesOver: Behaviour = (asked) => {
  if (asked.method === 'SendMessage') result(asked, { task: task('elsewhere', 'COMPLETED') });
  else if (asked.method === 'GetTask') result(asked, task('elsewhere', 'COMPLETED'));
  else notFound(asked);
};

const answered = async (
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
  behave: Behaviour,
): Promise<void> => {
  if (request.method === 'GET') {
    const interfaces = [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    json(response, {
      name: 'W',
      supportedInterfaces: interfaces,
      defaultOutputModes: ['application/json'],
      skills: [],
    });
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method, params, id } = JSON.parse(Buffer.concat(chunks).toString()) as Omit<Asked, 'response'>;
  behave({ method, params, id, response });
};

type Said = {
  readonly result?: {
    readonly task?: { readonly id: string; readonly status: { readonly state: string } };
  };
  readonly error?: { readonly code: number };
};

const inShort = (event: Said): string => {
  const { task: shown } = event.result ?? {};
  return shown === undefined
    ? String(event.error?.code)
    : `${shown.id} ${shown.status.state.slice('TASK_STATE_'.length)}`;
};
