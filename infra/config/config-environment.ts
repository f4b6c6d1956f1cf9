import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { errorCode } from '../error-code.js';
import { nearest } from '../nearest.js';
import { pathText, type ConfigSource, type Fault, type Plain, type SettingPath } from './config-source.js';
import { schemaFaults } from './schema-faults.js';
import type { SchemaNode } from './schema-words.js';
import { SETTINGS, type Setting } from './settings.js';
import { yamlValues } from './yaml-values.js';

type Environment = Readonly<Record<string, string | undefined>>;
/** A setting as the environment says it. */
type Said = { readonly setting: Setting; readonly variable: string; readonly text: string };

const CONFIG_FILE = 'HOLDFAST_CONFIG';
/** Where the tests of Holdfast itself are steered. */
const TESTS = 'HOLDFAST_TEST_';
/** What Kubernetes sets in each container for a service whose name begins with "holdfast". */
const SERVICE_LINK = /^HOLDFAST(_.*)?_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/;
/** `<SERVICE>_PORT` holds the address, not the port; of a service "holdfast-gateway" it is the name of a setting too. */
const SERVICE_PORT = /^HOLDFAST(_.*)?_PORT$/;
const SERVICE_ADDRESS = /^(tcp|udp|sctp):\/\/[^\s/]+:\d+$/;
/** Of a file that holds a value. */
const MOST_BYTES = 1024 * 1024;

/**
 * What the environment says: of each setting its own variable, or that variable with `_FILE` behind, which names a file
 * that holds the value. An empty variable says nothing.
 */
export const configFromEnvironment = (env: Environment): ConfigSource => {
  const names = Object.keys(env).filter((name) => isOurs(name, env[name]));
  const faults: Fault[] = unknownNames(names);
  const said: Said[] = [];
  for (const setting of SETTINGS) {
    const { variable } = setting;
    const fromFile = isSetting(`${variable}_FILE`) ? undefined : `${variable}_FILE`;
    const isTwice = names.includes(variable) && fromFile !== undefined && names.includes(fromFile);
    if (isTwice) faults.push({ place: fromFile, text: `is set beside ${variable}; set one of them` });
    if (names.includes(variable)) said.push({ setting, variable, text: env[variable] ?? '' });
    else if (fromFile !== undefined && names.includes(fromFile))
      try {
        const text = textIn(env[fromFile] ?? '');
        if (text === undefined)
          faults.push({ place: fromFile, text: `${env[fromFile] ?? ''} is no file of at most 1 MiB` });
        else said.push({ setting, variable: fromFile, text });
      } catch (cause) {
        faults.push({ place: fromFile, text: `${env[fromFile] ?? ''} cannot be read (${errorCode(cause)})` });
      }
  }
  return sourceOf(said, faults);
};

/** `undefined`: it is no regular file, or too large. @throws Error of the file system */
const textIn = (file: string): string | undefined => {
  // Opening a pipe would wait for its writer.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const state = fstatSync(descriptor);
    if (!state.isFile() || state.size > MOST_BYTES) return undefined;
    return readFileSync(descriptor, 'utf8').replace(/\r?\n$/, '');
  } finally {
    closeSync(descriptor);
  }
};

/** As `configFromEnvironment`, for flags: the place is the flag. `flags` by the setting's path as text. */
export const configFromFlags = (
  flags: Readonly<Record<string, { readonly flag: string; readonly text: string | undefined }>>,
): ConfigSource => {
  const said = SETTINGS.flatMap((setting): readonly Said[] => {
    const given = flags[pathText(setting.path)];
    return given?.text === undefined ? [] : [{ setting, variable: given.flag, text: given.text }];
  });
  return sourceOf(said, []);
};

const sourceOf = (said: readonly Said[], faults: Fault[]): ConfigSource => {
  const places = new Map(said.map(({ setting, variable }) => [pathText(setting.path), variable]));
  const placeOf = (path: SettingPath): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const place = places.get(pathText(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return [...places].find(([name]) => name.startsWith(`${pathText(path)}.`))?.[1] ?? 'environment';
  };
  let values: Plain = {};
  for (const { setting, variable, text } of said) {
    const value = valueOf(setting.schema, text);
    if (value === undefined) faults.push({ place: variable, text: `is not ${formOf(setting.schema)}` });
    else values = withValue(values, setting.path, value);
  }
  for (const { path, text } of schemaFaults(values)) faults.push({ place: placeOf(path), text });
  return { values: faults.length > 0 ? {} : values, faults, placeOf };
};

const isSetting = (name: string): boolean => SETTINGS.some(({ variable }) => variable === name);

const isOurs = (name: string, value: string | undefined): boolean =>
  name.startsWith('HOLDFAST_') &&
  value !== undefined &&
  value !== '' &&
  name !== CONFIG_FILE &&
  !name.startsWith(TESTS) &&
  !isServiceLink(name, value);

const isServiceLink = (name: string, value: string): boolean =>
  (SERVICE_LINK.test(name) && !isSetting(name)) || (SERVICE_PORT.test(name) && SERVICE_ADDRESS.test(value));

const unknownNames = (names: readonly string[]): Fault[] =>
  names
    .filter((name) => !isSetting(name) && !isSetting(name.replace(/_FILE$/, '')))
    .map((place) => {
      const meant = nearest(place, [CONFIG_FILE, ...SETTINGS.map(({ variable }) => variable)]);
      return { place, text: `unknown variable${meant === undefined ? '' : `; did you mean ${meant}?`}` };
    });

/** Later, more particular settings lie inside of earlier ones: `kafka.tls: true` and its `caFile`. */
const withValue = (values: Plain, [name = '', ...rest]: readonly string[], value: unknown): Plain => {
  if (rest.length === 0) return { ...values, [name]: value };
  const held = values[name];
  const inside = typeof held === 'object' && held !== null ? (held as Plain) : {};
  return { ...values, [name]: withValue(inside, rest, value) };
};

/** `undefined`: the text is not of the setting's form. */
const valueOf = ({ type, items }: SchemaNode, text: string): unknown => {
  if (type === 'string') return text;
  if (type === 'integer' || type === 'number') return numberIn(text);
  if (type === 'array' && items?.type === 'string')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  if (type === 'array' && items?.type === 'integer') {
    const numbers = text.split(',').map(numberIn);
    return numbers.includes(undefined) ? undefined : numbers;
  }
  if (Array.isArray(type) && type.includes('boolean'))
    return text === 'true' ? true : text === 'false' ? false : undefined;
  const { values, faults } = yamlValues(text);
  return faults.length > 0 ? undefined : values;
};

const numberIn = (text: string): number | undefined =>
  text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);

const formOf = ({ type }: SchemaNode): string => {
  if (type === 'integer' || type === 'number') return 'a number';
  if (Array.isArray(type)) return 'true or false';
  return type === 'array' ? 'a list' : 'YAML';
};
