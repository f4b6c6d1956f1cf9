import { meetsAcceptedModes } from '../artifact/output-modes.js';
import { advertisedStates, contractOf, type AgentContract, type Contracts } from '../agent/contracts.js';
import type { Considered } from '../command.js';
import { compareUtf8 } from '../kit/record-key.js';
import type { Policy, Recovery } from '../policy.js';
import type { TaskState } from '../task/task-state.js';
import type { UnitRecord } from '../task/unit.js';

/** The configured substitution group of an agent (R33). */
export const substitutionGroup = (policy: Policy, agentId: string): readonly string[] | undefined =>
  policy.substitutionGroups.find((group) => group.includes(agentId));

/** How the losses of an agent are recovered (R41). */
export const recoveryOf = (contracts: Contracts, agentId: string): Recovery => {
  const { policy } = contracts;
  const configured = contractOf(contracts, agentId).config?.recovery ?? policy.recovery;
  return configured ?? (substitutionGroup(policy, agentId) === undefined ? 'manual' : 'always');
};

export type Choice = {
  /** First choice first; empty: nobody can. */
  readonly candidates: readonly string[];
  /** Everybody considered, candidates first, each with what it lacks (R33). */
  readonly considered: readonly Considered[];
};

export type Requirement = {
  readonly requiredState: TaskState;
  /** The agent whose loss is to be made good: its group is the unit's. */
  readonly lostBy: string;
  /** Agents whose dispatch failed for this loss: out for it (R37). */
  readonly failed: readonly string[];
  /** An agent that the operator named: considered wherever it belongs (R61). */
  readonly named?: string;
};

/** Who may take the unit over, in order (R33). Only what was verified makes a candidate; a card never does. */
export const chooseCandidates = (record: UnitRecord, contracts: Contracts, requirement: Requirement): Choice => {
  const group = substitutionGroup(contracts.policy, requirement.lostBy);
  const belongs = (agent: AgentContract): boolean =>
    group === undefined ? servesSkill(agent, record.skillId) : group.includes(agent.agentId);
  const named = requirement.named === undefined ? [] : [contractOf(contracts, requirement.named)];
  const considered = [
    ...new Map([...named, ...contracts.agents.values()].map((agent) => [agent.agentId, agent])).values(),
  ]
    .filter((agent) => belongs(agent) || agent.agentId === requirement.named)
    .map((agent) => ({
      agentId: agent.agentId,
      lacks: [
        ...(belongs(agent) ? [] : [group === undefined ? 'another skill' : 'outside the substitution group']),
        ...lacking(agent, record, requirement),
      ],
    }))
    .sort((a, b) => compareChoice(a.agentId, b.agentId, record, contracts.policy));
  const able = considered.filter(({ lacks }) => lacks.length === 0);
  return {
    candidates: able.map(({ agentId }) => agentId),
    considered: [...able, ...considered.filter(({ lacks }) => lacks.length > 0)],
  };
};

const servesSkill = (agent: AgentContract, skillId: string | undefined): boolean =>
  skillId !== undefined && (agent.card?.terms.skills.some(({ id }) => id === skillId) ?? false);

/** What keeps an agent from being a candidate, as words; empty: nothing (R33). */
export const lacking = (agent: AgentContract, record: UnitRecord, requirement: Requirement): readonly string[] => {
  const { requiredState, failed } = requirement;
  const basis = agent.verification?.states.get(requiredState);
  const modes = meetsAcceptedModes(agent, record.skillId, record.acceptedOutputModes);
  const loss = record.lostBy.find(({ agentId }) => agentId === agent.agentId);
  const reverified = loss === undefined || (agent.verification?.revision ?? -1n) > loss.agentsOffset;
  const tenants = agent.config?.tenants;
  const conditions: readonly (readonly [boolean, string])[] = [
    [!agent.removed, 'removed'],
    [tenants === undefined || (record.tenant !== undefined && tenants.includes(record.tenant)), 'other tenant'],
    [agent.card !== undefined, 'no card'],
    [agent.verification !== undefined, 'never verified'],
    // An assumed state judges; it never makes a candidate (R12, R13).
    [basis !== undefined && basis !== 'assumed', `${requiredState} not verified`],
    [advertisedStates(agent).states.includes(requiredState), `${requiredState} not advertised by the card in force`],
    [modes !== 'not-verified', 'no accepted output mode verified'],
    [modes !== 'denied-by-card', 'no accepted output mode advertised for the skill'],
    [!failed.includes(agent.agentId), 'dispatch failed for this loss'],
    [reverified, 'lost this unit and was not verified again since'],
  ];
  return conditions.filter(([holds]) => !holds).map(([, word]) => word);
};

const compareChoice = (a: string, b: string, record: UnitRecord, { preference }: Policy): number => {
  const lost = (agentId: string): number => (record.lostBy.some((loss) => loss.agentId === agentId) ? 1 : 0);
  const rank = (agentId: string): number => {
    const place = preference.indexOf(agentId);
    return place < 0 ? preference.length : place;
  };
  return lost(a) - lost(b) || rank(a) - rank(b) || compareUtf8(a, b);
};
