/**
 * Derives what `schemas/` holds twice. Pure: texts in, texts out; `infra/registry/generate-schemas.mjs` reads and writes.
 *
 * Each named type has one home: `avro/<Record>.avsc` if it is written to a topic, else `parts/<Type>.avsc`. A registry
 * schema must stand alone, so every `avro/` file holds copies of the types it uses; this refreshes the copies from their
 * homes, and writes the schemas and their TypeScript types to `generated.ts`.
 */

const WIDTH = 120;
const PRIMITIVES = {
  string: 'string',
  boolean: 'boolean',
  int: 'number',
  long: 'number',
  double: 'number',
  bytes: 'Uint8Array',
};

/** JSON as prettier prints it: objects one key a line, arrays of scalars on one line where they fit. */
export const print = (value, indent = '', used = 0) => {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const scalar = value.every((item) => typeof item !== 'object' || item === null);
    const flat = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    if (scalar && used + flat.length + 1 <= WIDTH) return flat;
    return `[\n${value.map((item) => `${inner}${print(item, inner, inner.length)}`).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return `${start}${print(item, inner, start.length)}`;
  });
  return `{\n${entries.join(',\n')}\n${indent}}`;
};

const fullName = ({ namespace, name }) => `${namespace}.${name}`;
const shortName = (name) => name.slice(name.lastIndexOf('.') + 1);

/** A schema with every named type replaced by its home's definition at the first use, and by its name after that. */
const expand = (schema, homes, seen) => {
  if (typeof schema === 'string') {
    if (schema in PRIMITIVES || schema === 'null') return schema;
    const home = homes.get(schema);
    if (home === undefined) throw new Error(`no file defines ${schema}`);
    return define(home, homes, seen);
  }
  if (Array.isArray(schema)) return schema.map((branch) => expand(branch, homes, seen));
  if (schema.type === 'array') return { ...schema, items: expand(schema.items, homes, seen) };
  if (schema.type === 'record' || schema.type === 'enum') return expand(fullName(schema), homes, seen);
  return schema;
};

const define = (home, homes, seen) => {
  const name = fullName(home);
  if (seen.has(name)) return name;
  seen.add(name);
  if (home.type === 'enum') return home;
  return { ...home, fields: home.fields.map((field) => ({ ...field, type: expand(field.type, homes, seen) })) };
};

const isNullable = (type) => Array.isArray(type);

/** The TypeScript type of a schema in field position; `null` branches are dealt with where the field is written. */
const typeOf = (schema) => {
  if (typeof schema === 'string') return PRIMITIVES[schema] ?? shortName(schema);
  if (isNullable(schema)) return typeOf(schema[1]);
  if (schema.type === 'record' || schema.type === 'enum') return schema.name;
  if (schema.logicalType === 'kafka-offset') return 'bigint';
  if (schema.type !== 'array') return PRIMITIVES[schema.type];
  const item = typeOf(schema.items);
  if (schema.mapKey !== undefined) return `ReadonlyMap<string, Omit<${item}, '${schema.mapKey}'>>`;
  return `readonly ${item}[]`.replace(/^readonly readonly (.*)\[\]$/, 'readonly (readonly $1)[]');
};

const fieldLines = ({ name, doc, type, absent }) => {
  const optional = isNullable(type) && absent !== 'null';
  const orNull = isNullable(type) && absent === 'null' ? ' | null' : '';
  return [`  /** ${doc} */`, `  readonly ${name}${optional ? '?' : ''}: ${typeOf(type)}${orNull};`];
};

/** A union as prettier breaks it: on one line, on the next line, or one branch a line. */
const unionLines = (name, branches) => {
  const start = `export type ${name} =`;
  const flat = `${branches.join(' | ')};`;
  if (start.length + 1 + flat.length <= WIDTH) return [`${start} ${flat}`];
  if (flat.length + 2 <= WIDTH) return [start, `  ${flat}`];
  const lines = branches.map((branch) => `  | ${branch}`);
  return [start, ...lines.slice(0, -1), `${lines.at(-1)};`];
};

const declaration = (schema) => {
  const doc = `/** ${schema.doc} */`;
  if (schema.type === 'enum')
    return [
      doc,
      ...unionLines(
        schema.name,
        Object.values(schema.words).map((word) => `'${word}'`),
      ),
    ];
  if (schema.choice)
    return [
      doc,
      ...unionLines(
        schema.name,
        schema.fields.map(({ type }) => typeOf(type)),
      ),
    ];
  const discriminant =
    schema.discriminant === undefined ? [] : [`  readonly ${schema.discriminant}: '${schema.name}';`];
  return [doc, `export type ${schema.name} = {`, ...discriminant, ...schema.fields.flatMap(fieldLines), '};'];
};

const literal = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const typeScript = (records, parts) =>
  [
    '/* eslint-disable max-lines -- generated: every record in one file, so that one run and one comparison cover all */',
    '// Generated from schemas/avro and schemas/parts by infra/registry/generate-schemas.mjs. Do not edit.',
    '',
    ...[...parts, ...records].flatMap((schema) => [...declaration(schema), '']),
    '/** Every record that is written to a topic, by name. */',
    'export type Records = {',
    ...records.map(({ name }) => `  readonly ${name}: ${name};`),
    '};',
    '',
    'export type RecordName = keyof Records;',
    '',
    '/** The Avro schemas as JSON, each complete in itself, as they are registered. */',
    'export const SCHEMAS: Readonly<Record<RecordName, string>> = {',
    ...records.flatMap((schema) => [`  ${schema.name}:`, `    ${literal(JSON.stringify(schema))},`]),
    '};',
    '',
  ].join('\n');

/**
 * `avro` and `parts`: file name without extension to text. The result has the same shape, with `generated` beside it.
 * @throws Error a type is used that no file defines, or a file is not named after its type
 */
export const generate = ({ avro, parts }) => {
  const read = (files) =>
    Object.entries(files)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => {
        const schema = JSON.parse(text);
        if (schema.name !== name) throw new Error(`${name}.avsc defines ${schema.name}`);
        return schema;
      });
  const records = read(avro);
  const shared = read(parts);
  const homes = new Map([...records, ...shared].map((schema) => [fullName(schema), schema]));
  /** Homes in `parts/` name what they use; only what is registered is expanded. */
  const referring = (schema) =>
    schema.type === 'enum'
      ? schema
      : { ...schema, fields: schema.fields.map((field) => ({ ...field, type: byName(field.type) })) };
  const complete = records.map((schema) => define(schema, homes, new Set()));
  const texts = (schemas) => Object.fromEntries(schemas.map((schema) => [schema.name, `${print(schema)}\n`]));
  return { avro: texts(complete), parts: texts(shared.map(referring)), generated: typeScript(complete, shared) };
};

const byName = (schema) => {
  if (typeof schema === 'string') return schema;
  if (Array.isArray(schema)) return schema.map(byName);
  if (schema.type === 'array') return { ...schema, items: byName(schema.items) };
  return schema.type === 'record' || schema.type === 'enum' ? fullName(schema) : schema;
};
