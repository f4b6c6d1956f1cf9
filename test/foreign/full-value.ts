import { define, isUnion, parseSchema, type AvroSchema } from '../../infra/registry/avro-schema.js';

/**
 * The two extremes of a record, in TypeScript: `most` has every field, the last word of every enum, the largest numbers
 * and texts beyond ASCII; `least` has what is required, empty texts and lists, and the smallest numbers.
 */
export type Extreme = 'most' | 'least';

type Scope = { readonly namespace: string; readonly known: Map<string, AvroSchema>; readonly extreme: Extreme };

export const fullValue = (schema: string, extreme: Extreme): unknown =>
  build(parseSchema(schema), { namespace: '', known: new Map(), extreme });

const OFFSET_END = 2n ** 63n;
/** As far as a `long` goes in TypeScript. */
const LONG_END = 2 ** 52 - 1;
const TEXT = '\u0000 "\\\n\u00fc\u2028\u20ac\uffff\u{1f600}';
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, index) => index);

const build = (schema: AvroSchema, scope: Scope): unknown => {
  const { extreme, known, namespace } = scope;
  const isMost = extreme === 'most';
  if (typeof schema === 'string') {
    const definition = known.get(schema) ?? known.get(`${namespace}.${schema}`);
    return definition === undefined ? primitive(schema, isMost) : build(definition, scope);
  }
  if (isUnion(schema)) {
    const some = build(schema[1] ?? 'null', scope);
    return isMost ? some : undefined;
  }
  if ('fields' in schema) {
    const own = define(schema, namespace);
    known.set(own.fullName, schema);
    const inner = { ...scope, namespace: own.namespace };
    const fields = schema.fields.map((field) => ({ field, made: build(field.type, inner) }));
    if (schema.choice === true) {
      const chosen = isMost ? schema.fields.at(-1) : schema.fields[0];
      return build(chosen === undefined || !isUnion(chosen.type) ? 'null' : (chosen.type[1] ?? 'null'), inner);
    }
    const present = fields.filter(({ field, made }) => made !== undefined || field.absent === 'null');
    return {
      ...(schema.discriminant === undefined ? {} : { [schema.discriminant]: schema.name }),
      ...Object.fromEntries(present.map(({ field, made }) => [field.name, made ?? null])),
    };
  }
  if ('symbols' in schema) {
    known.set(define(schema, namespace).fullName, schema);
    return Object.values(schema.words ?? {}).at(isMost ? -1 : 0);
  }
  if ('items' in schema) {
    const item = build(schema.items, scope);
    if (schema.mapKey === undefined) return isMost ? [item, item] : [];
    const { [schema.mapKey]: key, ...rest } = item as Record<string, unknown>;
    return new Map(isMost ? [[String(key), rest]] : []);
  }
  if ('logicalType' in schema && schema.logicalType === 'kafka-offset') return isMost ? OFFSET_END - 1n : -OFFSET_END;
  return primitive(schema.type, isMost);
};

const primitive = (type: string, isMost: boolean): unknown => {
  switch (type) {
    case 'string':
      return isMost ? TEXT : '';
    case 'boolean':
      return isMost;
    case 'int':
      return isMost ? 2 ** 31 - 1 : -(2 ** 31);
    case 'long':
      return isMost ? LONG_END : -LONG_END;
    case 'double':
      return isMost ? Number.MAX_VALUE : -Number.MIN_VALUE;
    case 'bytes':
      return isMost ? ALL_BYTES : new Uint8Array();
    default:
      return null;
  }
};
