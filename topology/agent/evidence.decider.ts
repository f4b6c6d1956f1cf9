import type { EvidenceRecord } from '../ledger-records.js';
import type { EvidenceFolded } from './agent-records.js';
import type { AgentContract } from './contracts.js';

/**
 * Folds evidence from real traffic into the contract of an agent (R10): a lost task withdraws `reobservable` and `durable`
 * and asks for a new probe, without emptying the verified set; a state seen again confirms. `undefined`: nothing new.
 */
export const foldEvidence = (agent: AgentContract, evidence: EvidenceRecord): EvidenceFolded | undefined => {
  const { agentId, reobservable, durable, needsProbe } = agent;
  const kept = { type: 'EvidenceFolded', agentId, durable, needsProbe } as const;
  switch (evidence.kind) {
    case 'task-lost':
      if (!reobservable && !durable && needsProbe) return undefined;
      return { ...kept, reobservable: false, durable: false, observed: [], needsProbe: true };
    case 'state-reobserved': {
      const { state } = evidence;
      if (state === undefined) return undefined;
      const basis = agent.verification?.states.get(state);
      const news = agent.verification !== undefined && (basis === undefined || basis === 'assumed');
      if (reobservable && !news) return undefined;
      return { ...kept, reobservable: true, observed: news ? [state] : [] };
    }
  }
};
