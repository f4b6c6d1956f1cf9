import { describe, expect, it } from '@jest/globals';
import { bytesText, hexLines } from '../../../services/console/byte-view.js';

describe('bytes of a record on a terminal', () => {
  it('should be text where they are UTF-8', () => {
    expect(bytesText(Buffer.from('Zürich 🚲'))).toBe('Zürich 🚲');
    expect(bytesText(Buffer.of(0xff, 0x00))).toBe('0xff00');
  });

  it('should be shown in rows of sixteen, and the rest be counted', () => {
    expect(hexLines(Buffer.from('0123456789abcdefXYZ\n'), 2)).toStrictEqual([
      '00000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  |0123456789abcdef|',
      '00000010  58 59 5a 0a                                      |XYZ.|',
    ]);
    expect(hexLines(Buffer.alloc(40), 1).at(-1)).toBe('24 bytes more; --raw writes all of them to a file');
    expect(hexLines(Buffer.alloc(0), 1)).toStrictEqual([]);
  });
});
