import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMap, isNode, isPair, isScalar, isSeq, type Document } from 'yaml';
import { errorCode } from '../error-code.js';
import { CONFIG_SCHEMA } from './config-schema.js';
import { isPlain, type ConfigSource, type PartialConfig, type SettingPath } from './config-source.js';
import { schemaFaults } from './schema-faults.js';
import type { SchemaNode } from './schema-words.js';
import { yamlValues } from './yaml-values.js';

/** Reads a YAML file. What is wrong with it is in `faults`, each with its line. */
export const readConfigFile = (file: string): ConfigSource => {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (cause) {
    const text = `cannot be read (${errorCode(cause)})`;
    return { values: {}, faults: [{ place: file, text }], placeOf: () => file };
  }
  const { document, lines, ...read } = yamlValues(source);
  const placeAt = (offset: number | undefined): string =>
    offset === undefined ? file : `${file}:${lines.linePos(offset).line}`;
  const placeOf = (path: SettingPath): string => placeAt(offsetOf(document, path));
  if (read.faults.length > 0) {
    const faults = read.faults.map(({ offset, text }) => ({ place: placeAt(offset), text }));
    return { values: {}, faults, placeOf };
  }
  const values = read.values ?? {};
  const faults = schemaFaults(values)
    .map(({ path, text }) => ({ offset: offsetOf(document, path) ?? 0, text }))
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, text }) => ({ place: placeAt(offset), text }));
  if (faults.length > 0) return { values: {}, faults, placeOf };
  return { values: absolute(values, CONFIG_SCHEMA, dirname(file)) as PartialConfig, faults, placeOf };
};

/** Where the key of the setting begins, or the nearest one around it. */
const offsetOf = (document: Document, path: SettingPath): number | undefined => {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!isPair(pair)) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
};

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

/** Relative paths begin where the file that names them lies. */
const absolute = (held: unknown, schema: SchemaNode, directory: string): unknown => {
  if (typeof held === 'string' && schema.format === 'path') return resolve(directory, held);
  if (!isPlain(held)) return held;
  return Object.fromEntries(
    Object.entries(held).map(([key, part]) => [key, absolute(part, schema.properties?.[key] ?? {}, directory)]),
  );
};
