import type { Completed, CompletedCommand } from './completion-model.js';
import { descents, quoted, valuesOf } from './shell-cases.js';

/** Written for bash 3.2 and later: what macOS has. */
export const bashCompletion = (commands: readonly CompletedCommand[]): string => `# Completion of holdfast for bash.
_holdfast() {
  local at=holdfast i word skip= words= cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  # bash takes "--flag=value" apart at the sign.
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$at $word" in
      ${descents(commands).join('|')}) at="$at $word" ;;
      ${valuesOf(commands)
        .flatMap(({ patterns }) => patterns)
        .join('|')}) skip=1 ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${valuesOf(commands)
  .map(({ patterns, value }) => `    ${patterns.join('|')}) ${replyOf(value)}; return ;;`)
  .join('\n')}
  esac
  case "$at" in
${commands.map((command) => `    ${quoted(command.path)}) ${wordsOf(command)} ;;`).join('\n')}
  esac
  COMPREPLY+=($(compgen -W "$words" -- "$cur"))
}
complete -F _holdfast holdfast
`;

const replyOf = (value: Completed): string => {
  switch (value.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W ${quoted(value.words.join(' '))} -- "$cur"))`;
    case 'file':
      return 'COMPREPLY=($(compgen -f -- "$cur"))';
    case 'free':
      return ':';
  }
};

const wordsOf = ({ commands, options, argument }: CompletedCommand): string => {
  const flags = options.flatMap((option) => option.flags.filter((flag) => flag.startsWith('--')));
  const values = argument?.kind === 'words' ? argument.words : [];
  const words = `words=${quoted([...commands.map(({ name }) => name), ...values, ...flags].join(' '))}`;
  return argument?.kind === 'file' ? `${words}; ${replyOf(argument)}` : words;
};
