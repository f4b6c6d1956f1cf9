import { describe, it } from '@jest/globals';
import type { OutcomeTable } from './outcome.js';

/** A test for each row of the table, no more and no fewer: the compiler sees to it that what the README says is shown. */
export const describeOutcomes = <Row extends string>(
  { title, rows }: OutcomeTable<Row>,
  tests: Readonly<Record<Row, () => Promise<void>>>,
  timeoutMs?: number,
): void => {
  describe(title, () => {
    for (const row of Object.keys(rows) as Row[])
      it(`should meet ${rows[row].given} by: ${rows[row].outcome}`, tests[row], timeoutMs);
  });
};
