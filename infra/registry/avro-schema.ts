import avsc from 'avsc';

/**
 * Avro schemas as JSON, with the properties of our own that say how a value looks in TypeScript (`schemas/README.md`):
 * `words`, `absent`, `discriminant`, `choice`, `mapKey`. Other writers' schemas lack them.
 */
export type AvroField = {
  readonly name: string;
  readonly type: AvroSchema;
  /** `null`: null stays null in TypeScript; else the field is left out. */
  readonly absent?: 'null';
};
export type AvroRecord = {
  readonly type: 'record' | 'error';
  readonly name: string;
  readonly namespace?: string;
  readonly fields: readonly AvroField[];
  /** The property that holds the record's name in TypeScript. */
  readonly discriminant?: string;
  /** Exactly one field is present, and stands for the record in TypeScript. */
  readonly choice?: boolean;
};
export type AvroEnum = {
  readonly type: 'enum';
  readonly name: string;
  readonly namespace?: string;
  readonly symbols: readonly string[];
  /** Symbol to TypeScript word. A symbol without one is never written and cannot be read. */
  readonly words?: Readonly<Record<string, string>>;
};
export type AvroArray = {
  readonly type: 'array';
  readonly items: AvroSchema;
  /** The items' field that is the key of a `Map` in TypeScript. */
  readonly mapKey?: string;
};
export type AvroSchema =
  | string
  | readonly AvroSchema[]
  | AvroRecord
  | AvroEnum
  | AvroArray
  | { readonly type: 'map'; readonly values: AvroSchema }
  | { readonly type: 'fixed'; readonly name: string; readonly namespace?: string; readonly size: number }
  | { readonly type: string; readonly logicalType?: string };

const BITS = 64;
const LOW_SEVEN = 0x7f;
const MORE = 0x80;
/** Twice as much is still exact as a number. */
const SMALL = BigInt(Number.MAX_SAFE_INTEGER) >> 1n;

/** Reused for every number: avsc copies what it is given at once. */
const varint = Buffer.alloc(10);

/** Zigzag varint of any 64-bit integer. */
const packed = (value: bigint): Buffer => {
  let length = 0;
  if (value <= SMALL && value >= -SMALL) {
    const number = Number(value);
    let rest = number < 0 ? -2 * number - 1 : 2 * number;
    for (; rest > LOW_SEVEN; rest = Math.floor(rest / MORE)) varint[length++] = (rest % MORE) | MORE;
    varint[length++] = rest;
  } else {
    let rest = BigInt.asUintN(BITS, (value << 1n) ^ (value >> 63n));
    for (; rest > 0x7fn; rest >>= 7n) varint[length++] = Number(rest & 0x7fn) | MORE;
    varint[length++] = Number(rest);
  }
  return varint.subarray(0, length);
};

/** So many groups of seven bits are exact as a number. */
const SMALL_BYTES = 7;

const unpacked = (bytes: Uint8Array): bigint => {
  const { length } = bytes;
  if (length <= SMALL_BYTES) {
    let number = 0;
    for (let i = length - 1; i >= 0; i -= 1) number = number * MORE + ((bytes[i] ?? 0) & LOW_SEVEN);
    return BigInt(number % 2 === 0 ? number / 2 : -(number + 1) / 2);
  }
  let value = 0n;
  for (let i = length - 1; i >= 0; i -= 1) value = (value << 7n) | BigInt((bytes[i] ?? 0) & LOW_SEVEN);
  value = BigInt.asUintN(BITS, value);
  return (value >> 1n) ^ -(value & 1n);
};

/** `long` as bigint, over the whole 64 bits. */
const offsetType = avsc.types.LongType.__with(
  {
    fromBuffer: unpacked,
    toBuffer: packed,
    fromJSON: (value: number | string) => BigInt(value),
    toJSON: (value: bigint) => value.toString(),
    isValid: (value: unknown) => typeof value === 'bigint' && BigInt.asIntN(BITS, value) === value,
    compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
  },
  true,
);

/** @throws Error the schema is no valid Avro */
export const avroType = (schema: AvroSchema): avsc.Type =>
  avsc.Type.forSchema(schema as avsc.Schema, {
    typeHook: (inner) =>
      typeof inner === 'object' && 'logicalType' in inner && inner.logicalType === 'kafka-offset'
        ? offsetType
        : undefined,
  });

export const parseSchema = (text: string): AvroSchema => JSON.parse(text) as AvroSchema;

export const isUnion = (schema: AvroSchema): schema is readonly AvroSchema[] => Array.isArray(schema);

/** The full name of a definition, and the namespace that holds inside it. */
export const define = (
  schema: { readonly name: string; readonly namespace?: string },
  enclosing: string,
): { readonly fullName: string; readonly namespace: string } => {
  if (schema.name.includes('.')) {
    return { fullName: schema.name, namespace: schema.name.slice(0, schema.name.lastIndexOf('.')) };
  }
  const namespace = schema.namespace ?? enclosing;
  return { fullName: namespace === '' ? schema.name : `${namespace}.${schema.name}`, namespace };
};
