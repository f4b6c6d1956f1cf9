import type { Completed, CompletedCommand } from './completion-model.js';

/** As bash, zsh and fish all read it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Patterns of `<path> <word>` for every command below another: where such a word leads one level down. */
export const descents = (commands: readonly CompletedCommand[]): readonly string[] =>
  commands.flatMap(({ path, commands: below }) => below.map(({ name }) => quoted(`${path} ${name}`)));

/** Patterns of `<path> <flag>` for every option that takes a value, with what its value can be. */
export const valuesOf = (
  commands: readonly CompletedCommand[],
): readonly { readonly patterns: readonly string[]; readonly value: Completed }[] =>
  commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined ? [] : [{ patterns: flags.map((flag) => quoted(`${path} ${flag}`)), value }],
    ),
  );
