import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareUtf8, isInternalKey, recordKey, utf8 } from '../../../topology/kit/record-key.js';
import { seeded } from '../../kit/decider-kit/seed.js';

/** Any sequence of UTF-16 units, near each other and near the borders of the surrogate range. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom('0', '1', ':', 'a', 'é', '\u07ff', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
      { maxLength: 6 },
    )
    .map((units) => units.join('')),
);
/** The same, and with halves of pairs. */
const broken = fc
  .array(
    fc.constantFrom('a', ':', '1', '\ud7ff', '\ud800', '\udbff', '\udc00', '\udfff', '\ue000', '\uffff', '\u{10000}'),
    { maxLength: 6 },
  )
  .map((units) => units.join(''));

describe('a record key', () => {
  test.each([
    [undefined, 'c', '0:c'],
    ['', 'c', '0:c'],
    ['acme', 'c-1', '4:acmec-1'],
    ['é', ' C ', '2:é C '],
    ['\u{1f600}', '', '4:\u{1f600}'],
  ])('should be length, tenant and correlation ID, as they are: %j %j', (tenant, correlationId, key) => {
    expect(recordKey(tenant, correlationId)).toBe(key);
  });

  test('should differ where tenant or correlation ID differs', () => {
    fc.assert(
      fc.property(text, text, text, text, (tenant, id, otherTenant, otherId) => {
        const same = tenant === otherTenant && id === otherId;
        expect(recordKey(tenant, id) === recordKey(otherTenant, otherId)).toBe(same);
      }),
      seeded({ numRuns: 20_000 }),
    );
  });

  test('should differ however the border between tenant and correlation ID is moved', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const splits = Array.from(
          { length: whole.length + 1 },
          (_, at) => [whole.slice(0, at), whole.slice(at)] as const,
        ).filter(([tenant, id]) => tenant.isWellFormed() && id.isWellFormed());
        const keys = splits.map(([tenant, id]) => recordKey(tenant, id));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      seeded({ numRuns: 5_000 }),
    );
  });

  test('should differ as bytes wherever its texts can be written as UTF-8', () => {
    fc.assert(
      fc.property(text, text, text, text, (tenant, id, otherTenant, otherId) => {
        const bytes = [recordKey(tenant, id), recordKey(otherTenant, otherId)].map((key) =>
          Buffer.from(utf8(key)).toString('hex'),
        );
        expect(bytes[0] === bytes[1]).toBe(tenant === otherTenant && id === otherId);
      }),
      seeded({ numRuns: 5_000 }),
    );
  });

  test('should never look like an internal key', () => {
    fc.assert(
      fc.property(broken, broken, (tenant, id) => {
        expect(isInternalKey(recordKey(tenant, id))).toBe(false);
      }),
      seeded(),
    );
  });
});

describe('the order of two texts', () => {
  const sign = (value: number): number => Math.sign(value);

  test('should be that of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      seeded({ numRuns: 30_000 }),
    );
  });

  test('should be an order with halves of surrogate pairs too', () => {
    fc.assert(
      fc.property(broken, broken, broken, (a, b, c) => {
        expect(sign(compareUtf8(a, b))).toBe(-sign(compareUtf8(b, a)) + 0);
        expect(compareUtf8(a, b) === 0).toBe(a === b);
        if (compareUtf8(a, b) <= 0 && compareUtf8(b, c) <= 0) expect(compareUtf8(a, c)).toBeLessThanOrEqual(0);
      }),
      seeded({ numRuns: 20_000 }),
    );
  });

  test.each([
    ['\uffff', '\u{10000}', -1],
    ['\ue000', '\u{1f600}', -1],
    ['\ud7ff', '\ue000', -1],
    ['a', 'ab', -1],
    ['', '', 0],
    ['b', 'ab', 1],
  ])('should differ from that of UTF-16 units: %j %j', (a, b, expected) => {
    expect(sign(compareUtf8(a, b))).toBe(expected);
  });
});
