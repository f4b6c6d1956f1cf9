import type { Command } from 'commander';
import { jsonText } from '../console/json-text.js';
import { printable } from '../console/printable.js';

export type JsonOption = { readonly json?: true };

/** `--json`, as every command that prints data has it. JSON.md says what the document looks like. */
export const withJson = (command: Command, description = 'print one JSON document instead of text'): Command =>
  command.option('--json', description);

/** What a command found, on standard output: one JSON document on a line, or lines of text. */
export const print = ({ json }: JsonOption, data: unknown, lines: readonly string[]): void => {
  process.stdout.write(json === true ? `${jsonText(data)}\n` : lines.map((line) => `${printable(line)}\n`).join(''));
};
