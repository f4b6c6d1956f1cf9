import type { Command } from 'commander';

/** The command and all below it. */
export const treeOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(treeOf)];

/** As it is called: `holdfast tasks list`. */
export const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
