import { isUtf8 } from 'node:buffer';
import { define, isUnion, type AvroSchema } from './avro-schema.js';

/**
 * Whether bytes are exactly one value of a schema, before anything is built from them. avsc believes the lengths it reads:
 * an array that claims 2^31 items in ten bytes keeps it busy until memory is gone, and bytes that are no UTF-8 become
 * other text. Neither may reach it, since anybody can write to an input topic.
 */

export class MalformedBytes extends Error {}

export type WireCheck = (bytes: Uint8Array, start: number) => void;

/** `items`: how many more may come. Each takes a byte; those that take none are as many as if they did, and no more. */
type Cursor = { readonly bytes: Uint8Array; at: number; items: number };
type Check = (cursor: Cursor) => void;
type Scope = { readonly namespace: string; readonly checks: Map<string, Check> };

const TRUNCATED = 'the bytes end in the middle of the record';
const MAX_VARINT = 10;

/** A check for one writer schema. @throws MalformedBytes when the bytes are no value of it, with the reason as message */
export const wireCheck = (schema: AvroSchema): WireCheck => {
  const check = compile(schema, { namespace: '', checks: new Map() });
  return (bytes, start) => {
    const cursor = { bytes, at: start, items: bytes.length };
    check(cursor);
    if (cursor.at < bytes.length) throw new MalformedBytes(`${bytes.length - cursor.at} bytes follow the record`);
  };
};

const skip = (cursor: Cursor, length: number): void => {
  if (length < 0 || length > cursor.bytes.length - cursor.at) throw new MalformedBytes(TRUNCATED);
  cursor.at += length;
};

/** A zigzag varint as a number: exact wherever it is a possible length or index. */
const readVarint = (cursor: Cursor): number => {
  const { bytes } = cursor;
  const first = bytes[cursor.at];
  if (first !== undefined && first < 0x80) {
    cursor.at += 1;
    return (first >>> 1) ^ -(first & 1);
  }
  let value = 0;
  let scale = 1;
  for (let length = 1; length <= MAX_VARINT; length += 1) {
    const byte = bytes[cursor.at];
    if (byte === undefined) throw new MalformedBytes(TRUNCATED);
    cursor.at += 1;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    scale *= 0x80;
  }
  throw new MalformedBytes('a number has more than 64 bits');
};

const checkVarint = (cursor: Cursor): void => {
  readVarint(cursor);
};

/** avsc reads larger ones, which then cannot be written again. */
const checkInt = (cursor: Cursor): void => {
  const value = readVarint(cursor);
  if (value !== (value | 0)) throw new MalformedBytes('an int has more than 32 bits');
};

const checkBytes = (cursor: Cursor): void => {
  skip(cursor, readVarint(cursor));
};

const checkString = (cursor: Cursor): void => {
  const length = readVarint(cursor);
  const start = cursor.at;
  skip(cursor, length);
  const { bytes, at: end } = cursor;
  for (let at = start; at < end; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    if (!isUtf8(bytes.subarray(at, end))) throw new MalformedBytes('a text is not UTF-8');
    return;
  }
};

const checkBoolean = (cursor: Cursor): void => {
  const byte = cursor.bytes[cursor.at];
  skip(cursor, 1);
  if (byte !== 0 && byte !== 1) throw new MalformedBytes('a boolean is neither 0 nor 1');
};

/** Arrays and maps: blocks of a count and so many items, up to a block of none. */
const checkBlocks =
  (item: Check): Check =>
  (cursor) => {
    for (let count = readVarint(cursor); count !== 0; count = readVarint(cursor)) {
      // A negative count is followed by the block's length in bytes, by which avsc passes over blocks that it does not read.
      const length = count < 0 ? readVarint(cursor) : undefined;
      const start = cursor.at;
      const items = Math.abs(count);
      cursor.items -= items;
      if (items > cursor.bytes.length - cursor.at || cursor.items < 0) throw new MalformedBytes(TRUNCATED);
      for (let i = 0; i < items; i += 1) item(cursor);
      if (length !== undefined && length !== cursor.at - start)
        throw new MalformedBytes('a block is not as long as it says');
    }
  };

const checkIndex = (size: number, what: string): ((cursor: Cursor) => number) => {
  return (cursor) => {
    const index = readVarint(cursor);
    if (index < 0 || index >= size) throw new MalformedBytes(`${what} has no number ${index}`);
    return index;
  };
};

const PRIMITIVES: Readonly<Record<string, Check>> = {
  null: () => undefined,
  boolean: checkBoolean,
  int: checkInt,
  long: checkVarint,
  float: (cursor) => {
    skip(cursor, 4);
  },
  double: (cursor) => {
    skip(cursor, 8);
  },
  bytes: checkBytes,
  string: checkString,
};

const compile = (schema: AvroSchema, scope: Scope): Check => {
  if (typeof schema === 'string') return PRIMITIVES[schema] ?? reference(schema, scope);
  if (isUnion(schema)) return union(schema, scope);
  if ('fields' in schema) {
    const { fullName, namespace } = define(schema, scope.namespace);
    const fields: Check[] = [];
    const check: Check = (cursor) => {
      for (const field of fields) field(cursor);
    };
    // Entered before its fields, which may refer to it.
    scope.checks.set(fullName, check);
    for (const field of schema.fields) fields.push(compile(field.type, { ...scope, namespace }));
    return check;
  }
  if ('symbols' in schema) {
    const symbol = checkIndex(schema.symbols.length, `the enum ${schema.name}`);
    return named(schema, scope, (cursor) => {
      symbol(cursor);
    });
  }
  if ('size' in schema) {
    return named(schema, scope, (cursor) => {
      skip(cursor, schema.size);
    });
  }
  if ('items' in schema) return checkBlocks(compile(schema.items, scope));
  if ('values' in schema) {
    const value = compile(schema.values, scope);
    return checkBlocks((cursor) => {
      checkString(cursor);
      value(cursor);
    });
  }
  return compile(schema.type, scope);
};

const named = (schema: Parameters<typeof define>[0], scope: Scope, check: Check): Check => {
  scope.checks.set(define(schema, scope.namespace).fullName, check);
  return check;
};

const union = (branches: readonly AvroSchema[], scope: Scope): Check => {
  const checks = branches.map((branch) => compile(branch, scope));
  const branch = checkIndex(checks.length, 'a union');
  return (cursor) => {
    checks[branch(cursor)]?.(cursor);
  };
};

const reference = (name: string, { namespace, checks }: Scope): Check => {
  const check = checks.get(name) ?? checks.get(`${namespace}.${name}`);
  if (check === undefined) throw new Error(`the schema refers to ${name}, which it does not define`);
  return check;
};
