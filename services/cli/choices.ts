import { Argument, InvalidArgumentError, Option } from 'commander';
import { nearest } from '../../infra/nearest.js';

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
