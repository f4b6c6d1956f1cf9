import { fetchCard } from '../../infra/http/card-fetch.js';
import type { Egress } from '../../infra/http/egress.js';
import { judgeCard, type CardJudgement } from '../../topology/agent/card.decider.js';
import type { EvidenceRecord } from '../../topology/ledger-records.js';
import { cardFetched, holdCard, isWorthARecord, type HeldCard } from './agent-card.js';
import { AgentProbe, type AgentProbeOptions } from './agent-probe.js';
import { Alarm } from './alarm.js';
import { canariesFor } from './canaries.js';
import { nextStep, type NextStep, type Situation } from './probe-plan.js';

export type AgentWatchOptions = AgentProbeOptions & {
  readonly egress: Egress;
  /** The log was lost: nothing that is found out can be told. */
  readonly onFailed: (error: unknown) => void;
};

/** A card is looked at a little after it expires, so that agents do not all come at once: by this share of its lifetime. */
const JITTER = 0.1;
const MOST_JITTER_MS = 1_000;

/**
 * Keeps what is known of one agent up to date: its card while it is configured, its verification where it can be probed.
 * Does one thing after the other; another agent that hangs is another watch.
 */
export class AgentWatch {
  readonly #options: AgentWatchOptions;
  readonly #probe: AgentProbe;
  readonly #alarm = new Alarm();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #held: HeldCard | undefined;
  #card: Omit<Situation['card'], 'held' | 'asked'> = { dueAt: 0, failures: 0, changes: 0 };
  /** When somebody last asked for the card, and when the last answer was written: an answer serves all who asked before. */
  #askedAt = 0;
  #writtenAt: number | undefined;

  constructor(options: AgentWatchOptions) {
    this.#options = options;
    this.#probe = new AgentProbe(options);
  }

  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#options.onFailed(error);
    });
  }

  /** Something about the agent changed: looks again at what is to be done. */
  wake(): void {
    this.#alarm.ring();
  }

  /** Somebody asked for the card at `time` (R8). Requests are merged: one fetch answers all. */
  refresh(time: number): void {
    this.#askedAt = Math.max(time, this.#askedAt);
    this.wake();
  }

  /** Evidence from traffic was folded into the contract (R10). */
  noteEvidence(evidence: EvidenceRecord, time: number): void {
    if (evidence.kind === 'task-lost') this.#probe.noteLoss(evidence, time);
    this.wake();
  }

  /** Gives up what is under way; nothing is concluded from it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#alarm.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) await this.#do(nextStep(this.#situation()));
  }

  async #do(step: NextStep): Promise<void> {
    const endpoint = this.#held?.endpoint;
    switch (step.kind) {
      case 'wait':
        return this.#alarm.until(step.until);
      case 'fetch-card':
        return this.#refreshCard();
      case 'probe':
        if (endpoint !== undefined) await this.#probe.run({ ...step, endpoint }, this.#stopping.signal);
    }
  }

  #situation(): Situation {
    const { agent: config, writer } = this.#options;
    const agent = writer.contract(config.id);
    const endpoint = this.#held?.endpoint;
    return {
      now: Date.now(),
      agent,
      card: { ...this.#card, held: this.#held !== undefined, asked: this.#isAsked() },
      canaries: endpoint === undefined ? [] : canariesFor(agent, config, endpoint.extensions),
      probe: this.#probe.situation,
    };
  }

  #isAsked(): boolean {
    return this.#askedAt > (this.#writtenAt ?? 0);
  }

  async #refreshCard(): Promise<void> {
    const { agent, settings, logger, egress } = this.#options;
    const reach = this.#held?.reach;
    const answer = await fetchCard({
      url: agent.cardUrl,
      headers: agent.serviceIdentity?.headers ?? {},
      ...(this.#held === undefined ? {} : { held: this.#held.headers }),
      ...(reach === undefined ? {} : { reach }),
      egress,
      defaultTtlMs: settings.cardTtlMs,
      signal: this.#stopping.signal,
    });
    if (this.#stopping.signal.aborted) return;
    const now = Date.now();
    const { verdict, reason } = await this.#publish(cardFetched(agent.id, answer), now);
    const said = { agentId: agent.id, verdict, httpStatus: answer.httpStatus, failure: answer.failure };
    if (verdict === 'rejected-card' || verdict === 'ignored') {
      logger.warn(said, `card refused: ${reason}`);
      this.#card = { ...this.#card, checkedAt: now, failures: this.#card.failures + 1 };
      return;
    }
    logger[verdict === 'accepted' ? 'info' : 'debug'](said, `card: ${reason}`);
    if (this.#card.failures > 0) this.#probe.forgetFailures();
    this.#held = holdCard(this.#held, answer);
    if (this.#held.endpoint === undefined)
      logger.warn({ agentId: agent.id }, 'the card names no JSON-RPC interface of protocol 1.0: it cannot be probed');
    const lifetime = Math.max(0, answer.expiresAt - now);
    const jitter = Math.random() * Math.min(MOST_JITTER_MS, lifetime * JITTER);
    const changes = verdict === 'accepted' ? this.#card.changes + 1 : 0;
    this.#card = { dueAt: answer.expiresAt + jitter, checkedAt: now, failures: 0, changes };
  }

  async #publish(fetched: Parameters<typeof judgeCard>[1], now: number): Promise<CardJudgement> {
    const { agent, writer } = this.#options;
    let judgement = judgeCard(writer.contract(agent.id), fetched);
    const written = await writer.write(agent.id, (contract) => {
      judgement = judgeCard(contract, fetched);
      const kept = { asked: this.#isAsked(), now, writtenAt: this.#writtenAt };
      return isWorthARecord(judgement, contract, kept) ? judgement.record : undefined;
    });
    if (written !== undefined) this.#writtenAt = now;
    return judgement;
  }
}
