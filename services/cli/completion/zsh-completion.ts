import type { Completed, CompletedCommand } from './completion-model.js';
import { descents, quoted, valuesOf } from './shell-cases.js';

export const zshCompletion = (commands: readonly CompletedCommand[]): string => `#compdef holdfast
# Completion of holdfast for zsh.
_holdfast() {
  local at=holdfast word skip= i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n "$skip" ]]; then skip=; continue; fi
    case "$at $word" in
      ${descents(commands).join('|')}) at="$at $word" ;;
      ${valuesOf(commands)
        .flatMap(({ patterns }) => patterns)
        .join('|')}) skip=1 ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valuesOf(commands)
  .map(({ patterns, value }) => `    ${patterns.join('|')}) ${replyOf(value)}; return ;;`)
  .join('\n')}
  esac
  case "$at" in
${commands.map((command) => `    ${quoted(command.path)}) ${itemsOf(command)} ;;`).join('\n')}
  esac
  _describe holdfast items
}
compdef _holdfast holdfast
`;

const replyOf = (value: Completed): string => {
  switch (value.kind) {
    case 'words':
      return `compadd -- ${value.words.map(quoted).join(' ')}`;
    case 'file':
      return '_files';
    case 'free':
      return '_message value';
  }
};

/** `name:description`; a colon in the name would end it. */
const item = (name: string, description: string): string => quoted(`${name.replaceAll(':', '\\:')}:${description}`);

const itemsOf = ({ commands, options, argument }: CompletedCommand): string => {
  const items = [
    ...commands.map(({ name, description }) => item(name, description)),
    ...options.flatMap(({ flags, description }) =>
      flags.filter((flag) => flag.startsWith('--')).map((flag) => item(flag, description)),
    ),
  ];
  return `${argument === undefined || argument.kind === 'free' ? '' : `${replyOf(argument)}; `}items=(${items.join(' ')})`;
};
