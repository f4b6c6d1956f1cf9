import type { AgentConfig, CanaryConfig, HoldfastConfig } from '../../infra/config/config.js';
import type { AgentEndpoint } from '../../infra/http/agent-endpoint.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import type { AgentVerified } from '../../topology/agent/agent-records.js';
import { foldEvidence } from '../../topology/agent/evidence.decider.js';
import type { EvidenceRecord } from '../../topology/ledger-records.js';
import { runCanary } from './canary-run.js';
import type { ContractWriter } from './contract-writer.js';
import { conclude, type CanaryOutcome } from './probe-evidence.js';
import type { ProbeReason, Situation } from './probe-plan.js';

export type AgentProbeOptions = {
  readonly agent: AgentConfig;
  readonly settings: HoldfastConfig['verifier'];
  readonly writer: ContractWriter;
  readonly logger: Logger;
  /** A probe that began at `time` has led to a verification. */
  readonly onVerified: (time: number) => void;
};

/** What one probe is to do. */
export type ProbeOrder = {
  readonly reason: ProbeReason;
  readonly canaries: readonly CanaryConfig[];
  readonly endpoint: AgentEndpoint;
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Probes one agent, one probe at a time, and publishes what that proved (R43). Canaries are no unit of the ledger's. */
export class AgentProbe {
  readonly #options: AgentProbeOptions;
  #failures = 0;
  #endedAt: number | undefined;
  #begun: readonly number[] = [];
  #since: number | undefined;
  #loss: EvidenceRecord | undefined;

  constructor(options: AgentProbeOptions) {
    this.#options = options;
  }

  get situation(): Situation['probe'] {
    return {
      failures: this.#failures,
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
      begun: this.#begun,
      budget: this.#options.settings.probeBudget,
    };
  }

  /** The agent was away and is back: what could not be probed then can be now. */
  forgetFailures(): void {
    this.#failures = 0;
  }

  /** A task was lost at `time`. While a probe is under way that is newer than what the probe has seen so far. */
  noteLoss(evidence: EvidenceRecord, time: number): void {
    if (this.#since !== undefined && time >= this.#since) this.#loss = evidence;
  }

  /**
   * Puts the canaries and publishes what they prove together. One that comes to no end ends the probe without a result:
   * the last verification stands. @throws HoldfastError the log could not be reached
   */
  async run(order: ProbeOrder, signal: AbortSignal): Promise<void> {
    const { agent, writer, logger, onVerified } = this.#options;
    const { reason, canaries } = order;
    logger.info({ agentId: agent.id, reason, canaries: canaries.map(({ message }) => message) }, 'probing');
    const since = Date.now();
    this.#since = since;
    const against = writer.contract(agent.id).card?.hash;
    const outcomes = await this.#put(order, signal);
    if (signal.aborted) return;
    const verified = await this.#publish(outcomes, against);
    if (verified !== undefined) onVerified(since);
    await this.#refoldLoss();
    this.#since = undefined;
    this.#endedAt = Date.now();
    this.#failures = verified === undefined ? this.#failures + 1 : 0;
    if (verified === undefined) {
      const ends = outcomes.map(({ canary, transcript: { end, trouble } }) => ({
        canary: canary.message,
        end,
        trouble,
      }));
      logger.warn({ agentId: agent.id, ends, failures: this.#failures }, 'the probe came to no end');
      return;
    }
    const { states, refuted, modes, reobservable } = verified;
    const shown = { states: states.map(({ state }) => state), refuted, modes, reobservable };
    logger.info({ agentId: agent.id, ...shown }, 'verified');
  }

  async #put({ canaries, endpoint }: ProbeOrder, signal: AbortSignal): Promise<readonly CanaryOutcome[]> {
    const { agent, settings, logger } = this.#options;
    const headers = agent.serviceIdentity?.headers ?? {};
    const target = { agentId: agent.id, endpoint, headers, timeoutMs: settings.probeTimeoutMs };
    const outcomes: CanaryOutcome[] = [];
    for (const canary of canaries) {
      const began = Date.now();
      const transcript = await runCanary(target, canary, signal);
      outcomes.push({ canary, transcript });
      const { states, checks, end, trouble } = transcript;
      logger.debug({ agentId: agent.id, canary: canary.message, states, checks, end, trouble }, 'canary');
      // What nobody can be sure of was begun.
      if (end !== 'unreached' && end !== 'refused')
        this.#begun = [...this.#begun.filter((time) => time > began - DAY_MS), began];
      if (end === 'unfinished' || end === 'unreached') break;
    }
    return outcomes;
  }

  #publish(outcomes: readonly CanaryOutcome[], cardHash: string | undefined): Promise<AgentVerified | undefined> {
    const { agent, settings, writer } = this.#options;
    return writer.write(agent.id, (contract): AgentVerified | undefined => {
      const findings = contract.removed ? undefined : conclude(outcomes, contract, Date.now());
      return (
        findings && {
          type: 'AgentVerified',
          agentId: agent.id,
          ...findings,
          // A task that was lost meanwhile is newer than what the canaries showed (R10).
          ...(this.#loss === undefined ? {} : { reobservable: false }),
          ...(cardHash === undefined ? {} : { cardHash }),
          expiresAt: Date.now() + settings.verificationTtlMs,
        }
      );
    });
  }

  /** A verification says that no probe is needed; the loss that came while it was made says that one is. */
  async #refoldLoss(): Promise<void> {
    const loss = this.#loss;
    this.#loss = undefined;
    const { agent, writer } = this.#options;
    if (loss !== undefined) await writer.write(agent.id, (contract) => foldEvidence(contract, loss));
  }
}
