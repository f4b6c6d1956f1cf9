import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { MergedHistory } from '../../../services/tail/merged-history.js';
import { unitOfKey } from '../../../services/tail/unit-of-key.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';

const byNumber = (a: number, b: number): number => a - b;

/** Puts each source's batches in one after the other, as fast as it is let. */
const merged = async (sources: readonly (readonly (readonly number[])[])[]): Promise<readonly number[]> => {
  const given: number[] = [];
  const history = new MergedHistory<number>(byNumber, (item) => given.push(item));
  const opened = sources.map((batches) => ({ batches, source: history.open() }));
  await Promise.all(
    opened.map(async ({ batches, source }) => {
      for (const batch of batches) await source.put(batch);
      source.end();
    }),
  );
  return given;
};

describe('several histories', () => {
  it('should be told as one in order, however they come in batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.array(fc.integer({ max: 99 }), { maxLength: 4 }), { maxLength: 4 })),
        async (sources) => {
          const ordered = sources.map((batches) => {
            const numbers = batches.flat().toSorted(byNumber);
            return batches.map(({ length }) => numbers.splice(0, length));
          });

          expect(await merged(ordered)).toStrictEqual(ordered.flat(2).toSorted(byNumber));
        },
      ),
    );
  });

  it('should let go of whoever is held back when nobody wants more', async () => {
    const given: number[] = [];
    const history = new MergedHistory<number>(byNumber, (item) => given.push(item));
    const [first, second] = [history.open(), history.open()];
    const held = first.put([1, 2]);
    history.abandon();
    await held;
    await second.put([0]);

    expect(given).toStrictEqual([]);
  });
});

describe('the unit of a key', () => {
  it('should be the one that the key was made of', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined }),
        fc.string({ unit: 'grapheme' }),
        (tenant, correlationId) => {
          expect(unitOfKey(utf8(recordKey(tenant, correlationId)))).toStrictEqual({
            ...(tenant === undefined ? {} : { tenant }),
            correlationId,
          });
        },
      ),
    );
  });

  it.each(['', 'offer', '9:short', '!position'])('should be none of other bytes: "%s"', (key) => {
    expect(unitOfKey(utf8(key))).toBeUndefined();
  });
});
