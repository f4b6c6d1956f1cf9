import { printable } from './printable.js';

const GAP = '  ';
const NARROWEST = 6;

/**
 * Rows under a heading, in columns as wide as they need to be. With a `width` the widest columns are cut until a row fits;
 * without one nothing is.
 */
export const columns = (
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  width?: number,
): readonly string[] => {
  const all = [heading, ...rows].map((row) => row.map(printable));
  const needed = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const widths = width === undefined ? needed : fitted(needed, width - GAP.length * (heading.length - 1));
  return all.map((row) =>
    row
      .map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
};

/** Takes from the widest, so that narrow columns stay whole for as long as there are wider ones. */
const fitted = (needed: readonly number[], width: number): readonly number[] => {
  const widths = [...needed];
  let over = widths.reduce((sum, one) => sum + one, 0) - width;
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= NARROWEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
};

const cut = (cell: string, width: number): string => (cell.length <= width ? cell : `${cell.slice(0, width - 1)}…`);
