import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { contractOf, type AgentContract } from '../../topology/agent/contracts.js';
import type { ContractsView } from '../mesh/contracts-view.js';
import type { EventLog } from '../mesh/event-log.js';

/**
 * Writes what is found out about agents. Records about one agent are decided and written one after the other, each by the
 * contract that the one before led to: probes and evidence must not overwrite each other's conclusions.
 */
export class ContractWriter {
  readonly #log: Pick<EventLog, 'publishAgent'>;
  readonly #contracts: Pick<ContractsView, 'current' | 'until'>;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(log: Pick<EventLog, 'publishAgent'>, contracts: Pick<ContractsView, 'current' | 'until'>) {
    this.#log = log;
    this.#contracts = contracts;
  }

  contract(agentId: string): AgentContract {
    return contractOf(this.#contracts.current, agentId);
  }

  /**
   * Publishes what `decide` makes of the contract in force, or nothing; resolves once it is in force itself.
   * @throws HoldfastError the log could not be reached
   */
  write<Record extends AgentRecord>(
    agentId: string,
    decide: (agent: AgentContract) => Record | undefined,
  ): Promise<Record | undefined> {
    const turn = (this.#turns.get(agentId) ?? Promise.resolve()).then(async () => {
      const record = decide(this.contract(agentId));
      if (record === undefined) return undefined;
      const { offset } = await this.#log.publishAgent(record);
      await this.#contracts.until(offset + 1n);
      return record;
    });
    // One that failed is its caller's business; the next has its turn all the same.
    this.#turns.set(
      agentId,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
