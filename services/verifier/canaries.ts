import type { AgentConfig, CanaryConfig } from '../../infra/config/config.js';
import { LIFECYCLE_EXTENSION } from '../../topology/a2a/lifecycle.js';
import { advertisedStates, type AgentContract } from '../../topology/agent/contracts.js';
import { isInside, isWildcard, parseMediaType } from '../../topology/artifact/media-type.js';
import { modesInForce } from '../../topology/artifact/output-modes.js';
import { isInterrupted } from '../../topology/task/task-state.js';

/** What every agent that declares the lifecycle extension can answer when a canary asks for input (R43). */
const OUR_ANSWER = 'blue';

/**
 * The canaries that can be put to an agent under the card in force, those for states first (R43). Nothing is asked for
 * that is not advertised: it could not be accepted anyway. The operator's canaries replace ours; without them, ours are put
 * to agents that declare the lifecycle extension, and to the others none.
 */
export const canariesFor = (
  agent: AgentContract,
  config: Pick<AgentConfig, 'canaries' | 'defaultSkill'>,
  extensions: readonly string[],
): readonly CanaryConfig[] => {
  const { canaries = [], defaultSkill } = config;
  const chosen = canaries.length > 0 ? canaries : extensions.includes(LIFECYCLE_EXTENSION) ? ours(agent) : [];
  const advertised = chosen.filter((canary) => isAdvertised(agent, canary));
  const bySkill = advertised.map((canary) =>
    canary.skillId === undefined && defaultSkill !== undefined ? { ...canary, skillId: defaultSkill } : canary,
  );
  return [...bySkill.filter(({ state }) => state !== undefined), ...bySkill.filter(({ state }) => state === undefined)];
};

const isAdvertised = (agent: AgentContract, { state, mode }: CanaryConfig): boolean => {
  if (state !== undefined && !advertisedStates(agent).states.includes(state)) return false;
  const wanted = mode === undefined ? undefined : parseMediaType(mode);
  if (mode === undefined || agent.card === undefined) return true;
  // Verified modes are concrete (R19): a range cannot be shown.
  if (wanted === undefined || isWildcard(wanted)) return false;
  return modesOf(agent).some((advertised) => {
    const range = parseMediaType(advertised);
    return range !== undefined && isInside(wanted, range);
  });
};

const modesOf = ({ card }: AgentContract): readonly string[] =>
  card === undefined ? [] : modesInForce(card.terms, undefined).modes;

/**
 * The interrupted states are what nothing but a canary can show: those that no probe can force are assumed (R13), and
 * `completed` is how every canary ends. It has one of its own where there is no other.
 */
const ours = (agent: AgentContract): readonly CanaryConfig[] => {
  const { states } = advertisedStates(agent);
  const interrupted = states.filter(isInterrupted).map((state) => ({
    state,
    message: `canary: ${state}`,
    ...(state === 'input-required' ? { answer: OUR_ANSWER } : {}),
  }));
  const modes = modesOf(agent).map((mode) => ({ mode, message: `canary: mode ${mode}` }));
  const all = [...interrupted, ...modes];
  return all.length > 0 ? all : [{ state: 'completed', message: 'canary: completed' }];
};
