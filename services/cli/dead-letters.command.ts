import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { Command } from 'commander';
import { HoldfastError } from '../../infra/errors.js';
import { QUARANTINE_REASONS, type QuarantineReason } from '../../topology/vocabulary.js';
import { columns } from '../console/columns.js';
import { findLetter, readLetter, scanLetters, type Letter } from '../console/dead-letters.js';
import {
  LETTER_COLUMNS,
  letterCells,
  letterLines,
  letterRow,
  letterView,
  replayLine,
  replayView,
} from '../console/dead-letter-view.js';
import { judgedNow, replayLetters, type Replay } from '../console/replay.js';
import type { LogSource } from '../console/verdict-log.js';
import { choiceOption } from './choices.js';
import { withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import { withSource } from './open-source.js';
import { print, withJson, type JsonOption } from './output.js';
import { widthOf } from './terminal.js';
import { timeOption } from './time-option.js';
import { UsageError } from './usage-error.js';
import { wholeNumber } from './whole-number.js';

type Filters = {
  readonly reason?: QuarantineReason;
  readonly topic?: string;
  readonly from?: number;
  readonly to?: number;
};
type Options = ConfigOptions & JsonOption;
type ListOptions = Options & Filters & { readonly open?: true; readonly limit: number };
type ReplayWords = Options &
  Filters & {
    readonly all?: true;
    readonly dryRun?: true;
    readonly yes?: true;
    readonly force?: true;
    readonly actor: string;
    readonly because?: string;
  };

const VERDICT_WITHIN_MS = 30_000;
/** A schema that is missing is asked for once: who looks at a dead letter does not want to wait for it. */
const ASK_ONCE = { schemaWaitMs: 0 };

const REPLAY = 'holdfast dead-letters replay';
const PLACE = 'a2a.dead-letters.v1/PARTITION/OFFSET, or the place of the record that was set aside';
const REPLAY_HELP = `
A replay is a new record: it is judged as if it were said now. It keeps headers and event ID, so what was judged already
is idempotent. Exit code 1: something was refused, or set aside again.`;

/** `holdfast dead-letters list|show|replay`: records that were set aside, and how they come back (R59). */
export const deadLettersCommand = (): Command => {
  const letters = withExamples(
    new Command('dead-letters'),
    'holdfast dead-letters list --open',
    'holdfast dead-letters show a2a.dead-letters.v1/3/17',
  ).description('records that were set aside: which, why, and how they come back');
  withExamples(
    withJson(withFilters(withConfig(letters.command('list')))),
    'holdfast dead-letters list --reason unknown-schema --from 2h',
    "holdfast dead-letters list --open --json | jq -r '.[].at'",
  )
    .description('dead letters in a line each, the latest first')
    .option('--open', 'only those that were not written again')
    .option('--limit <n>', 'at most so many', wholeNumber, 50)
    .action(list);
  withExamples(
    withJson(withConfig(letters.command('show'))),
    'holdfast dead-letters show a2a.dead-letters.v1/3/17',
    'holdfast dead-letters show a2a.task-events.v1/3/4711 --raw value.bin',
  )
    .description('all of a dead letter: the record, what could be read of it now, the way out')
    .argument('<place>', PLACE)
    .option('--raw <file>', 'write the value, byte for byte, to this file')
    .action(show);
  withExamples(
    withJson(withFilters(withConfig(letters.command('replay')))).addHelpText('after', REPLAY_HELP),
    'holdfast dead-letters replay a2a.dead-letters.v1/3/17 --because "schema 12 is registered now"',
    'holdfast dead-letters replay --reason unknown-schema --dry-run',
    'holdfast dead-letters replay --all --from 2026-03-01T00:00:00Z --yes',
  )
    .description('write records that were set aside once more, and wait for what is concluded')
    .argument('[place...]', PLACE)
    .option('--all', 'all that were not written again')
    .option('--dry-run', 'say what would be done, and write nothing')
    .option('--yes', 'write what the filters choose; places that are named need no such word')
    .option('--force', 'also what was written again before, or will be set aside again')
    .option('--actor <name>', 'who replays', userInfo().username)
    .option('--because <text>', 'why')
    .action(replay);
  return letters;
};

const withFilters = (command: Command): Command =>
  command
    .addOption(choiceOption('--reason <reason>', 'only those set aside for this reason', QUARANTINE_REASONS))
    .option('--topic <topic>', 'only those whose record lay on this topic')
    .option('--from <time>', 'only those set aside from then on: ISO 8601, or how long ago (30m, 2h, 7d)', timeOption)
    .option('--to <time>', 'only those set aside before then', timeOption);

const chosenBy =
  ({ reason, topic, from = -Infinity, to = Infinity }: Filters) =>
  ({ letter }: Letter): boolean =>
    (reason === undefined || letter.reason === reason) &&
    (topic === undefined || letter.source.topic === topic) &&
    letter.quarantinedAt >= from &&
    letter.quarantinedAt < to;

const lettersOf = async (source: LogSource, partitions: number): Promise<readonly Letter[]> => {
  const { letters, unreadable } = await scanLetters(source, partitions);
  if (unreadable > 0)
    process.stderr.write(`${unreadable} dead letters are left out: a later version of Holdfast wrote them\n`);
  return letters;
};

const list = async (options: ListOptions): Promise<void> => {
  await withSource(
    options,
    async ({ source, partitions }) => {
      const letters = (await lettersOf(source, partitions))
        .filter(chosenBy(options))
        .filter(({ again }) => options.open === undefined || again.length === 0)
        .toSorted((a, b) => b.letter.quarantinedAt - a.letter.quarantinedAt);
      const rows = letters.slice(0, options.limit).map(letterRow);
      const lines =
        rows.length === 0
          ? ['no dead letters']
          : columns(LETTER_COLUMNS, rows.map(letterCells), widthOf(process.stdout));
      print(options, rows, lines);
      if (letters.length > rows.length) process.stderr.write(`${letters.length - rows.length} more; see --limit\n`);
    },
    'reader',
    ASK_ONCE,
  );
};

const show = async (place: string, options: Options & { readonly raw?: string }): Promise<void> => {
  await withSource(
    options,
    async ({ source, partitions }) => {
      const one = findLetter(await lettersOf(source, partitions), place);
      const letter = await readLetter(source, one.at);
      const now = await judgedNow(source, letter, partitions);
      print(options, letterView(one, letter, now), letterLines(one, letter, now));
      if (options.raw === undefined) return;
      await writeFile(options.raw, letter.value ?? new Uint8Array(0));
      process.stderr.write(`${letter.value?.length ?? 0} bytes written to ${options.raw}\n`);
    },
    'reader',
    ASK_ONCE,
  );
};

const replay = async (places: readonly string[], options: ReplayWords): Promise<void> => {
  const filtered = [options.reason, options.topic, options.from, options.to].some((filter) => filter !== undefined);
  if (places.length > 0 === (options.all === true || filtered))
    throw new UsageError(
      'name the places of dead letters, or choose with --all, --reason, --topic, --from, --to: one of both',
      REPLAY,
    );
  await withSource(
    options,
    async ({ mesh, source, partitions }) => {
      const all = await lettersOf(source, partitions);
      const chosen =
        places.length > 0
          ? [...new Set(places.map((place) => findLetter(all, place)))]
          : all.filter(chosenBy(options)).filter(({ again }) => again.length === 0 || options.force === true);
      const dryRun = options.dryRun === true;
      if (places.length === 0 && chosen.length > 0 && !dryRun && options.yes === undefined)
        throw new UsageError(
          `${chosen.length} records are chosen: look at what would be done with --dry-run, then say --yes`,
          REPLAY,
        );
      const replays: Replay[] = [];
      const log = mesh.openLog();
      const { actor, because, force = false } = options;
      const word = { actor, ...(because === undefined ? {} : { because }) };
      const how = { source, log, partitions, ...word, force, dryRun, verdictWithinMs: VERDICT_WITHIN_MS };
      for await (const portion of replayLetters(chosen, how)) {
        replays.push(...portion);
        if (options.json === undefined) print({}, undefined, portion.map(replayLine));
      }
      if (options.json === true) print(options, replays.map(replayView), []);
      conclude(replays, dryRun);
    },
    'operator',
    ASK_ONCE,
  );
};

/** Exit code and last word. @throws HoldfastError the ledger did not answer in time */
const conclude = (replays: readonly Replay[], dryRun: boolean): void => {
  if (replays.length === 0) process.stderr.write('no dead letter is chosen\n');
  else if (dryRun) process.stderr.write('nothing was written: this was a dry run\n');
  const open = replays.filter((one) => one.outcome === 'replayed' && one.verdict === undefined);
  if (open.length > 0)
    throw new HoldfastError(
      `the ledger has not answered ${open.length} of the records within ${VERDICT_WITHIN_MS / 1_000} s; is it running? They are written, and will be judged once`,
      { code: 'HOLDFAST_VERDICT_MISSING', retryable: true },
    );
  const isFinding = (one: Replay): boolean =>
    one.outcome === 'refused' || (one.outcome === 'replayed' && one.verdict?.value.verdict === 'quarantined');
  if (replays.some(isFinding)) process.exitCode = EXIT.findings;
};
