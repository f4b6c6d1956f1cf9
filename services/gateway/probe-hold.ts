import { contractOf } from '../../topology/agent/contracts.js';
import type { ContractsSource } from './ports.js';

/** Whether a dispatch may go out to an agent. */
export type Admission = 'go' | 'refused';

/**
 * Holds the first dispatch to an agent that was never verified until the probe answers or the hold has passed (R12).
 * What comes meanwhile waits for the same moment, and once it has passed nobody waits any more: an agent that no probe
 * ever answers for is not slowed down for ever.
 */
export class ProbeHold {
  readonly #contracts: ContractsSource;
  readonly #holdMs: number;
  readonly #holds = new Map<string, Promise<void>>();

  constructor(contracts: ContractsSource, holdMs: number) {
    this.#contracts = contracts;
    this.#holdMs = holdMs;
  }

  async admit(agentId: string): Promise<Admission> {
    const { policy } = this.#contracts.current;
    if (policy.unverified === 'trust' || this.#isVerified(agentId)) return 'go';
    if (policy.unverified === 'refuse') return 'refused';
    const hold = this.#holds.get(agentId) ?? this.#hold(agentId);
    this.#holds.set(agentId, hold);
    await hold;
    return 'go';
  }

  #isVerified(agentId: string): boolean {
    return contractOf(this.#contracts.current, agentId).verification !== undefined;
  }

  #hold(agentId: string): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        unwatch();
        resolve();
      };
      const timer = setTimeout(end, this.#holdMs);
      timer.unref();
      const unwatch = this.#contracts.onChange(() => {
        if (this.#isVerified(agentId)) end();
      });
    });
  }
}
