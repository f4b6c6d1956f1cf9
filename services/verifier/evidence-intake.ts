import { foldEvidence } from '../../topology/agent/evidence.decider.js';
import type { EvidenceRecord } from '../../topology/ledger-records.js';
import type { AgentContract } from '../../topology/agent/contracts.js';
import type { ContractWriter } from './contract-writer.js';

/**
 * What is newer than the evidence that is read, per agent, in append time (ms): a verification answers every loss before
 * it, and a loss is not undone by what was seen before it.
 */
export type Horizon = { readonly verifiedAt: number; readonly lostAt: number };

/**
 * Whether evidence may still change the contract. Evidence is read from its beginning at every start and from several
 * partitions, so old evidence comes again and late evidence comes after newer: neither may contradict a verification that
 * was made since (R10).
 */
export const isNews = (
  evidence: Pick<EvidenceRecord, 'kind'>,
  time: number,
  { verifiedAt, lostAt }: Horizon,
  agent: AgentContract,
): boolean => {
  // An agent that nobody configured has no contract to fold into; a removed one keeps its last (R57).
  if (agent.config === undefined || agent.removed || time < verifiedAt) return false;
  return evidence.kind === 'task-lost' || time >= lostAt;
};

/** Folds evidence from real traffic into the contracts (R10). */
export class EvidenceIntake {
  readonly #writer: ContractWriter;
  readonly #horizons = new Map<string, Horizon>();
  readonly #onFolded: (evidence: EvidenceRecord, time: number) => void;

  /** `verifiedAt`: when each agent was last verified, as the agents topic says at the start. */
  constructor(
    writer: ContractWriter,
    verifiedAt: ReadonlyMap<string, number>,
    onFolded: (evidence: EvidenceRecord, time: number) => void,
  ) {
    this.#writer = writer;
    this.#onFolded = onFolded;
    for (const [agentId, time] of verifiedAt) this.#horizons.set(agentId, { verifiedAt: time, lostAt: 0 });
  }

  /** A probe that began at `time` has led to a verification. */
  verified(agentId: string, time: number): void {
    this.#horizons.set(agentId, { ...this.#horizonOf(agentId), verifiedAt: time });
  }

  /** Resolves once what follows from it is in force. @throws HoldfastError the log could not be reached */
  async take(evidence: EvidenceRecord, time: number): Promise<void> {
    const { agentId } = evidence;
    const horizon = this.#horizonOf(agentId);
    if (!isNews(evidence, time, horizon, this.#writer.contract(agentId))) return;
    if (evidence.kind === 'task-lost')
      this.#horizons.set(agentId, { ...horizon, lostAt: Math.max(horizon.lostAt, time) });
    await this.#writer.write(agentId, (agent) => foldEvidence(agent, evidence));
    this.#onFolded(evidence, time);
  }

  #horizonOf(agentId: string): Horizon {
    return this.#horizons.get(agentId) ?? { verifiedAt: 0, lostAt: 0 };
  }
}
