import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readConfigFile } from '../../infra/config/config-file.js';
import { SETTINGS } from '../../infra/config/settings.js';
import { ERROR_CATALOGUE } from '../../infra/error-catalogue.js';
import { holdfastCommands, misunderstood } from '../kit/document-commands.js';
import { fencesIn, inlineCodeIn, linksIn, shellLinesIn, type Sample } from '../kit/markdown.js';
import { sourcesIn } from '../kit/source-syntax.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Every document of the repository. */
const DOCUMENTS = ['.', 'schemas', 'topology', 'infra', 'services', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-documents-'));

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const at = ({ line, text }: Sample, fault: string): string => `line ${line}: ${text}: ${fault}`;

/** As it is written, and with the settings that are only shown as comments switched on. */
const settingsIn = (yaml: string): readonly string[] => [yaml, yaml.replaceAll(/^(\s*)# (?=\w+: )/gm, '$1')];

const configFault = (yaml: string): string | undefined => {
  const file = join(scratch, 'holdfast.yaml');
  writeFileSync(file, yaml);
  const { faults } = readConfigFile(file);
  return faults.length === 0 ? undefined : faults.map(({ place, text }) => `${place}: ${text}`).join('\n');
};

const jsonFault = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
};

describe.each(DOCUMENTS)('what %s shows', (document) => {
  const markdown = readFileSync(join(root, document), 'utf8');
  const samples = [...shellLinesIn(markdown), ...inlineCodeIn(markdown)];

  test('should be commands that the command line understands', async () => {
    const faults: string[] = [];
    for (const sample of samples)
      for (const words of holdfastCommands(sample)) {
        const fault = await misunderstood(words, sample.inline);
        if (fault !== undefined) faults.push(at(sample, fault));
      }

    expect(faults).toStrictEqual([]);
  });

  test('should be scripts and files that are there', () => {
    const faults = samples.flatMap((sample) => [
      ...[...sample.text.matchAll(/\bnpm run ([\w:-]+)/g)]
        .filter(([, script = '']) => !(script in scripts))
        .map(([, script = '']) => at(sample, `no script ${script}`)),
      ...[...sample.text.matchAll(/(?:^|\s)((?:schemas|topology|infra|services|test|\.ci)\/[\w./-]*)(?=\s|$)/g)]
        .filter(([, path = '']) => !existsSync(join(root, path)))
        .map(([, path = '']) => at(sample, `no file ${path}`)),
    ]);

    expect(faults).toStrictEqual([]);
  });

  test('should be configuration that is read', () => {
    const faults = fencesIn(markdown)
      .filter(({ language }) => language === 'yaml')
      .flatMap(({ text, line }) => settingsIn(text).map((yaml) => ({ line, fault: configFault(yaml) })))
      .filter(({ fault }) => fault !== undefined);

    expect(faults).toStrictEqual([]);
  });

  test('should be JSON where it says so', () => {
    const faults = fencesIn(markdown)
      .filter(({ language }) => language === 'json')
      .map(({ text, line }) => ({ line, fault: jsonFault(text) }))
      .filter(({ fault }) => fault !== undefined);

    expect(faults).toStrictEqual([]);
  });

  test('should link to files that are there', () => {
    const base = new URL(document, `file://${root}`);
    const missing = linksIn(markdown).filter((target) => !existsSync(new URL(target.replace(/#.*$/, '') || '.', base)));

    expect(missing).toStrictEqual([]);
  });

  test('should name only codes and variables that there are', () => {
    const known = sourcesIn(root, ['infra', 'services', 'test']).map(({ text }) => text);
    const variables = new Set(SETTINGS.flatMap(({ variable }) => [variable, `${variable}_FILE`]));
    const names = new Set(markdown.match(/HOLDFAST_[A-Z_]*[A-Z]/g));

    expect(
      [...names].filter(
        (name) => !(name in ERROR_CATALOGUE) && !variables.has(name) && !known.some((text) => text.includes(name)),
      ),
    ).toStrictEqual([]);
  });
});

describe('the reading of documents', () => {
  const shell = (text: string): Sample => ({ text, line: 1, inline: false });

  test('should find each command of a line', () => {
    expect(holdfastCommands(shell('npx holdfast tasks list | show ID | why "a b"'))).toStrictEqual([
      ['tasks', 'list'],
      ['tasks', 'show', 'ID'],
      ['tasks', 'why', 'a b'],
    ]);
    expect(holdfastCommands(shell('holdfast agents list --json | head -3'))).toStrictEqual([
      ['agents', 'list', '--json'],
    ]);
    expect(holdfastCommands(shell('npm test'))).toStrictEqual([]);
  });

  test('should refuse what the command line would refuse', async () => {
    expect(await misunderstood(['tasks', 'shew', 'ID'], false)).toMatch('unknown command');
    expect(await misunderstood(['tasks', 'show', 'ID', '--jsn'], false)).toMatch("unknown option '--jsn'");
    expect(await misunderstood(['tasks', 'show'], false)).toMatch('missing required argument');
    expect(await misunderstood(['reconcile', 'resolve', 'ID', '--as', 'working'], false)).toMatch('--as');
    expect(await misunderstood(['tasks', 'show'], true)).toBe(undefined);
    expect(await misunderstood(['tasks', 'show', 'ID', '--json'], false)).toBe(undefined);
  });

  test('should read settings that are only shown as comments', () => {
    const yaml = 'agents:\n  - id: a\n    cardUrl: http://a\n    # persistence: for ever\n';

    expect(settingsIn(yaml).map((text) => configFault(text) === undefined)).toStrictEqual([true, false]);
  });

  test('should tell links, fences and lines', () => {
    const markdown =
      'A [link](a/b.md#c) and [one](https://d).\n\n```sh of a shell\nnpx holdfast up # all\n```\n\nThe `in\nline` code.\n';

    expect(linksIn(markdown)).toStrictEqual(['a/b.md#c']);
    expect(fencesIn(markdown)).toStrictEqual([{ language: 'sh', text: 'npx holdfast up # all', line: 4 }]);
    expect(shellLinesIn(markdown)).toStrictEqual([{ text: 'npx holdfast up', line: 4, inline: false }]);
    expect(inlineCodeIn(markdown)).toStrictEqual([{ text: 'in line', line: 7, inline: true }]);
  });
});
