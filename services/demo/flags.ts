import { InvalidArgumentError, type Command } from 'commander';

const COULD_NOT = 2;

/** A comma-separated list without empty items. */
export const listFlag = (text: string): readonly string[] => {
  const items = text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
  if (items.length === 0) throw new InvalidArgumentError('must name at least one');
  return items;
};

/** A whole number from 0 on. */
export const countFlag = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 0 on');
  return Number(text);
};

/** Reads the command line of this process. A wrong one ends it with code 2: 1 says how a task ended. */
export const parsed = (command: Command): Command =>
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT)).parse();
