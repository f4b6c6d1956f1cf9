/** One object a line. */
export type JsonLine = Readonly<Record<string, unknown>>;

/** Prints the line on standard output, which carries nothing else. */
export const printLine = (line: JsonLine): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** A line as an object; `undefined` for anything else. */
export const parseLine = (text: string): JsonLine | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonLine) : undefined;
  } catch {
    return undefined;
  }
};
