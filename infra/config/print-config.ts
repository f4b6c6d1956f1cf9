import { Document, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml';
import type { HoldfastConfig } from './config.js';
import { CONFIG_SCHEMA } from './config-schema.js';
import { isPlain, pathText, valueAt, type SettingPath } from './config-source.js';
import type { SettledConfig } from './read-config.js';
import type { SchemaNode } from './schema-words.js';
import { SETTINGS } from './settings.js';

const REDACTED = '[redacted]';

/** A setting in force. `from`: `default`, file and line, variable, or flag. */
export type PrintedSetting = { readonly setting: string; readonly value: unknown; readonly from: string };

/** The configuration with every secret replaced. */
export const redacted = (config: HoldfastConfig): HoldfastConfig =>
  withoutSecrets(config, CONFIG_SCHEMA) as HoldfastConfig;

const withoutSecrets = (value: unknown, schema: SchemaNode): unknown => {
  if (schema.writeOnly === true) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, schema.items ?? {}));
  if (!isPlain(value)) return value;
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutSecrets(part, schema.properties?.[key] ?? others)]),
  );
};

/** Every setting that has a value, in the order of the schema. */
export const printedSettings = ({ config, placeOf }: SettledConfig): readonly PrintedSetting[] =>
  SETTINGS.flatMap(({ path }) => {
    const value = valueAt(config, path);
    // A group is printed by its parts.
    return value === undefined || isPlain(value) ? [] : [{ setting: pathText(path), value, from: placeOf(path) }];
  });

/** YAML that can be used as a configuration file; where each setting comes from stands behind it. */
export const configYaml = ({ config, placeOf }: SettledConfig): string => {
  const document = new Document(config);
  const explain = (node: unknown, path: SettingPath): void => {
    if (!isMap(node)) return;
    for (const pair of node.items as readonly Pair[]) {
      const at = [...path, String(isScalar(pair.key) ? pair.key.value : pair.key)];
      const { value } = pair;
      const from = ` ${placeOf(at)}`;
      if (isMap(value) && value.items.length > 0) explain(value, at);
      else if (isSeq(value) && value.items.some(isMap)) {
        if (isNode(pair.key)) pair.key.commentBefore = from;
      } else if (isNode(value)) {
        if (isSeq(value)) value.flow = true;
        value.comment = from;
      }
    }
  };
  explain(document.contents, []);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
};
