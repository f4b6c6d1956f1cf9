import { Command } from 'commander';
import { HoldfastError } from '../../infra/errors.js';
import { foldContracts, NO_CONTRACTS, type Contracts } from '../../topology/agent/contracts.js';
import { AGENTS } from '../../topology/topics.js';
import { agentLines, agentView } from '../console/agent-view.js';
import { columns } from '../console/columns.js';
import { readTopic } from '../console/read-topic.js';
import type { LogSource } from '../console/verdict-log.js';
import { withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { withSource } from './open-source.js';
import { print, withJson, type JsonOption } from './output.js';
import { widthOf } from './terminal.js';

type Options = ConfigOptions & JsonOption;

/** `holdfast agents list|show`: the contracts in force. */
export const agentsCommand = (): Command => {
  const agents = withExamples(
    new Command('agents'),
    'holdfast agents list',
    'holdfast agents show billing-a',
  ).description('agents: what their cards advertise, and what was verified of it');
  withExamples(withJson(withConfig(agents.command('list'))), 'holdfast agents list')
    .description('all agents in a line each')
    .action(list);
  withExamples(withJson(withConfig(agents.command('show'))), 'holdfast agents show billing-a --json')
    .description('one agent: card, advertised, verified, what it keeps, gaps')
    .argument('<id>', 'agent ID')
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
      widthOf(process.stdout),
    );
    print(options, views, lines);
  });
};

const show = async (id: string, options: Options): Promise<void> => {
  await withSource(options, async ({ source }) => {
    const agent = (await contractsInForce(source)).agents.get(id);
    if (agent === undefined)
      throw new HoldfastError(`no agent is called "${id}"; "holdfast agents list" names them`, {
        code: 'HOLDFAST_AGENT_UNKNOWN',
        retryable: false,
      });
    const view = agentView(agent, Date.now());
    print(options, view, agentLines(view));
  });
};
