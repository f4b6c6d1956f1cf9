import type { AgentConfig } from '../../infra/config/config.js';
import { fetchCard } from '../../infra/http/card-fetch.js';
import { readCard } from '../../topology/agent/card-terms.js';
import { contractOf, foldContracts, NO_CONTRACTS, type AgentContract } from '../../topology/agent/contracts.js';
import { AGENTS } from '../../topology/topics.js';
import { readTopic } from '../console/read-topic.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

/** Whether every configured agent shows a card that can be read. */
export const cardsFound = async (around: Surroundings): Promise<Found> => {
  const { agents, verifier } = (await around.config()).config;
  if (agents.length === 0)
    return {
      status: 'warning',
      said: 'no agents are configured',
      ways: ['name them under "agents" in the configuration file'],
    };
  const faults = await Promise.all(
    agents.map(async (agent) => {
      const fault = await cardFault(agent, verifier.cardTtlMs);
      return fault === undefined ? [] : [`${agent.id}: ${fault}`];
    }),
  );
  if (faults.flat().length === 0) return ok(`${agents.length} can be fetched and read`);
  return {
    status: 'failure',
    said: `${faults.flat().length} of ${agents.length} cannot be had`,
    details: faults.flat(),
    ways: ['start these agents, or correct their cardUrl in the configuration file'],
  };
};

const cardFault = async (
  { cardUrl, serviceIdentity }: AgentConfig,
  defaultTtlMs: number,
): Promise<string | undefined> => {
  const headers = serviceIdentity?.headers;
  const { failure, body } = await fetchCard({
    url: cardUrl,
    defaultTtlMs,
    ...(headers === undefined ? {} : { headers }),
  });
  if (failure !== undefined || body?.kind !== 'json') return `${cardUrl}: ${failure ?? 'no card'}`;
  const card = readCard(body.value);
  return card.kind === 'invalid' ? `${cardUrl}: ${card.reason}` : undefined;
};

/** What is on the log about every configured agent: whether it was verified, and against the card in force. */
export const agentsFound = async (around: Surroundings): Promise<Found> => {
  const { agents } = (await around.config()).config;
  const source = await around.source();
  let contracts = NO_CONTRACTS;
  await readTopic(source, AGENTS, [0], ({ value, at: { offset }, time }) => {
    if (value !== undefined) contracts = foldContracts(contracts, value, offset, time);
  });
  const now = Date.now();
  const faults = agents.flatMap(({ id }) => faultsOf(contractOf(contracts, id), now).map((fault) => `${id}: ${fault}`));
  if (faults.length === 0)
    return ok(agents.length === 0 ? 'none configured' : `${agents.length} verified, and up to date`);
  return {
    status: 'warning',
    said: `${faults.length} remarks; who is not verified takes nothing over`,
    details: faults,
    ways: [
      'run the verifier: "holdfast serve verifier"',
      '"holdfast agents show ID" has what was verified; canaries that reach each state are configured under "agents"',
    ],
  };
};

const faultsOf = ({ removed, card, verification, refreshFailedAt }: AgentContract, now: number): readonly string[] => {
  if (removed) return ['was removed, and stays so: it needs another ID'];
  return [
    ...(card === undefined ? ['no card was accepted yet'] : now >= card.expiresAt ? ['its card has expired'] : []),
    ...(refreshFailedAt === undefined ? [] : ['the last refresh of its card failed']),
    ...(verification === undefined
      ? ['was never verified']
      : verification.cardHash !== card?.hash
        ? ['was verified against another card']
        : now >= verification.expiresAt
          ? ['its verification has expired']
          : []),
  ];
};
