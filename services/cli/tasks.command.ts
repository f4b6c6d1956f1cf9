import { Command } from 'commander';
import { formatCoordinates } from '../../topology/kit/coordinates.js';
import { TASK_STATES } from '../../topology/task/task-state.js';
import { currentAttempt, isIndeterminate } from '../../topology/task/unit.js';
import { columns } from '../console/columns.js';
import { findUnit, scanUnits } from '../console/find-units.js';
import { readWhy } from '../console/read-why.js';
import { phaseOf, timeText, unitLines, unitRow } from '../console/unit-view.js';
import { whyLines } from '../console/why.js';
import { choiceOption } from './choices.js';
import { withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { withSource } from './open-source.js';
import { print, withJson, type JsonOption } from './output.js';
import { widthOf } from './terminal.js';
import { wholeNumber } from './whole-number.js';

type Options = ConfigOptions & JsonOption;
type ListOptions = Options & {
  readonly state?: string;
  readonly agent?: string;
  readonly indeterminate?: true;
  readonly limit: number;
};

const ID = 'correlation ID, TENANT/ID, or a server task ID';
const PHASES = ['indeterminate', 'dispatched', 'answered', 'closed-by-violation', ...TASK_STATES];

/** `holdfast tasks list|show|why`: units of work as the ledger has them, and how it came to that. */
export const tasksCommand = (): Command => {
  const tasks = withExamples(
    new Command('tasks'),
    'holdfast tasks list --indeterminate',
    'holdfast tasks why offer-17',
  ).description('units of work, as the ledger has them');
  withExamples(
    withJson(withConfig(tasks.command('list'))),
    'holdfast tasks list --state input-required --agent billing-a',
    'holdfast tasks list --indeterminate --json',
  )
    .description('units on record, those with the latest news first')
    .addOption(choiceOption('--state <state>', 'only those in this state or phase', PHASES))
    .option('--agent <id>', 'only those that are at this agent now')
    .option('--indeterminate', 'only those that were lost and are not yet at work again')
    .option('--limit <n>', 'at most so many', wholeNumber, 50)
    .action(list);
  withExamples(
    withJson(withConfig(tasks.command('show'))),
    'holdfast tasks show offer-17',
    'holdfast tasks show acme/17',
  )
    .description('one unit: state, attempts, server tasks, artifacts, marks')
    .argument('<id>', ID)
    .action(show);
  withExamples(withJson(withConfig(tasks.command('why'))), 'holdfast tasks why offer-17')
    .description('how a unit came to be where it is, in sentences, each with the records that prove it')
    .argument('<id>', ID)
    .option('--all', 'also what changed nothing')
    .action(why);
  return tasks;
};

const list = async (options: ListOptions): Promise<void> => {
  await withSource(options, async ({ source, partitions }) => {
    const units = await scanUnits(
      source,
      partitions,
      (_, entry) =>
        (options.state === undefined || [phaseOf(entry), entry.state].includes(options.state)) &&
        (options.agent === undefined || currentAttempt(entry)?.agentId === options.agent) &&
        (options.indeterminate === undefined || isIndeterminate(entry)),
    );
    const rows = units
      .toSorted((a, b) => b.entry.newsAt - a.entry.newsAt)
      .slice(0, options.limit)
      .map(({ entry }) => unitRow(entry));
    const lines = columns(
      ['ID', 'PHASE', 'LAST STATE', 'AGENT', 'ATTEMPTS', 'NEWS', 'MARKS'],
      rows.map((row) => [
        row.id,
        row.phase,
        row.state ?? '-',
        row.agentId ?? '-',
        String(row.attempts),
        row.newsAt,
        row.marks.join(','),
      ]),
      widthOf(process.stdout),
    );
    print(options, rows, lines);
    if (units.length > rows.length) process.stderr.write(`${units.length - rows.length} more; see --limit\n`);
  });
};

const show = async (id: string, options: Options): Promise<void> => {
  await withSource(options, async ({ source, partitions }) => {
    const { entry } = await findUnit(source, partitions, id);
    print(options, { phase: phaseOf(entry), ...entry }, unitLines(entry));
  });
};

const why = async (id: string, options: Options & { readonly all?: true }): Promise<void> => {
  await withSource(options, async ({ source, partitions }) => {
    const unit = await findUnit(source, partitions, id);
    const told = (await readWhy(source, unit)).filter(({ isMinor }) => options.all === true || !isMinor);
    const sentences = told.map(({ isMinor: _, at, places, ...sentence }) => ({
      at: timeText(at),
      ...sentence,
      places: places.map(formatCoordinates),
    }));
    print(options, { phase: phaseOf(unit.entry), sentences }, [
      ...unitLines(unit.entry).slice(0, 1),
      ...whyLines(told),
    ]);
  });
};
