import type { Argument, Command, Option } from 'commander';
import { pathOf, treeOf } from '../command-tree.js';

/** What may follow a word on the command line: words of a list, a file, or something that only the caller knows. */
export type Completed =
  { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'file' | 'free' };

export type CompletedOption = {
  readonly flags: readonly string[];
  readonly description: string;
  /** `undefined`: it takes no value. */
  readonly value: Completed | undefined;
};

/** A command and what can stand behind it. `path`: as in `holdfast tasks list`. */
export type CompletedCommand = {
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  readonly argument: Completed | undefined;
};

/** The command tree as the shells' completions need it. Options of all commands can stand anywhere. */
export const completionModel = (program: Command): readonly CompletedCommand[] =>
  treeOf(program).map((command) => {
    const help = command.createHelp();
    const options = [...help.visibleOptions(command), ...(command === program ? [] : help.visibleOptions(program))];
    const [argument] = command.registeredArguments;
    return {
      path: pathOf(command),
      commands: help
        .visibleCommands(command)
        .map((below) => ({ name: below.name(), description: help.subcommandDescription(below) })),
      options: distinct(options.map(optionOf)),
      argument: argument === undefined ? undefined : completedOf(argument, argument.name()),
    };
  });

const optionOf = (option: Option): CompletedOption => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined),
  description: option.description,
  value: option.required || option.optional ? completedOf(option, option.flags) : undefined,
});

const completedOf = ({ argChoices }: Option | Argument, placeholder: string): Completed => {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  return { kind: /file|path/.test(placeholder) ? 'file' : 'free' };
};

const distinct = (options: readonly CompletedOption[]): readonly CompletedOption[] => [
  ...new Map(options.map((option) => [option.flags.join(' '), option])).values(),
];
