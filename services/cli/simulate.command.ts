import { Command } from 'commander';
import { progressLine } from '../../infra/local/progress.js';
import type { Difference } from '../simulate/compare.js';
import { kafkaPipelines, memoryPipelines, type Pipelines } from '../simulate/pipelines.js';
import { readStory, storyFiles } from '../simulate/read-stories.js';
import { misroutes, runStory, type StoryResult } from '../simulate/run-story.js';
import { findConfig, withConfig, type ConfigOptions } from './config-options.js';
import { withExamples } from './examples.js';
import { EXIT } from './exit-codes.js';
import type { JsonOption } from './output.js';
import { wholeNumber } from './whole-number.js';

type Options = ConfigOptions & JsonOption & { readonly kafka?: true; readonly partitions: number };

const HELP = `
A story is an incident written down: agents, what was observed, and optionally what must be concluded from it.
Exit code 0: all as expected, 1: some not, 2: could not run.`;

/** `holdfast simulate`: what Holdfast would have concluded. */
export const simulateCommand = (): Command =>
  withExamples(
    withConfig(new Command('simulate')).addHelpText('after', HELP),
    'holdfast simulate test/stories',
    'holdfast simulate --kafka --partitions 3 my-incident.json',
  )
    .description('run stories through the real ledger and compare what it concludes')
    .argument('<path...>', 'story files, or folders of them')
    .option('--kafka', 'on a real broker, registry and RocksDB: those configured, else local ones for this run')
    .option('--json', 'print one JSON document a line and story instead of text')
    .option('--partitions <n>', 'partitions of the topics (with --kafka at least 3)', wholeNumber, 1)
    .action(simulate);

const simulate = async (paths: readonly string[], options: Options): Promise<void> => {
  const files = await storyFiles(paths);
  // All are read before any runs: a fault in the last file should not come after a minute of output.
  const stories = await Promise.all(files.map(readStory));
  const pipelines = await openPipelines(options);
  let failed = 0;
  try {
    for (const story of stories) {
      const partitions = misroutes(story) ? Math.max(2, options.partitions) : options.partitions;
      const result = await runStory(story, await pipelines.open(partitions));
      if (result.differences.length > 0) failed += 1;
      process.stdout.write(options.json === true ? jsonLine(result) : textLines(result, story.then === undefined));
    }
  } finally {
    await pipelines.close();
  }
  const told = stories.filter(({ then }) => then === undefined).length;
  const untested = told === 0 ? '' : `, ${told} without an expectation`;
  if (options.json !== true)
    process.stdout.write(`${stories.length - failed - told} as expected, ${failed} not${untested}\n`);
  if (failed > 0) process.exitCode = EXIT.findings;
};

const openPipelines = async (options: Options): Promise<Pipelines> => {
  if (options.kafka !== true) return memoryPipelines;
  const progress = progressLine(process.stderr);
  try {
    return await kafkaPipelines(await findConfig(options), progress.report);
  } finally {
    progress.done();
  }
};

const jsonLine = (result: StoryResult): string => `${JSON.stringify(result)}\n`;

const textLines = ({ id, title, differences, concluded }: StoryResult, nothingExpected: boolean): string => {
  if (nothingExpected) return `- ${id}: ${title}\n${JSON.stringify(concluded, null, 2)}\n`;
  const mark = differences.length === 0 ? '✓' : '✗';
  return `${mark} ${id}: ${title}\n${differences.map(differenceLines).join('')}`;
};

const differenceLines = ({ where, expected, concluded }: Difference): string =>
  [
    `    ${where}`,
    `      expected  ${expected === undefined ? '(nothing)' : JSON.stringify(expected)}`,
    `      concluded ${concluded === undefined ? '(nothing)' : JSON.stringify(concluded)}`,
    '',
  ].join('\n');
