import { describe, expect, it } from '@jest/globals';
import { goldenValues, PUBLIC } from './golden.js';
import { LANGUAGES, root, run } from './languages.js';

describe.each(LANGUAGES)('Avro in $name', (language) => {
  it('should give the golden frames, and read them as the golden values, from the schemas alone', async () => {
    const said = await run(language, 'golden', `${root}schemas/golden`, `${root}schemas/avro`);

    const wanted = PUBLIC.map(({ record }) => ({
      record,
      fingerprint: true,
      frames: goldenValues(record).map(([name]) => ({ name, encoded: true, decoded: true })),
    }));
    expect(said).toStrictEqual(wanted.sort((a, b) => (a.record < b.record ? -1 : 1)));
  });
});
