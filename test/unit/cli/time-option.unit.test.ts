import { describe, expect, it } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { timeOption } from '../../../services/cli/time-option.js';

describe('a time on the command line', () => {
  it('should be ISO 8601', () => {
    expect(timeOption('2026-03-01T12:00:00Z')).toBe(Date.UTC(2026, 2, 1, 12));
  });

  it.each(['1969-12-31', '999999999d', '9'.repeat(400) + 'd', 'yesterday', '2026-13-01'])(
    'should not be before 1970, nor no time: %s',
    (text) => {
      expect(() => timeOption(text)).toThrow(InvalidArgumentError);
    },
  );
});
