import { CommanderError, type Command } from 'commander';
import { treeOf } from '../../services/cli/command-tree.js';
import { holdfastProgram } from '../../services/cli/program.js';
import type { Sample } from './markdown.js';

/** What documents write where a reader puts something of his own, and a value that is as good as any. */
const PLACEHOLDERS: Readonly<Record<string, string>> = { STATE: 'completed', ROLE: 'ledger', N: '3' };

/** The commands in a sample: after `|` stands a sister of the command before it, or something that reads its output. */
export const holdfastCommands = ({ text }: Sample): readonly (readonly string[])[] => {
  const [, rest] = /^(?:npx holdfast|holdfast|node services\/cli\/holdfast\.mjs) (.+)$/.exec(text) ?? [];
  if (rest === undefined) return [];
  const [first = [], ...others] = rest.split(' | ').map(wordsOf);
  const group = holdfastProgram().commands.find((command) => command.name() === first[0]);
  const sisters = new Set(group?.commands.map((command) => command.name()));
  return [first, ...others.filter(([name = '']) => sisters.has(name)).map((words) => [first[0] ?? '', ...words])];
};

const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
    .filter((word) => word !== '…')
    .map((word) => PLACEHOLDERS[word] ?? word);

/** Why the real command line does not understand these words; `undefined`: it does. `named`: arguments may be left out. */
export const misunderstood = async (words: readonly string[], named: boolean): Promise<string | undefined> => {
  const program = holdfastProgram();
  for (const command of treeOf(program)) disarm(command);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (/^commander\.(help|version)/.test(error.code)) return undefined;
    return named && /missing/i.test(error.code) ? undefined : error.message;
  }
};

/** Understands everything and does nothing. */
const disarm = (command: Command): void => {
  command.exitOverride((error) => {
    throw error;
  });
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  if (command.commands.length === 0) command.action(() => undefined);
};
