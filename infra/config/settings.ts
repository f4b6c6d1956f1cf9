import { CONFIG_SCHEMA } from './config-schema.js';
import type { SchemaNode } from './schema-words.js';

/** One setting that can be said by itself: in the file under its path, and in the environment. */
export type Setting = {
  readonly path: readonly string[];
  readonly schema: SchemaNode;
  /** Variable with its value; with `_FILE` behind, the file with its value. */
  readonly variable: string;
};

/** `kafka.topicPrefix` is `HOLDFAST_KAFKA_TOPIC_PREFIX`. */
const variableOf = (path: readonly string[]): string =>
  ['HOLDFAST', ...path.map((name) => name.replace(/[A-Z]/g, '_$&').toUpperCase())].join('_');

const settingsIn = (schema: SchemaNode, path: readonly string[]): readonly Setting[] => {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    settingsIn(property, [...path, name]),
  );
  const isGroup = schema.type === 'object' && schema.properties !== undefined;
  return isGroup ? below : [{ path, schema, variable: variableOf(path) }, ...below];
};

/** Every setting, in the order of the schema. */
export const SETTINGS: readonly Setting[] = settingsIn(CONFIG_SCHEMA, []);
