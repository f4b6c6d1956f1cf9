import { SCHEMAS, type RecordName } from '../../schemas/generated.js';
import { avroType, parseSchema } from './avro-schema.js';
import { projection } from './projection.js';

/** A record's value in Avro's JSON encoding, as documents show it. @throws Error the value does not fit the schema */
export const avroJson = (record: RecordName, value: unknown): unknown => {
  const schema = parseSchema(SCHEMAS[record]);
  return JSON.parse(avroType(schema).toString(projection(schema).toAvro(value)));
};
