import { Command, InvalidArgumentError } from 'commander';
import { formatCoordinates } from '../../topology/kit/coordinates.js';
import { currentAttempt, isIndeterminate } from '../../topology/task/unit.js';
import { columns } from '../console/columns.js';
import { findUnit, scanUnits } from '../console/find-units.js';
import { jsonText } from '../console/json-text.js';
import { readWhy } from '../console/read-why.js';
import { phaseOf, timeText, unitLines, unitRow } from '../console/unit-view.js';
import { whyLines } from '../console/why.js';
import { withConfig, type ConfigOptions } from './config-options.js';
import { withSource } from './open-source.js';

type Options = ConfigOptions & { readonly json?: true };
type ListOptions = Options & {
  readonly state?: string;
  readonly agent?: string;
  readonly indeterminate?: true;
  readonly limit: number;
};

const ID = 'correlation ID, TENANT/ID, or a server task ID';
const JSON_OPTION = ['--json', 'print JSON instead of text'] as const;

const limit = (text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('must be a whole number from 1 on');
  return count;
};

/** `holdfast tasks list|show|why`: units of work as the ledger has them, and how it came to that. */
export const tasksCommand = (): Command => {
  const tasks = new Command('tasks').description('units of work, as the ledger has them');
  withConfig(tasks.command('list'))
    .description('units on record, those with the latest news first')
    .option('--state <state>', 'only those in this state or phase')
    .option('--agent <id>', 'only those that are at this agent now')
    .option('--indeterminate', 'only those that were lost and are not yet at work again')
    .option('--limit <n>', 'at most so many', limit, 50)
    .option(...JSON_OPTION)
    .action(list);
  withConfig(tasks.command('show'))
    .description('one unit: state, attempts, server tasks, artifacts, marks')
    .argument('<id>', ID)
    .option(...JSON_OPTION)
    .action(show);
  withConfig(tasks.command('why'))
    .description('how a unit came to be where it is, in sentences, each with the records that prove it')
    .argument('<id>', ID)
    .option('--all', 'also what changed nothing')
    .option(...JSON_OPTION)
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

const print = ({ json }: Options, object: unknown, lines: readonly string[]): void => {
  process.stdout.write(json === true ? `${jsonText(object)}\n` : lines.map((line) => `${line}\n`).join(''));
};
