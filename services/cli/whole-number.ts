import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError it is not a whole number from 1 on */
export const wholeNumber = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return count;
};
