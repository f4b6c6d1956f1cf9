import type { Completed, CompletedCommand } from './completion-model.js';
import { quoted, valuesOf } from './shell-cases.js';

export const fishCompletion = (commands: readonly CompletedCommand[]): string => `# Completion of holdfast for fish.
function __holdfast_at --description 'whether the command line stands at this command'
    set -l at holdfast
    set -l skip
    for word in (commandline -opc)[2..-1]
        if test -n "$skip"
            set skip
            continue
        end
        switch "$at $word"
            case ${commands.flatMap(({ path, commands: below }) => below.map(({ name }) => quoted(`${path} ${name}`))).join(' ')}
                set at "$at $word"
            case ${valuesOf(commands)
              .flatMap(({ patterns }) => patterns)
              .join(' ')}
                set skip 1
        end
    end
    test "$at" = "$argv"
end
complete -c holdfast -f
${commands.flatMap(linesOf).join('\n')}
`;

const linesOf = ({ path, commands, options, argument }: CompletedCommand): readonly string[] => {
  const here = `complete -c holdfast -n ${quoted(`__holdfast_at ${path}`)}`;
  return [
    ...commands.map(({ name, description }) => `${here} -a ${quoted(name)} -d ${quoted(description)}`),
    ...(argument === undefined || argument.kind === 'free' ? [] : [`${here}${valueOf(argument)}`]),
    ...options.map(
      ({ flags, description, value }) =>
        `${here}${flags.map(flagOf).join('')} -d ${quoted(description)}${value === undefined ? '' : ` -x${valueOf(value)}`}`,
    ),
  ];
};

const flagOf = (flag: string): string => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`);

const valueOf = (value: Completed): string => {
  switch (value.kind) {
    case 'words':
      return ` -a ${quoted(value.words.join(' '))}`;
    case 'file':
      return ` -a '(__fish_complete_path)'`;
    case 'free':
      return '';
  }
};
