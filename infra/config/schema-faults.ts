import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../nearest.js';
import { pathText, type SettingPath } from './config-source.js';
import { CONFIG_SCHEMA } from './config-schema.js';
import type { SchemaNode } from './schema-words.js';

/** A setting that is unknown, or not of its form. The text names the setting. */
export type SettingFault = { readonly path: SettingPath; readonly text: string };

const isHttpUrl = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text) && !hasCredentials(text);

/** URLs are shown and logged. */
const hasCredentials = (text: unknown): boolean => {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
};

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: false,
  strictNumbers: true,
  formats: { path: true, 'http-url': isHttpUrl },
});
const validate = ajv.compile(CONFIG_SCHEMA);

/** Everything that is wrong with these values by themselves; empty: they are a `PartialConfig`. */
export const schemaFaults = (values: unknown): readonly SettingFault[] =>
  validate(values) ? [] : (validate.errors ?? []).map(faultOf);

/** Where a colon or a space is missing, a key holds the value, which may be secret: it is not shown. */
const NAME = /^[\w.-]{1,64}$/;
const shownPath = (path: SettingPath): string =>
  pathText(path.map((part) => (typeof part === 'number' || NAME.test(part) ? part : '…')));

const faultOf = (error: ErrorObject): SettingFault => {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')));
  if (error.keyword !== 'additionalProperties')
    return { path, text: `${shownPath(path) || 'the configuration'} ${expectation(error)}` };
  const key = String((error.params as { readonly additionalProperty: unknown }).additionalProperty);
  const known = Object.keys((error.parentSchema as SchemaNode | undefined)?.properties ?? {});
  if (!NAME.test(key)) {
    const around = shownPath(path) || 'the configuration';
    return { path: [...path, key], text: `unknown setting in ${around}; is there a colon, and a space behind it?` };
  }
  const meant = nearest(key, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { path: [...path, key], text: `unknown setting ${shownPath([...path, key])}${hint}` };
};

const expectation = ({
  keyword,
  params,
  schema,
  parentSchema,
  data,
  message = 'is not valid',
}: ErrorObject): string => {
  if (keyword === 'enum') return `must be one of ${(schema as readonly unknown[]).join(', ')}`;
  if (keyword === 'pattern') return `must be ${(parentSchema as SchemaNode | undefined)?.$comment ?? String(schema)}`;
  if (keyword === 'format' && schema === 'http-url')
    return hasCredentials(data)
      ? `must hold no user or password: they belong in ${(parentSchema as SchemaNode | undefined)?.$comment ?? ''}`
      : 'must be an http or https URL';
  if (keyword === 'minLength' || keyword === 'minItems') return 'must not be empty';
  if (keyword === 'required')
    return `lacks ${String((params as { readonly missingProperty: unknown }).missingProperty)}`;
  if (keyword === 'type') return `must be ${[schema].flat().join(' or ')}`;
  return message;
};
