import fc from 'fast-check';
import { isUnion, parseSchema, type AvroRecord, type AvroSchema } from '../../../infra/registry/avro-schema.js';
import { SCHEMAS, type RecordName } from '../../../schemas/generated.js';
import type { Topic } from '../../../topology/kit/topology.js';
import { TOPICS } from '../../../topology/topics.js';

/** Values of a record as they look in TypeScript, derived from its schema. `text` is where the texts come from. */
export const valuesOf = (record: RecordName, text: fc.Arbitrary<string> = wellFormed): fc.Arbitrary<unknown> =>
  arbitrary(parseSchema(SCHEMAS[record]), new Map(), text);

/** Any text that UTF-8 can hold, long and empty ones included. */
export const wellFormed = fc.string({ unit: 'binary', maxLength: 100 });

export const topicOf = (record: string): Topic<unknown> => {
  const topic = TOPICS.find(({ records }) => records.includes(record));
  if (topic === undefined) throw new Error(`no topic carries ${record}`);
  return topic;
};

type Known = Map<string, fc.Arbitrary<unknown>>;

/** As far as the codec goes: see its test of what lies beyond. */
const longs = fc.integer({ min: -(2 ** 52 - 1), max: 2 ** 52 - 1 });

const arbitrary = (schema: AvroSchema, known: Known, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> => {
  if (typeof schema === 'string') return primitive(schema, text) ?? referred(schema, known);
  if (isUnion(schema)) return arbitrary(schema[1] ?? 'null', known, text);
  if ('fields' in schema) {
    const made = schema.choice === true ? choice(schema, known, text) : record(schema, known, text);
    known.set(`${schema.namespace ?? ''}.${schema.name}`, made);
    return made;
  }
  if ('symbols' in schema) {
    const made = fc.constantFrom(...Object.values(schema.words ?? {}));
    known.set(`${schema.namespace ?? ''}.${schema.name}`, made);
    return made;
  }
  if ('items' in schema) {
    const items = arbitrary(schema.items, known, text);
    const { mapKey } = schema;
    if (mapKey === undefined) return fc.array(items, { maxLength: 4 });
    return fc.array(fc.tuple(fc.oneof(wellFormed, fc.constant('__proto__')), items), { maxLength: 4 }).map(
      (entries) =>
        new Map(
          entries
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, item]) => {
              const { [mapKey]: _, ...rest } = item as Record<string, unknown>;
              return [key, rest];
            }),
        ),
    );
  }
  if ('logicalType' in schema && schema.logicalType === 'kafka-offset')
    return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  return arbitrary(schema.type, known, text);
};

const referred = (name: string, known: Known): fc.Arbitrary<unknown> => {
  const made = known.get(name);
  if (made === undefined) throw new Error(`${name} is used before it is defined`);
  return made;
};

const primitive = (type: string, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> | undefined => {
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return fc.boolean();
    case 'int':
      return fc.integer();
    case 'long':
      return longs;
    case 'double':
      return fc.double({ noNaN: true });
    case 'bytes':
      return fc.uint8Array({ maxLength: 40 });
    case 'null':
      return fc.constant(null);
    default:
      return undefined;
  }
};

const record = (
  { fields, discriminant, name }: AvroRecord,
  known: Known,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> => {
  const all = fields.map((field) => {
    const made = arbitrary(field.type, known, text);
    return { field, made: isUnion(field.type) && field.absent === 'null' ? fc.option(made) : made };
  });
  const optional = all.filter(({ field }) => isUnion(field.type) && field.absent !== 'null');
  const model = Object.fromEntries(all.map(({ field, made }) => [field.name, made]));
  const required = all.filter((entry) => !optional.includes(entry)).map(({ field }) => field.name);
  return fc
    .record(model, { requiredKeys: required, noNullPrototype: true })
    .map((made) => (discriminant === undefined ? made : { [discriminant]: name, ...made }));
};

const choice = ({ fields }: AvroRecord, known: Known, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.oneof(...fields.map(({ type }) => arbitrary(type, known, text)));
