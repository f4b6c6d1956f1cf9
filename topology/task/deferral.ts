import type { AgentContract } from '../agent/contracts.js';
import { isOlderThanCard, standingOf } from '../agent/standing.js';
import type { Decision, ObservedRecord } from '../decision.js';
import type { ViolationCode } from '../vocabulary.js';
import type { Draft } from './draft.js';
import type { Deferral } from './unit.js';

/**
 * Defers the observation where the evidence against it is out of date (R8); `undefined`: it convicts.
 * What was deferred once is not deferred again: `final`.
 */
export const deferOr = (draft: Draft, agentId: string, code: ViolationCode, final: boolean): Decision | undefined => {
  if (final || draft.input === undefined) return undefined;
  const { contracts, waits, now } = draft.context;
  const agent = draft.agent(agentId);
  const standing = standingOf(code, agent, contracts, waits, now);
  if (standing.kind === 'convicts') return undefined;
  draft.putOff();
  if (standing.ask) {
    draft.wait(agentId, standing.awaits, { since: now, agentsOffset: contracts.offset });
    if (standing.awaits === 'card') {
      const { partition, offset } = draft.input.coordinates;
      const commandId = `refresh-card:${partition}/${offset.toString()}:${agentId}`;
      draft.command({ type: 'refresh-card', commandId, agentId });
    }
  }
  draft.apply({
    type: 'ObservationDeferred',
    deferral: {
      agentId,
      awaits: standing.awaits,
      agentsOffset: contracts.offset,
      ...(agent.card === undefined ? {} : { cardHash: agent.card.hash }),
      until: now + contracts.policy.deferTimeoutMs,
    },
    item: itemOf(draft.input),
  });
  const waitsFor = standing.awaits === 'card' ? 'its card has expired' : 'it was verified against an earlier card';
  return draft.conclude({
    word: 'deferred',
    rule: 'R8',
    reason: `${code} would be the answer, but ${waitsFor}: ${agentId} is asked first`,
    agentId,
  });
};

/** A unit with deferred observations: everything later waits behind them (R8). */
export const waitBehind = (draft: Draft, input: ObservedRecord, { queue: _, ...deferral }: Deferral): Decision => {
  draft.apply({ type: 'ObservationDeferred', deferral, item: itemOf(input) });
  return draft.conclude({
    word: 'deferred',
    rule: 'R8',
    reason: `waits behind an observation that waits for ${deferral.agentId}`,
    agentId: deferral.agentId,
  });
};

const itemOf = ({ observation, coordinates, time, inputSha256 }: ObservedRecord) => ({
  observation,
  coordinates,
  time,
  inputSha256,
});

/** Whether what the unit waits for has been answered: the refresh, and after a changed card its re-verification (R8). */
export const isAnswered = (deferral: Deferral, agent: AgentContract): boolean => {
  if (deferral.awaits === 'verification')
    return (agent.verification?.revision ?? -1n) > deferral.agentsOffset || !isOlderThanCard(agent);
  if ((agent.answeredAt ?? -1n) <= deferral.agentsOffset) return false;
  return agent.card?.hash === deferral.cardHash || !isOlderThanCard(agent);
};
