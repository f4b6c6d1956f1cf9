import { createHash } from 'node:crypto';
import type { AgentConfig, HoldfastConfig } from '../../infra/config/config.js';
import { canonicalJson } from '../../topology/a2a/canonical-json.js';
import { omitAbsent } from '../../topology/a2a/json.js';
import type { AgentConfigured, AgentRecord } from '../../topology/agent/agent-records.js';
import { contractOf, type Contracts } from '../../topology/agent/contracts.js';
import type { Policy } from '../../topology/policy.js';

/** The name under which verdicts cite a policy (R42): a hash of it, so that the same policy has the same name. */
export const policyVersion = (policy: Policy): string =>
  createHash('sha256').update(canonicalJson(policy)).digest('hex').slice(0, 16);

/** What the contracts keep of an agent's configuration. Addresses, headers and canaries are nobody's business there. */
export const configuredAs = ({ id, persistence, serviceIdentity, ...agent }: AgentConfig): AgentConfigured => ({
  type: 'AgentConfigured',
  agentId: id,
  ...omitAbsent({
    provider: agent.provider,
    tenants: agent.tenants,
    configuredStates: agent.configuredStates,
    defaultSkill: agent.defaultSkill,
  }),
  durable: persistence === 'durable',
  serviceIdentity: serviceIdentity !== undefined,
  ...omitAbsent({ contract: agent.contract, recovery: agent.recovery }),
});

/**
 * What has to be published so that the agents topic says what the configuration says: nothing where it does. Agents that
 * are on the topic and no longer configured are removed (R57), and a removed one stays removed.
 */
export const configurationNews = (
  contracts: Contracts,
  { policy, agents }: Pick<HoldfastConfig, 'policy' | 'agents'>,
): readonly AgentRecord[] => {
  const version = policyVersion(policy);
  const configured = agents.map(configuredAs).filter((record) => {
    const { config, removed } = contractOf(contracts, record.agentId);
    return !removed && (config === undefined || canonicalJson(config) !== canonicalJson(record));
  });
  const wanted = new Set(agents.map(({ id }) => id));
  const removed = [...contracts.agents.values()].filter(
    (agent) => agent.config !== undefined && !agent.removed && !wanted.has(agent.agentId),
  );
  return [
    ...(contracts.policyVersion === version ? [] : [{ type: 'PolicyChanged', version, policy } as const]),
    ...configured,
    ...removed.map(({ agentId }) => ({ type: 'AgentRemoved', agentId }) as const),
  ];
};
