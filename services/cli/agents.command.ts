import { Command } from 'commander';
import { HoldfastError } from '../../infra/errors.js';
import { foldContracts, NO_CONTRACTS, type Contracts } from '../../topology/agent/contracts.js';
import { AGENTS } from '../../topology/topics.js';
import { agentLines, agentView } from '../console/agent-view.js';
import { columns } from '../console/columns.js';
import { jsonText } from '../console/json-text.js';
import { readTopic } from '../console/read-topic.js';
import type { LogSource } from '../console/verdict-log.js';
import { withConfig, type ConfigOptions } from './config-options.js';
import { withSource } from './open-source.js';

type Options = ConfigOptions & { readonly json?: true };

/** `holdfast agents list|show`: the contracts in force. */
export const agentsCommand = (): Command => {
  const agents = new Command('agents').description('agents: what their cards advertise, and what was verified of it');
  withConfig(agents.command('list'))
    .description('all agents in a line each')
    .option('--json', 'print JSON instead of text')
    .action(list);
  withConfig(agents.command('show'))
    .description('one agent: card, advertised, verified, what it keeps, gaps')
    .argument('<id>', 'agent ID')
    .option('--json', 'print JSON instead of text')
    .action(show);
  return agents;
};

const contractsInForce = async (source: LogSource): Promise<Contracts> => {
  let contracts = NO_CONTRACTS;
  await readTopic(source, AGENTS, [0], ({ value, at: { offset }, time }) => {
    if (value !== undefined) contracts = foldContracts(contracts, value, offset, time);
  });
  return contracts;
};

const list = async (options: Options): Promise<void> => {
  await withSource(options, async ({ source }) => {
    const { agents } = await contractsInForce(source);
    const views = [...agents.values()]
      .map((agent) => agentView(agent, Date.now()))
      .toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
    const lines = columns(
      ['AGENT', 'CARD', 'ADVERTISED', 'VERIFIED', 'KEEPS'],
      views.map(({ agentId, removed, card, advertised, verified, durable, reobservable }) => [
        agentId,
        removed ? 'removed' : card === null ? 'none' : card.expired ? 'expired' : 'in force',
        advertised.source === 'all' ? 'all states' : advertised.states.join(','),
        verified === null
          ? 'never'
          : `${verified.states.map(({ state }) => state).join(',') || 'nothing'}${verified.stale ? ' (stale)' : ''}`,
        durable ? 'durable' : reobservable ? 're-observable' : 'unknown',
      ]),
    );
    print(options, views, lines);
  });
};

const show = async (id: string, options: Options): Promise<void> => {
  await withSource(options, async ({ source }) => {
    const agent = (await contractsInForce(source)).agents.get(id);
    if (agent === undefined)
      throw new HoldfastError(`no agent is called "${id}"`, { code: 'HOLDFAST_AGENT_UNKNOWN', retryable: false });
    const view = agentView(agent, Date.now());
    print(options, view, agentLines(view));
  });
};

const print = ({ json }: Options, object: unknown, lines: readonly string[]): void => {
  process.stdout.write(json === true ? `${jsonText(object)}\n` : lines.map((line) => `${line}\n`).join(''));
};
