import type { RequestListener } from 'node:http';
import { expect } from '@jest/globals';
import { cardHash } from '../../../infra/http/card-hash.js';
import { eventually } from '../kafka-fixture.js';
import { VerifierFixture } from '../verifier-fixture.js';
import { HostileAgent } from './hostile-agent.js';

const GOOD = { name: 'W', version: '1', defaultOutputModes: ['text/plain'], skills: [] };
export const NEXT = { ...GOOD, version: '2' };

export const shows =
  (card: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'cache-control': 'max-age=3600', ...headers }).end(JSON.stringify(card));

/** A real verifier on the real broker and registry, that watches one agent for each row. */
export class CardWorld {
  #shown = 0;
  readonly #fixture: VerifierFixture;
  readonly #agents: ReadonlyMap<string, HostileAgent>;

  /** Resolves once every agent's good card is in force. */
  static async open(rows: readonly string[]): Promise<CardWorld> {
    const agents = await Promise.all(rows.map((row) => HostileAgent.start(row, shows(GOOD))));
    const fixture = await VerifierFixture.open();
    await fixture.verifier(agents.map(({ id, url }) => ({ id, cardUrl: `${url}/card` })));
    for (const { id } of agents) await fixture.until(id, ({ card }) => card?.hash === cardHash(GOOD));
    return new CardWorld(fixture, new Map(agents.map((agent) => [agent.id, agent])));
  }

  private constructor(fixture: VerifierFixture, agents: ReadonlyMap<string, HostileAgent>) {
    this.#fixture = fixture;
    this.#agents = agents;
  }

  agent(row: string): HostileAgent {
    const agent = this.#agents.get(row);
    if (agent === undefined) throw new Error(`no agent for ${row}`);
    return agent;
  }

  /** Asks for the card as it is now; resolves with the record that answers. */
  async asked(row: string): Promise<unknown> {
    const of = () => this.#fixture.records.filter((record) => 'agentId' in record && record.agentId === row);
    const before = of().length;
    await this.#fixture.askForCard(row);
    return eventually(() => of()[before], `an answer about the card of ${row}`);
  }

  /** The card is refused for this reason, the last good one stays, and the next good one is accepted (R7). */
  async refuses(row: string, bad: RequestListener, reason: string): Promise<void> {
    const agent = this.agent(row);
    const inForce = this.#fixture.contract(row).card?.hash;
    agent.become(bad);

    expect(await this.asked(row)).toStrictEqual({ type: 'CardRefused', agentId: row, reason });
    expect(this.#fixture.contract(row).card?.hash).toBe(inForce);

    this.#shown += 1;
    await this.accepts(row, { ...NEXT, version: `next ${this.#shown}` });
  }

  /** Shows a card, and waits until it is the one in force. */
  async accepts(row: string, card: unknown, listener = shows(card)): Promise<void> {
    this.agent(row).become(listener);
    await this.#fixture.askForCard(row);
    const agent = await this.#fixture.until(row, (contract) => contract.card?.hash === cardHash(card));
    expect(agent.refreshFailedAt).toBeUndefined();
  }

  terms(row: string): unknown {
    return this.#fixture.contract(row).card?.terms;
  }

  accepted(row: string): number {
    return this.#fixture.records.filter((record) => record.type === 'CardAccepted' && record.agentId === row).length;
  }

  async close(): Promise<void> {
    await this.#fixture.close();
    for (const agent of this.#agents.values()) agent.stop();
  }
}
