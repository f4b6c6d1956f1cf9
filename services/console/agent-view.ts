import { advertisedStates, type AgentContract } from '../../topology/agent/contracts.js';
import { timeText } from './unit-view.js';

/** What is in force for an agent: the card apart from what was verified (R9). `now`: ms. */
export const agentView = (agent: AgentContract, now: number) => {
  const { agentId, card, verification, config } = agent;
  const advertised = advertisedStates(agent);
  return {
    agentId,
    removed: agent.removed,
    card:
      card === undefined
        ? null
        : { hash: card.hash, expiresAt: timeText(card.expiresAt), expired: now >= card.expiresAt },
    ...(agent.refreshFailedAt === undefined ? {} : { refreshFailedAt: timeText(agent.refreshFailedAt) }),
    advertised: {
      states: advertised.states,
      source: advertised.source,
      outputModes: card?.terms.defaultOutputModes ?? [],
      skills: card?.terms.skills ?? [],
    },
    verified:
      verification === undefined
        ? null
        : {
            states: [...verification.states].map(([state, basis]) => ({ state, basis })),
            refuted: verification.refuted,
            modes: verification.modes,
            expiresAt: timeText(verification.expiresAt),
            stale: now >= verification.expiresAt || verification.cardHash !== card?.hash,
          },
    reobservable: agent.reobservable,
    durable: agent.durable,
    needsProbe: agent.needsProbe,
    serviceIdentity: config?.serviceIdentity ?? false,
    ...(config?.provider === undefined ? {} : { provider: config.provider }),
    ...(config?.tenants === undefined ? {} : { tenants: config.tenants }),
    ...(config?.contract === undefined ? {} : { contract: config.contract }),
    ...(config?.recovery === undefined ? {} : { recovery: config.recovery }),
    gaps: agent.gaps.map(({ from, to }) => ({ from: timeText(from), to: timeText(to) })),
  };
};

export type AgentView = ReturnType<typeof agentView>;

export const agentLines = (view: AgentView): readonly string[] => {
  const { card, advertised, verified } = view;
  const states = verified?.states.map(({ state, basis }) => `${state} (${basis})`).join(', ');
  return [
    `${view.agentId}${view.removed ? ': removed' : ''}`,
    card === null
      ? '  card        none'
      : `  card        ${card.hash}, ${card.expired ? 'expired' : 'valid until'} ${card.expiresAt}`,
    ...('refreshFailedAt' in view ? [`              the last refresh failed at ${view.refreshFailedAt ?? ''}`] : []),
    `  advertised  ${advertised.states.join(', ')} (${SOURCES[advertised.source]})`,
    `              ${advertised.outputModes.join(', ') || 'no output modes'}`,
    ...(verified === null
      ? ['  verified    never']
      : [
          `  verified    ${states === '' ? 'no state' : (states ?? '')}${verified.stale ? ', stale' : ''}`,
          `              ${verified.modes.join(', ') || 'no output modes'}; until ${verified.expiresAt}`,
          ...(verified.refuted.length === 0 ? [] : [`              refuted: ${verified.refuted.join(', ')}`]),
        ]),
    `  keeps       ${view.durable ? 'tasks over a restart' : view.reobservable ? 'tasks while it runs' : 'unknown'}${view.needsProbe ? '; a new probe is due' : ''}`,
    `  identity    ${view.serviceIdentity ? 'Holdfast has one there' : "Holdfast has none there: what it is not told itself counts, a client's own TaskNotFound does"}`,
    ...('contract' in view || 'recovery' in view
      ? [
          `  switches    contract ${view.contract ?? 'as the policy says'}, recovery ${view.recovery ?? 'as the policy says'}`,
        ]
      : []),
    ...view.gaps.map(({ from, to }) => `  gap         ${from} to ${to}`),
  ];
};

const SOURCES: Readonly<Record<AgentView['advertised']['source'], string>> = {
  extension: 'by the card',
  configured: 'by configuration',
  all: 'the card lists none: all',
};
