import { ContractWriter } from '../../../services/verifier/contract-writer.js';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import { foldContracts, type Contracts } from '../../../topology/agent/contracts.js';

/** The agents topic, as far as it is written and folded here. */
export const agentsTopic = (contracts: Contracts) => {
  const written: AgentRecord[] = [];
  let current = contracts;
  const log = {
    publishAgent: (record: AgentRecord) => {
      written.push(record);
      current = foldContracts(current, record, current.offset + 1n, 0);
      return Promise.resolve({ topic: 'agents', partition: 0, offset: current.offset });
    },
  };
  const view = {
    get current() {
      return current;
    },
    until: () => Promise.resolve(),
  };
  return { written, writer: new ContractWriter(log, view) };
};
