import { CONFIG_SCHEMA } from './config-schema.js';
import type { SchemaNode } from './schema-words.js';
import { SETTINGS } from './settings.js';

/** The JSON Schema as it is shipped, for editors. */
export const schemaText = (): string => `${JSON.stringify(CONFIG_SCHEMA, null, 2)}\n`;

/** SETTINGS.md. */
export const settingsText = (): string =>
  [
    '# Settings',
    '',
    'Generated from the schema by `npm run settings`.',
    '',
    'One YAML file (`--config`, `HOLDFAST_CONFIG`) < environment < flags. Each setting has a variable; that variable with `_FILE`',
    'behind names a file with the value, for secrets. In the environment lists are separated by commas, and what is more than a',
    'list is YAML. An empty variable says nothing. What is unknown is an error. Relative paths begin where the file lies that',
    'names them, else in the working directory.',
    '',
    '`holdfast config check` says what is wrong with a configuration, `holdfast config print` what is in force and where it comes',
    'from. For completion in editors begin the file with',
    '',
    '```yaml',
    '# yaml-language-server: $schema=infra/config/holdfast.schema.json',
    '```',
    '',
    ...groups().flatMap(([title, rows]) => [`## ${title}`, '', ...rows, '']),
  ].join('\n');

type Row = string;

const groups = (): readonly (readonly [string, readonly Row[]])[] => {
  const titles = [...new Set(SETTINGS.map(({ path }) => titleOf(path)))];
  return titles.map((title) => {
    const rows = SETTINGS.filter(({ path }) => titleOf(path) === title).map(({ path, schema, variable }) =>
      row(path.join('.'), `\`${variable}\``, schema),
    );
    const inner = title === 'agents' ? innerRows('agents[]', CONFIG_SCHEMA.properties?.agents?.items ?? {}) : [];
    return [title, ['| setting | variable | default | meaning |', '| --- | --- | --- | --- |', ...rows, ...inner]];
  });
};

const titleOf = ([first = '', ...rest]: readonly string[]): string =>
  rest.length > 0 || first === 'agents' ? first : 'instance';

/** What lies inside of a list has no variable of its own. */
const innerRows = (name: string, schema: SchemaNode): readonly Row[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const below = `${name}.${key}`;
    return [row(below, '', property), ...innerRows(below, property), ...innerRows(`${below}[]`, property.items ?? {})];
  });

const row = (name: string, variable: string, schema: SchemaNode): Row =>
  `| \`${name}\` | ${variable} | ${defaultOf(schema)} | ${meaningOf(schema)} |`;

const defaultOf = ({ default: value }: SchemaNode): string =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    ? ''
    : `\`${Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value)}\``;

const meaningOf = ({ description = '', enum: words }: SchemaNode): string =>
  (words === undefined
    ? description
    : `${description} One of ${words.map((word) => `\`${String(word)}\``).join(', ')}.`
  ).replaceAll('|', '\\|');
