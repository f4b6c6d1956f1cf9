import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from '@jest/globals';
import { CONFIG_SCHEMA } from '../../infra/config/config-schema.js';
import { DEFAULT_CONFIG } from '../../infra/config/default-config.js';
import type { SchemaNode } from '../../infra/config/schema-words.js';
import { SETTINGS } from '../../infra/config/settings.js';
import { settingsText } from '../../infra/config/settings-reference.js';

const shipped = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../infra/config/${name}`, import.meta.url)), 'utf8');

/** Without what a formatter of tables may change. */
const words = (markdown: string): readonly string[] =>
  markdown.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---'));

const nodesIn = (schema: SchemaNode, name: string): readonly (readonly [string, SchemaNode])[] => [
  [name, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([key, below]) => nodesIn(below, `${name}.${key}`)),
  ...(schema.items === undefined ? [] : nodesIn(schema.items, `${name}[]`)),
];

describe('the schema of the configuration', () => {
  it('should be the one that is shipped ("npm run settings" writes it)', () => {
    expect(JSON.parse(shipped('holdfast.schema.json'))).toStrictEqual(JSON.parse(JSON.stringify(CONFIG_SCHEMA)));
  });

  it('should be JSON Schema 2020-12 that takes its own defaults', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: { path: true, 'http-url': true } });

    expect(ajv.validateSchema(CONFIG_SCHEMA)).toBe(true);
    expect(ajv.validate(CONFIG_SCHEMA, DEFAULT_CONFIG)).toBe(true);
  });

  it('should say of every setting what it means', () => {
    const silent = nodesIn(CONFIG_SCHEMA, '').filter(([, { description = '' }]) => !/^[A-Z].*\S$/.test(description));

    expect(silent.map(([name]) => name)).toStrictEqual([]);
  });

  it('should give every setting a variable of its own', () => {
    const variables = SETTINGS.map(({ variable }) => variable);

    expect(variables.filter((name, index) => variables.indexOf(name) !== index)).toStrictEqual([]);
    expect(variables.filter((name) => !/^HOLDFAST(_[A-Z0-9]+)+$/.test(name))).toStrictEqual([]);
  });

  it('should mark every secret, and nothing else', () => {
    const secrets = SETTINGS.filter(({ schema }) => schema.writeOnly === true).map(({ path }) => path.join('.'));

    expect(secrets).toStrictEqual([
      'kafka.tls.keyPassphrase',
      'kafka.sasl.password',
      'kafka.sasl.clientSecret',
      'registry.tls.keyPassphrase',
      'registry.auth.password',
      'registry.auth.token',
      'gateway.principalSalt',
    ]);
  });
});

describe('SETTINGS.md', () => {
  it('should be what the schema says ("npm run settings" writes it)', () => {
    expect(words(shipped('SETTINGS.md'))).toStrictEqual(words(settingsText()));
  });
});
