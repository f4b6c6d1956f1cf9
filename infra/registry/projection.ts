import {
  define,
  isUnion,
  type AvroArray,
  type AvroEnum,
  type AvroField,
  type AvroRecord,
  type AvroSchema,
} from './avro-schema.js';

/**
 * How a value looks in TypeScript and how avsc wants it, by the properties that our schemas carry. What TypeScript leaves
 * out is `null` in Avro; an enum's symbol is a word; a `choice` record stands for its one field; an array with a `mapKey`
 * is a `Map`; bytes are `Uint8Array`; text has no lone surrogates, which UTF-8 cannot hold.
 */
export type Projection = { readonly toAvro: Convert; readonly fromAvro: Convert };
type Convert = (value: unknown) => unknown;
type Values = Record<string, unknown>;
type Scope = { readonly namespace: string; readonly known: Map<string, Projection> };

/** The value cannot be written, or what was read has no form here; the message says what. */
export class NoProjection extends Error {}

const same: Convert = (value) => value;
const AS_IT_IS: Projection = { toAvro: same, fromAvro: same };

/** @throws Error the schema has properties that contradict each other */
export const projection = (schema: AvroSchema): Projection => compile(schema, { namespace: '', known: new Map() });

const TEXT: Projection = {
  toAvro: (value) => (typeof value === 'string' ? value.toWellFormed() : value),
  fromAvro: same,
};

const BYTES: Projection = {
  toAvro: (value) =>
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  // A copy: a view would keep the whole fetched batch alive as long as one value of it.
  fromAvro: (value) => (value instanceof Uint8Array ? new Uint8Array(value) : value),
};

/** avsc loses the last bit of a `long` from 2^52 on, either way and without a word. */
const MAX_LONG = 2 ** 52 - 1;

const checkedLong: Convert = (value) => {
  if (typeof value === 'number' && Math.abs(value) > MAX_LONG) throw new NoProjection(`${value} is too large a number`);
  return value;
};
const LONG: Projection = { toAvro: checkedLong, fromAvro: checkedLong };

const PRIMITIVES: Readonly<Record<string, Projection>> = { string: TEXT, bytes: BYTES, long: LONG };

const compile = (schema: AvroSchema, scope: Scope): Projection => {
  if (typeof schema === 'string') {
    const primitive = PRIMITIVES[schema];
    if (primitive !== undefined) return primitive;
    return scope.known.get(schema) ?? scope.known.get(`${scope.namespace}.${schema}`) ?? AS_IT_IS;
  }
  if (isUnion(schema)) return nullable(schema, scope);
  if ('fields' in schema) {
    const { fullName, namespace } = define(schema, scope.namespace);
    const inner = { ...scope, namespace };
    const compiled = schema.choice === true ? choice(schema, inner) : record(schema, inner);
    scope.known.set(fullName, compiled);
    return compiled;
  }
  if ('symbols' in schema) {
    const compiled = words(schema);
    scope.known.set(define(schema, scope.namespace).fullName, compiled);
    return compiled;
  }
  if ('items' in schema) return schema.mapKey === undefined ? list(schema, scope) : map(schema, schema.mapKey, scope);
  if ('logicalType' in schema && schema.logicalType === 'kafka-offset') return AS_IT_IS;
  return PRIMITIVES[schema.type] ?? AS_IT_IS;
};

const nullable = (branches: readonly AvroSchema[], scope: Scope): Projection => {
  const [none, some] = branches;
  if (none !== 'null' || some === undefined || branches.length > 2)
    throw new Error('a union of ours is null and one type');
  const { toAvro, fromAvro } = compile(some, scope);
  return {
    toAvro: (value) => (value === undefined || value === null ? null : toAvro(value)),
    fromAvro: (value) => (value === null ? null : fromAvro(value)),
  };
};

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;

type Part = Projection & { readonly name: string; readonly omitted: boolean };

const partOf = ({ name, type, absent }: AvroField, scope: Scope): Part => ({
  name,
  omitted: isUnion(type) && absent !== 'null',
  ...compile(type, scope),
});

const record = (schema: AvroRecord, scope: Scope): Projection => {
  const parts = schema.fields.map((field) => partOf(field, scope));
  const { discriminant, name } = schema;
  return {
    toAvro: (value) => {
      if (!isObject(value)) throw new NoProjection(`${name} is no object`);
      const avro: Values = {};
      for (const part of parts) avro[part.name] = part.toAvro(value[part.name]);
      return avro;
    },
    fromAvro: (avro) => {
      const value: Values = discriminant === undefined ? {} : { [discriminant]: name };
      if (!isObject(avro)) return value;
      for (const part of parts) {
        const read = avro[part.name];
        if (read !== null || !part.omitted) value[part.name] = part.fromAvro(read);
      }
      return value;
    },
  };
};

/** One of several records, told apart in TypeScript by the property `type`. */
const choice = (schema: AvroRecord, scope: Scope): Projection => {
  const fieldOf = new Map<unknown, Part>();
  const parts = schema.fields.map((field) => {
    const part = partOf(field, scope);
    fieldOf.set(nameOf(field.type), part);
    return part;
  });
  return {
    toAvro: (value) => {
      const part = isObject(value) ? fieldOf.get(value.type) : undefined;
      if (part === undefined) throw new NoProjection(`${schema.name} has no such type of record`);
      return { [part.name]: part.toAvro(value) };
    },
    fromAvro: (avro) => {
      const present = isObject(avro) ? parts.filter(({ name }) => avro[name] !== null) : [];
      const [part] = present;
      if (!isObject(avro) || part === undefined || present.length > 1)
        throw new NoProjection(`${schema.name} holds ${present.length} records that this version knows, not one`);
      return part.fromAvro(avro[part.name]);
    },
  };
};

/** The short name of the record in a nullable field. */
const nameOf = (type: AvroSchema): string | undefined => {
  const some = isUnion(type) ? type[1] : type;
  if (typeof some === 'string') return some.slice(some.lastIndexOf('.') + 1);
  return some !== undefined && 'fields' in some ? some.name : undefined;
};

const words = ({ name, words: wordOf = {} }: AvroEnum): Projection => {
  const words = new Map<unknown, string>(Object.entries(wordOf));
  const symbols = new Map<unknown, string>([...words].map(([symbol, word]) => [word, String(symbol)]));
  return {
    toAvro: (word) => {
      const symbol = symbols.get(word);
      if (symbol === undefined) throw new NoProjection(`${name} has no word ${JSON.stringify(word)}`);
      return symbol;
    },
    fromAvro: (symbol) => {
      const word = words.get(symbol);
      if (word === undefined) throw new NoProjection(`${name} is a word that this version does not know`);
      return word;
    },
  };
};

const list = ({ items }: AvroArray, scope: Scope): Projection => {
  const { toAvro, fromAvro } = compile(items, scope);
  return {
    toAvro: (value) => (Array.isArray(value) ? value.map((item) => toAvro(item)) : value),
    fromAvro: (value) => (Array.isArray(value) ? value.map((item) => fromAvro(item)) : value),
  };
};

/** Entries in order of key, so that equal maps give equal bytes. */
const map = ({ items }: AvroArray, key: string, scope: Scope): Projection => {
  const { toAvro, fromAvro } = compile(items, scope);
  return {
    toAvro: (value) =>
      value instanceof Map
        ? [...(value as ReadonlyMap<string, Values>)]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, rest]) => toAvro({ ...rest, [key]: name }))
        : value,
    fromAvro: (value) =>
      new Map(
        (Array.isArray(value) ? value : []).map((item) => {
          const { [key]: name, ...rest } = fromAvro(item) as Values;
          return [name, rest];
        }),
      ),
  };
};
