import { inMemorySerdes } from '../../infra/registry/avro-codec.js';
import { avroType, parseSchema } from '../../infra/registry/avro-schema.js';
import { HEADER_BYTES } from '../../infra/registry/frame.js';
import { subjects, type Subject } from '../../schemas/catalogue.js';
import { SCHEMAS, type RecordName } from '../../schemas/generated.js';
import type { Topic } from '../../topology/kit/topology.js';
import { topicOf } from '../unit/schemas/arbitraries.js';
import { avroJson, jsonText, type Json } from './avro-json.js';
import { EXAMPLES, INTERNAL } from './examples.js';
import { fullValue } from './full-value.js';

/** Where a frame has the schema's ID, which every registry gives anew: four bytes, in hex. */
export const ID_PLACEHOLDER = 'ssssssss';

const internal: readonly string[] = INTERNAL;

/** What others may rely on, in the order of the catalogue. */
export const PUBLIC: readonly Subject[] = subjects().filter(({ record }) => !internal.includes(record));

/** The golden values of a record, in TypeScript: its example and its two extremes. */
export const goldenValues = (record: RecordName): readonly (readonly [name: string, value: unknown])[] => [
  ['example', EXAMPLES[record]],
  ['most', fullValue(SCHEMAS[record], 'most')],
  ['least', fullValue(SCHEMAS[record], 'least')],
];

/** The frame of a value in hex, with the placeholder for the ID. */
export const frameOf = (topic: Topic<unknown>, record: RecordName, value: unknown): string => {
  const hex = Buffer.from(inMemorySerdes().serialize(topic, record, value)).toString('hex');
  return `00${ID_PLACEHOLDER}${hex.slice(2 * HEADER_BYTES)}`;
};

/** SHA-256 over the schema's Parsing Canonical Form. */
const fingerprintOf = (record: RecordName): string =>
  avroType(parseSchema(SCHEMAS[record])).fingerprint('sha256').toString('hex');

/** `schemas/golden/<Record>.json` for every public record, as JSON text. */
export const goldenFiles = (): ReadonlyMap<string, string> =>
  new Map(
    PUBLIC.map(({ record, topic, subject }) => {
      const frames: readonly Json[] = goldenValues(record).map(([name, value]) => ({
        name,
        value: avroJson(SCHEMAS[record], value),
        frame: frameOf(topicOf(record), record, value),
      }));
      const golden: Json = { record, topic, subject, fingerprint: fingerprintOf(record), frames };
      return [`${record}.json`, jsonText(golden)];
    }),
  );
