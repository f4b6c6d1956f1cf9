import { describe, expect, it } from '@jest/globals';
import type { AvroSchema } from '../../../infra/registry/avro-schema.js';
import { wireCheck } from '../../../infra/registry/wire-check.js';

const verdictOn = (schema: AvroSchema, ...bytes: readonly number[]): string => {
  try {
    wireCheck(schema)(Uint8Array.from(bytes), 0);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const NULLS: AvroSchema = { type: 'array', items: 'null' };
const LONGS: AvroSchema = { type: 'array', items: 'long' };
const TRUNCATED = 'the bytes end in the middle of the record';
const WRONG_LENGTH = 'a block is not as long as it says';

describe('bytes that claim more than they hold', () => {
  it.each<[string, AvroSchema, readonly number[], string]>([
    ['an array of as many items as fit', LONGS, [4, 1, 2, 0], 'ok'],
    ['an array of more', LONGS, [0xfe, 0xff, 0xff, 0xff, 0x0f, 1], TRUNCATED],
    ['items that take no byte, as many as there are bytes', NULLS, [4, 0, 0], '1 bytes follow the record'],
    ['a few of them', NULLS, [2, 0], 'ok'],
    ['block after block of them', NULLS, [4, 4, 4, 4, 4, 4, 0], TRUNCATED],
    ['arrays of arrays of them', { type: 'array', items: NULLS }, [6, 6, 0, 6, 0, 6, 0, 0], TRUNCATED],
    ['a map of more', { type: 'map', values: 'null' }, [0xfe, 0x07, 2, 0x61], TRUNCATED],
    ['a text of more', 'string', [0x7e, 0x61], TRUNCATED],
    ['a text of less than nothing', 'string', [1], TRUNCATED],
    ['a fixed of more', { type: 'fixed', name: 'F', size: 2 ** 40 }, [1, 2], TRUNCATED],
    ['a branch that is not there', ['null', 'long'], [4], 'a union has no number 2'],
  ])('should be found out: %s', (_, schema, bytes, verdict) => {
    expect(verdictOn(schema, ...bytes)).toBe(verdict);
  });

  it('should be found out where a block gives its length, by which it would be passed over', () => {
    expect(verdictOn(LONGS, 3, 4, 1, 2, 0)).toBe('ok');
    expect(verdictOn(LONGS, 3, 2, 1, 2, 0)).toBe(WRONG_LENGTH);
    expect(verdictOn(LONGS, 3, 9, 1, 2, 0)).toBe(WRONG_LENGTH);
  });

  it('should cost no more than their length, however deep they are', () => {
    const list: AvroSchema = {
      type: 'record',
      name: 'List',
      fields: [{ name: 'next', type: ['null', 'List'] }],
    };
    const endless: AvroSchema = { type: 'record', name: 'Self', fields: [{ name: 'self', type: 'Self' }] };

    expect(verdictOn(list, 2, 2, 2, 0)).toBe('ok');
    expect(verdictOn(list, ...new Array<number>(100_000).fill(2), 0)).toBe('Maximum call stack size exceeded');
    expect(verdictOn(endless, 0)).toBe('Maximum call stack size exceeded');
  });
});
