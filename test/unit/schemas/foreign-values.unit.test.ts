import { describe, expect, test } from '@jest/globals';
import { isUnion, parseSchema, type AvroSchema } from '../../../infra/registry/avro-schema.js';
import { SCHEMAS } from '../../../schemas/generated.js';
import { avroJson, type Json } from '../../foreign/avro-json.js';
import { PUBLIC } from '../../foreign/golden.js';
import { seed, valuesFor } from '../../foreign/values.js';

/** Marks of what a value can be: each symbol of an enum, each field null and not, each list empty and not. */
type Marks = Set<string>;
type Definitions = Map<string, AvroSchema>;

const shortName = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The marks that values of a schema can make, or, with a value, those that it makes. */
const mark = (schema: AvroSchema, at: string, marks: Marks, known: Definitions, value?: Json): void => {
  const all = value === undefined;
  if (typeof schema === 'string') {
    const definition = known.get(shortName(schema));
    if (definition !== undefined && !all) mark(definition, at, marks, known, value);
    return;
  }
  if (isUnion(schema)) {
    const [, some = 'null'] = schema;
    if (all || value === null) marks.add(`${at} null`);
    if (!all && value === null) return;
    marks.add(`${at} some`);
    mark(some, at, marks, known, all ? undefined : (Object.values(value as object)[0] as Json));
    return;
  }
  if ('fields' in schema) {
    known.set(schema.name, schema);
    for (const { name, type } of schema.fields)
      mark(type, `${schema.name}.${name}`, marks, known, all ? undefined : (value as Record<string, Json>)[name]);
    return;
  }
  if ('symbols' in schema) {
    known.set(schema.name, schema);
    if (all) for (const symbol of Object.keys(schema.words ?? {})) marks.add(`${schema.name} ${symbol}`);
    else marks.add(`${schema.name} ${value as string}`);
    return;
  }
  if (!('items' in schema)) return;
  const items = all ? [] : (value as readonly Json[]);
  if (all || items.length === 0) marks.add(`${at} empty`);
  if (all || items.length > 0) marks.add(`${at} filled`);
  if (all) mark(schema.items, at, marks, known);
  for (const item of items) mark(schema.items, at, marks, known, item);
};

describe(`the values that are written and read in other languages (seed ${seed})`, () => {
  test.each(PUBLIC)('should show every field, branch and word of a $record', ({ record }) => {
    const schema = parseSchema(SCHEMAS[record]);
    const possible: Marks = new Set();
    const met: Marks = new Set();
    const known: Definitions = new Map();
    mark(schema, record, possible, known);
    const values = valuesFor(record, 1_000);
    for (const value of values) mark(schema, record, met, known, avroJson(SCHEMAS[record], value));

    expect(values.length).toBeGreaterThan(1_000);
    expect([...possible].filter((one) => !met.has(one))).toStrictEqual([]);
  });
});
