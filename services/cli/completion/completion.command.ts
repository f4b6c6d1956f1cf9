import { Command } from 'commander';
import { choiceArgument } from '../choices.js';
import { withExamples } from '../examples.js';
import { bashCompletion } from './bash-completion.js';
import { completionModel, type CompletedCommand } from './completion-model.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `holdfast completion bash|zsh|fish`: a script for the shell, generated from the commands of `program`. */
export const completionCommand = (program: Command): Command =>
  withExamples(
    new Command('completion'),
    'eval "$(holdfast completion bash)"',
    'source <(holdfast completion zsh)',
    'holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
  )
    .description('print what makes a shell complete commands, options and their values')
    .addArgument(choiceArgument('<shell>', 'which shell', Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => {
      const script: (commands: readonly CompletedCommand[]) => string = SHELLS[shell];
      process.stdout.write(script(completionModel(program)));
    });
