import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { pathOf, treeOf } from '../../../services/cli/command-tree.js';
import { holdfastProgram } from '../../../services/cli/program.js';
import { jsonShapes } from '../../kit/cli/json-shapes.js';

const program = holdfastProgram();
const commands = treeOf(program);
const named = (faulty: (command: Command) => boolean): readonly string[] => commands.filter(faulty).map(pathOf);

const helpOf = (command: Command): string => {
  let text = '';
  command.configureOutput({ writeOut: (some) => (text += some) });
  command.outputHelp();
  return text;
};

/** Commands that print no data of their own: groups of others, services, and a script for a shell. */
const WITHOUT_DATA = ['holdfast serve', 'holdfast up', 'holdfast completion'];

describe('every command', () => {
  it('should be one of more than twenty', () => {
    expect(commands.length).toBeGreaterThan(20);
  });

  it('should say what it does', () => {
    expect(named((command) => command.description() === '')).toStrictEqual([]);
  });

  it('should show an example that begins with a command of ours, and names commands that there are', () => {
    const examples = commands.map((command) => {
      const [, after = ''] = helpOf(command).split('\nExamples:\n');
      return { command, lines: after.split('\n').filter((line) => line.startsWith('  $ ')) };
    });

    expect(examples.filter(({ lines }) => lines.length === 0).map(({ command }) => pathOf(command))).toStrictEqual([]);
    const strange = examples.flatMap(({ command, lines }) =>
      lines.filter((line) => !line.includes(command.commands.length > 0 ? 'holdfast ' : pathOf(command))),
    );
    expect(strange).toStrictEqual([]);
  });

  it('should describe its options and arguments', () => {
    const silent = commands.flatMap((command) => [
      ...command.options
        .filter(({ description }) => description === '')
        .map(({ flags }) => `${pathOf(command)} ${flags}`),
      ...command.registeredArguments
        .filter(({ description }) => description === '')
        .map((argument) => `${pathOf(command)} <${argument.name()}>`),
    ]);

    expect(silent).toStrictEqual([]);
  });

  it('should show the default of an option that has one', () => {
    const hidden = commands.flatMap((command) => {
      const help = helpOf(command).replaceAll(/\s+/g, ' ');
      return command.options
        .filter(({ defaultValue, negate }) => defaultValue !== undefined && !negate)
        .filter(({ defaultValue }) => !help.includes(`default: ${JSON.stringify(defaultValue)})`))
        .map(({ flags }) => `${pathOf(command)} ${flags}`);
    });

    expect(hidden).toStrictEqual([]);
  });

  it('should print JSON where it prints data, in a shape that JSON.md has, and no other', () => {
    const printsData = (command: Command): boolean =>
      command.commands.length === 0 && !WITHOUT_DATA.includes(pathOf(command));
    const hasJson = (command: Command): boolean => command.options.some(({ long }) => long === '--json');
    const documented = [...jsonShapes().keys()].filter((title) => title !== 'Errors');

    expect(named((command) => printsData(command) !== hasJson(command))).toStrictEqual([]);
    expect(documented.toSorted()).toStrictEqual(named(hasJson).toSorted());
  });

  it('should take the options by which broker and registry are found wherever it takes one of them', () => {
    const group = ['--config', '--brokers', '--registry', '--topic-prefix'];
    const some = ({ options }: Command): boolean => options.some(({ long = '' }) => group.includes(long));
    const all = ({ options }: Command): boolean => group.every((flag) => options.some(({ long }) => long === flag));

    expect(named((command) => some(command) !== all(command))).toStrictEqual([]);
  });
});
