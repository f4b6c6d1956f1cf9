/** Rows under a heading, in columns as wide as they need to be. */
export const columns = (heading: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
