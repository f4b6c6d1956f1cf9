import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { bashCompletion } from '../../../services/cli/completion/bash-completion.js';
import { completionModel } from '../../../services/cli/completion/completion-model.js';
import { holdfastProgram } from '../../../services/cli/program.js';

const SCRIPT = bashCompletion(completionModel(holdfastProgram()));
/** Fills in what bash does on TAB, and prints what it would offer. */
const ASK = `${SCRIPT}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast
printf '%s\\n' "\${COMPREPLY[@]}"`;

/** What a real bash offers for the last of the words. */
const offered = (...words: readonly string[]): readonly string[] =>
  execFileSync('bash', ['--norc', '-c', ASK, 'bash', 'holdfast', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');

describe('completion in bash', () => {
  it('should offer commands, those below one, and options', () => {
    expect(offered('t')).toStrictEqual(['topics', 'tasks', 'tail']);
    expect(offered('tasks', '')).toStrictEqual(['list', 'show', 'why', 'help', '--help', '--version', '--no-color']);
    expect(offered('tasks', 'list', '--st')).toStrictEqual(['--state']);
  });

  it('should offer the words that an option or argument can be', () => {
    expect(offered('tasks', 'list', '--state', 'c')).toStrictEqual(['closed-by-violation', 'completed', 'canceled']);
    expect(offered('tasks', 'list', '--state', '=', 'inp')).toStrictEqual(['input-required']);
    expect(offered('serve', 'd')).toStrictEqual(['dispatcher']);
    expect(offered('tail', 'verdicts', 'com')).toStrictEqual(['commands']);
    expect(offered('completion', '').slice(0, 3)).toStrictEqual(['bash', 'zsh', 'fish']);
  });

  it('should offer files where a file is meant, and nothing where only the caller knows', () => {
    expect(offered('tasks', 'list', '--config', 'package.js')).toStrictEqual(['package.json']);
    expect(offered('simulate', 'package.js')).toStrictEqual(['package.json']);
    expect(offered('tasks', 'list', '--agent', '')).toStrictEqual([]);
  });

  it('should not take the value of an option for a command, nor an option of all for the end of one', () => {
    expect(offered('--no-color', 'serve', 'ga')).toStrictEqual(['gateway']);
    expect(offered('tasks', 'list', '--config', 'serve', '--ind')).toStrictEqual(['--indeterminate']);
  });
});
