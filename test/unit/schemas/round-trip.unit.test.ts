import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inMemorySerdes } from '../../../infra/registry/avro-codec.js';
import { SCHEMAS, type RecordName } from '../../../schemas/generated.js';
import { topicOf, valuesOf } from './arbitraries.js';

const RECORDS = Object.keys(SCHEMAS) as RecordName[];
const serdes = inMemorySerdes();

const withLoneSurrogates = fc.string({
  unit: fc.oneof(fc.constantFrom('\ud800', '\udfff', 'a', '\u{1f600}')),
  maxLength: 90,
});

describe.each(RECORDS)('%s', (record) => {
  const topic = topicOf(record);

  test('should be read as it was written', () => {
    fc.assert(
      fc.property(valuesOf(record), (value) => {
        expect(serdes.deserialize(topic, serdes.serialize(topic, record, value))).toStrictEqual({
          kind: 'value',
          value,
        });
      }),
    );
  });

  test('should give the same bytes for the same value, also for the one that was read', () => {
    fc.assert(
      fc.property(valuesOf(record, withLoneSurrogates), (value) => {
        const bytes = serdes.serialize(topic, record, value);
        const read = serdes.deserialize(topic, bytes);

        expect(read.kind).toBe('value');
        expect(serdes.serialize(topic, record, value)).toStrictEqual(bytes);
        expect(read.kind === 'value' && serdes.serialize(topic, record, read.value)).toStrictEqual(bytes);
      }),
      { numRuns: 30 },
    );
  });
});
