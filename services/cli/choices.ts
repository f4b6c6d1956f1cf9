import { Argument, InvalidArgumentError, Option } from 'commander';

/** An option whose value is one of some words; a wrong one is answered with the nearest. */
export const choiceOption = (flags: string, description: string, words: readonly string[]): Option =>
  new Option(flags, description).choices(words).argParser(oneOf(words));

/** As `choiceOption`, for an argument. */
export const choiceArgument = (name: string, description: string, words: readonly string[]): Argument => {
  const argument = new Argument(name, description).choices(words);
  const parse = oneOf(words);
  return argument.variadic
    ? argument.argParser((given, before: readonly string[] | undefined) => [...(before ?? []), parse(given)])
    : argument.argParser(parse);
};

const oneOf =
  (words: readonly string[]) =>
  (given: string): string => {
    if (words.includes(given)) return given;
    const near = nearest(given, words);
    throw new InvalidArgumentError(
      `Allowed are ${words.join(', ')}.${near === undefined ? '' : `\n(Did you mean ${near}?)`}`,
    );
  };

/** The word that is meant, where one is near enough. */
const nearest = (given: string, words: readonly string[]): string | undefined => {
  const ranked = words
    .map((word) => ({ word, distance: distance(given.toLowerCase(), word) }))
    .filter(({ word, distance }) => distance <= Math.max(given.length, word.length) / 2)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.word;
};

/** Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries())
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[b.length] ?? 0;
};
