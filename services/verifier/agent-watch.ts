import type { AgentConfig, HoldfastConfig } from '../../infra/config/config.js';
import { fetchCard } from '../../infra/http/card-fetch.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import type { AgentVerified } from '../../topology/agent/agent-records.js';
import { judgeCard } from '../../topology/agent/card.decider.js';
import { foldEvidence } from '../../topology/agent/evidence.decider.js';
import type { EvidenceRecord } from '../../topology/ledger-records.js';
import { cardFetched, holdCard, isWorthARecord, type HeldCard } from './agent-card.js';
import { Alarm } from './alarm.js';
import { canariesFor } from './canaries.js';
import { runCanary } from './canary-run.js';
import type { ContractWriter } from './contract-writer.js';
import { conclude, type CanaryOutcome } from './probe-evidence.js';
import { nextStep, type NextStep, type Situation } from './probe-plan.js';

export type AgentWatchOptions = {
  readonly agent: AgentConfig;
  readonly settings: HoldfastConfig['verifier'];
  readonly writer: ContractWriter;
  readonly logger: Logger;
  /** A probe that began at `time` has led to a verification. */
  readonly onVerified: (time: number) => void;
  readonly onFailed: (error: unknown) => void;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Share of its lifetime, at most, by which a card is looked at later than it expires; bounded, see there. */
const JITTER = 0.1;
const MOST_JITTER_MS = 1_000;

/**
 * Keeps what is known of one agent up to date: its card while it is configured, its verification where it can be probed.
 * Does one thing after the other; another agent that hangs is another watch.
 */
export class AgentWatch {
  readonly #options: AgentWatchOptions;
  readonly #alarm = new Alarm();
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #held: HeldCard | undefined;
  #card: { dueAt: number; checkedAt?: number; failures: number } = { dueAt: 0, failures: 0 };
  /** When somebody last asked for the card, and when the last answer was written: an answer serves all who asked before. */
  #askedAt: number | undefined;
  #writtenAt: number | undefined;
  #probe: { failures: number; endedAt?: number } = { failures: 0 };
  #begun: readonly number[] = [];
  #probingSince: number | undefined;
  #lossWhileProbing: EvidenceRecord | undefined;

  constructor(options: AgentWatchOptions) {
    this.#options = options;
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
    this.#askedAt = Math.max(time, this.#askedAt ?? 0);
    this.wake();
  }

  /** Evidence was folded. A loss while a probe is under way is newer than what the probe has seen so far. */
  noteEvidence(evidence: EvidenceRecord, time: number): void {
    if (evidence.kind === 'task-lost' && this.#probingSince !== undefined && time >= this.#probingSince)
      this.#lossWhileProbing = evidence;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#alarm.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const step = nextStep(this.#situation());
      switch (step.kind) {
        case 'wait':
          await this.#alarm.until(step.until);
          break;
        case 'fetch-card':
          await this.#fetchCard();
          break;
        case 'probe':
          await this.#runProbe(step);
          break;
      }
    }
  }

  #situation(): Situation {
    const { agent: config, settings, writer } = this.#options;
    const agent = writer.contract(config.id);
    const endpoint = this.#held?.endpoint;
    return {
      now: Date.now(),
      agent,
      card: { ...this.#card, held: this.#held !== undefined, asked: this.#isAsked() },
      canaries: endpoint === undefined ? [] : canariesFor(agent, config, endpoint.extensions),
      probe: { ...this.#probe, begun: this.#begun, budget: settings.probeBudget },
    };
  }

  #isAsked(): boolean {
    return this.#askedAt !== undefined && this.#askedAt > (this.#writtenAt ?? 0);
  }

  async #fetchCard(): Promise<void> {
    const { agent, settings, writer, logger } = this.#options;
    const answer = await fetchCard({
      url: agent.cardUrl,
      headers: agent.serviceIdentity?.headers ?? {},
      ...(this.#held === undefined ? {} : { held: this.#held.headers }),
      defaultTtlMs: settings.cardTtlMs,
      signal: this.#stopping.signal,
    });
    if (this.#stopping.signal.aborted) return;
    const fetched = cardFetched(agent.id, answer);
    const now = Date.now();
    let judged = judgeCard(writer.contract(agent.id), fetched);
    const written = await writer.write(agent.id, (contract) => {
      judged = judgeCard(contract, fetched);
      const worth = isWorthARecord(judged, contract, { asked: this.#isAsked(), now, writtenAt: this.#writtenAt });
      return worth ? judged.record : undefined;
    });
    if (written !== undefined) this.#writtenAt = now;
    const good = judged.verdict === 'accepted' || judged.verdict === 'revalidated';
    const level = good && judged.verdict !== 'accepted' ? 'debug' : good ? 'info' : 'warn';
    logger[level](
      { agentId: agent.id, verdict: judged.verdict, httpStatus: answer.httpStatus, failure: answer.failure },
      `card: ${judged.reason}`,
    );
    if (!good) {
      this.#card = { ...this.#card, checkedAt: Date.now(), failures: this.#card.failures + 1 };
      return;
    }
    // It was away and is back: what could not be probed then can be now.
    if (this.#card.failures > 0) this.#probe = { failures: 0 };
    this.#held = holdCard(this.#held, answer);
    if (this.#held.endpoint === undefined)
      logger.warn({ agentId: agent.id }, 'the card names no JSON-RPC interface of protocol 1.0: it cannot be probed');
    const lifetime = Math.max(0, answer.expiresAt - now);
    const jitter = Math.random() * Math.min(MOST_JITTER_MS, lifetime * JITTER);
    this.#card = { dueAt: answer.expiresAt + jitter, checkedAt: Date.now(), failures: 0 };
  }

  async #runProbe({ reason, canaries }: Extract<NextStep, { kind: 'probe' }>): Promise<void> {
    const { agent, settings, writer, logger } = this.#options;
    const endpoint = this.#held?.endpoint;
    const { card } = writer.contract(agent.id);
    if (endpoint === undefined || card === undefined) return;
    logger.info({ agentId: agent.id, reason, canaries: canaries.map(({ message }) => message) }, 'probing');
    const headers = agent.serviceIdentity?.headers ?? {};
    const target = { agentId: agent.id, endpoint, headers, timeoutMs: settings.probeTimeoutMs };
    this.#probingSince = Date.now();
    const outcomes: CanaryOutcome[] = [];
    for (const canary of canaries) {
      const began = Date.now();
      const transcript = await runCanary(target, canary, this.#stopping.signal);
      outcomes.push({ canary, transcript });
      const { states, checks, end, trouble } = transcript;
      logger.debug({ agentId: agent.id, canary: canary.message, states, checks, end, trouble }, 'canary');
      if (end !== 'unreached' && end !== 'refused')
        this.#begun = [...this.#begun.filter((time) => time > began - DAY_MS), began];
      if (end === 'unfinished' || end === 'unreached') break;
    }
    if (this.#stopping.signal.aborted) return;
    const verified = await writer.write(agent.id, (contract): AgentVerified | undefined => {
      const findings = conclude(outcomes, contract, Date.now());
      if (findings === undefined) return undefined;
      return {
        type: 'AgentVerified',
        agentId: agent.id,
        ...findings,
        // A task that was lost meanwhile is newer than what the canaries showed (R10).
        ...(this.#lossWhileProbing === undefined ? {} : { reobservable: false }),
        cardHash: card.hash,
        expiresAt: Date.now() + settings.verificationTtlMs,
      };
    });
    if (verified !== undefined) this.#options.onVerified(this.#probingSince);
    await this.#refoldLoss();
    this.#probingSince = undefined;
    this.#probe = { failures: verified === undefined ? this.#probe.failures + 1 : 0, endedAt: Date.now() };
    if (verified === undefined) {
      const ends = outcomes.map(({ canary, transcript: { end, trouble } }) => ({
        canary: canary.message,
        end,
        trouble,
      }));
      logger.warn({ agentId: agent.id, ends, failures: this.#probe.failures }, 'the probe came to no end');
      return;
    }
    const { states, refuted, modes, reobservable } = verified;
    logger.info(
      { agentId: agent.id, states: states.map(({ state }) => state), refuted, modes, reobservable },
      'verified',
    );
  }

  /** A verification says that no probe is needed; the loss that came while it was made says that one is. */
  async #refoldLoss(): Promise<void> {
    const loss = this.#lossWhileProbing;
    this.#lossWhileProbing = undefined;
    const { agent, writer } = this.#options;
    if (loss !== undefined) await writer.write(agent.id, (contract) => foldEvidence(contract, loss));
  }
}
