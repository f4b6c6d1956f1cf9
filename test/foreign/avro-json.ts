import { define, isUnion, parseSchema, type AvroSchema } from '../../infra/registry/avro-schema.js';

/**
 * A record's TypeScript value as Avro's own JSON encoding (Avro specification, "JSON Encoding"), which every Avro library
 * reads: unions wrapped in the name of their branch, enums by symbol, bytes as code points. Does not use the codec's
 * projection: it is what that is held against.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [name: string]: Json };
type Values = Readonly<Record<string, unknown>>;
type Scope = { readonly namespace: string; readonly known: Map<string, AvroSchema> };

export const avroJson = (schema: string, value: unknown): Json =>
  encode(parseSchema(schema), value, { namespace: '', known: new Map() });

/** JSON text with 64-bit integers as they are. */
export const jsonText = (value: Json): string => {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}:${jsonText(item)}`)
      .join(',')}}`;
  return JSON.stringify(value);
};

const encode = (schema: AvroSchema, value: unknown, scope: Scope): Json => {
  if (typeof schema === 'string') {
    const { namespace, known } = scope;
    const definition = known.get(schema) ?? known.get(`${namespace}.${schema}`);
    return definition === undefined ? primitive(schema, value) : encode(definition, value, scope);
  }
  if (isUnion(schema)) {
    const [, branch = 'null'] = schema;
    // A definition is to be known to what follows, also where it is not used here.
    if (value === undefined || value === null) {
      learn(branch, scope);
      return null;
    }
    return { [branchName(branch, scope)]: encode(branch, value, scope) };
  }
  if ('fields' in schema) {
    const { fullName, namespace } = define(schema, scope.namespace);
    scope.known.set(fullName, schema);
    const inner = { ...scope, namespace };
    const values = value as Values;
    return Object.fromEntries(
      schema.fields.map((field) => {
        const chosen = schema.choice === true ? chosenField(field.type, values, inner) : values[field.name];
        return [field.name, encode(field.type, chosen, inner)];
      }),
    );
  }
  if ('symbols' in schema) {
    learn(schema, scope);
    const symbol = Object.entries(schema.words ?? {}).find(([, word]) => word === value)?.[0];
    if (symbol === undefined) throw new Error(`${schema.name} has no word ${String(value)}`);
    return symbol;
  }
  if ('items' in schema) {
    learn(schema.items, scope);
    return itemsOf(value, schema.mapKey).map((item) => encode(schema.items, item, scope));
  }
  return primitive(schema.type, value);
};

const primitive = (type: string, value: unknown): Json => {
  if (type !== 'bytes') return value as Json;
  return Buffer.from(value as Uint8Array).toString('latin1');
};

const itemsOf = (value: unknown, mapKey: string | undefined): readonly unknown[] => {
  if (mapKey === undefined) return value as readonly unknown[];
  return [...(value as ReadonlyMap<string, Values>)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, rest]) => ({ ...rest, [mapKey]: key }));
};

const chosenField = (type: AvroSchema, values: Values, scope: Scope): unknown => {
  const name = branchName(isUnion(type) ? (type[1] ?? 'null') : type, scope);
  return name.endsWith(`.${String(values.type)}`) ? values : undefined;
};

/** The name that wraps a value of a union. */
const branchName = (schema: AvroSchema, { namespace, known }: Scope): string => {
  if (typeof schema === 'string') return known.has(`${namespace}.${schema}`) ? `${namespace}.${schema}` : schema;
  if (isUnion(schema)) throw new Error('a union cannot hold a union');
  return 'name' in schema ? define(schema, namespace).fullName : schema.type;
};

/** Enters the definitions inside a schema, in the order in which a reader meets them. */
const learn = (schema: AvroSchema, scope: Scope): void => {
  if (typeof schema === 'string') return;
  if (isUnion(schema)) {
    for (const branch of schema) learn(branch, scope);
    return;
  }
  if ('name' in schema) scope.known.set(define(schema, scope.namespace).fullName, schema);
  if ('fields' in schema) for (const { type } of schema.fields) learn(type, scope);
  if ('items' in schema) learn(schema.items, scope);
};
