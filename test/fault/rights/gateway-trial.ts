import { expect } from '@jest/globals';
import type { PartialConfig } from '../../../infra/config/config-source.js';
import type { Service } from '../../../services/ledger/ledger-service.js';
import type { Right } from '../../../services/rights/rights.js';
import { LIFECYCLE_EXTENSION } from '../../../topology/a2a/lifecycle.js';
import { silent } from '../../integration/kafka-fixture.js';
import { taskBody, type StubAgent } from '../../unit/dispatcher/stub-agent.js';
import type { GuardedMesh } from './guarded-mesh.js';
import { sentencesOn } from './sentences.js';
import type { ServiceTrial } from './service-trial.js';

type Answer = { readonly status: number; readonly body: unknown };

/** Beside a running ledger: a client sends one message after the other to w1. */
export class GatewayTrial implements ServiceTrial {
  readonly role = 'gateway';
  readonly config: PartialConfig;
  readonly #mesh: GuardedMesh;
  readonly #w1: StubAgent;
  readonly #url: string;
  #turn = 0;

  constructor(mesh: GuardedMesh, w1: StubAgent, port: number) {
    this.#mesh = mesh;
    this.#w1 = w1;
    this.#url = `http://127.0.0.1:${port}/agents/w1`;
    this.config = { gateway: { host: '127.0.0.1', port }, agents: [{ id: 'w1', cardUrl: w1.cardUrl }] };
  }

  readonly prepare = (): Promise<void> => {
    this.#w1.answer = () => ({ result: { task: taskBody(`g-${this.#turn}`, 'WORKING') } });
    return Promise.resolve();
  };

  /** What it reads it reads all the time. */
  readonly provoke = (): Promise<void> => {
    this.#turn += 1;
    return Promise.resolve();
  };

  readonly settled = async (): Promise<void> => {
    this.#w1.calls.length = 0;
    const { status } = await this.#send();
    await this.#onRecord();

    expect(status).toBe(200);
    expect(this.#w1.methods()).toStrictEqual(['SendMessage']);
    expect(await this.#mesh.unjudged()).toStrictEqual([]);
  };

  /** It goes on and refuses what it may not write down; the same message goes through once it may. */
  async refusesWithout(right: Right): Promise<void> {
    const lacking = this.#mesh.named(right);
    const logged: string[] = [];
    const note = ({ err }: Record<string, unknown>): void => {
      if (err instanceof Error && err.cause instanceof Error) logged.push(err.cause.message);
    };
    this.#turn += 1;
    await this.#mesh.kafka.revoke(this.role, lacking);
    const service = await this.#mesh.start(this.role, this.config, { ...silent, warn: note });
    const refused = await this.#refused().finally(() => this.#mesh.kafka.grant(this.role, [lacking]));

    expect(refused).toMatchObject({
      status: 503,
      body: { error: { code: -32603, message: 'what was observed could not be written down' } },
    });
    expect(this.#w1.methods()).toStrictEqual([]);
    expect(logged).toHaveLength(1);
    expect(sentencesOn(this.role, lacking)).toContain(logged[0]);
    await this.#goesOn(service);
  }

  async #refused(): Promise<Answer> {
    this.#w1.calls.length = 0;
    return this.#send();
  }

  async #goesOn(service: Service): Promise<void> {
    await this.settled();
    await this.#mesh.stop(service);
  }

  async #send(): Promise<Answer> {
    const message = {
      messageId: `gm-${this.#turn}`,
      role: 'ROLE_USER',
      parts: [{ text: 'twenty chairs' }],
      metadata: { [LIFECYCLE_EXTENSION]: { correlationId: this.#unit } },
    };
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
    });
    return { status: response.status, body: await response.json() };
  }

  async #onRecord(): Promise<void> {
    await this.#mesh.unit(this.#unit, ({ state }) => state === 'working', 'on record');
  }

  get #unit(): string {
    return `gateway-${this.#turn}`;
  }
}
