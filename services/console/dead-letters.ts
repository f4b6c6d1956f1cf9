import { hash } from 'node:crypto';
import { HoldfastError } from '../../infra/errors.js';
import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import { partitionOf } from '../../topology/kit/partition.js';
import type { DeadLetter } from '../../topology/ledger-records.js';
import { REPLAYED_HEADER, REPUBLISHED_HEADER } from '../../topology/rewritten.js';
import { DEAD_LETTERS, TASK_EVENTS } from '../../topology/topics.js';
import { readTopic } from './read-topic.js';
import type { LogSource } from './verdict-log.js';

/** A dead letter without the value of its record, which may be large. */
export type Letter = {
  readonly at: Coordinates;
  readonly letter: Omit<DeadLetter, 'value'>;
  /** Length of the record's value in bytes; `null`: it was a tombstone. */
  readonly size: number | null;
  /** SHA-256 of that value; `null` as above. */
  readonly sha256: string | null;
  /** Where its record was written once more, in order. */
  readonly again: readonly WrittenAgain[];
};

export type WrittenAgain = {
  readonly how: 're-published' | 'replayed';
  readonly as: Coordinates;
  /** The dead letter that this one became. */
  readonly asideAs?: Coordinates;
};

/** No dead letter is there. */
export class DeadLetterUnknownError extends HoldfastError {
  constructor(place: string) {
    super(
      `no dead letter lies at ${place}, and none is of a record there; "holdfast dead-letters list" names those that are kept`,
      { code: 'HOLDFAST_DEAD_LETTER_UNKNOWN', retryable: false },
    );
  }
}

/** The partition where the record of a letter belongs (R58); without a key it stays where it was. */
export const homeOf = ({ key, source }: Pick<DeadLetter, 'key' | 'source'>, partitions: number): number =>
  key === undefined ? source.partition : partitionOf(key, partitions);

/** All dead letters that are kept, in the order in which their records lay; `unreadable`: so many of a later version. */
export const scanLetters = async (
  source: LogSource,
  partitions: number,
): Promise<{ readonly letters: readonly Letter[]; readonly unreadable: number }> => {
  const found: Omit<Letter, 'again'>[] = [];
  let unreadable = 0;
  await readTopic(source, DEAD_LETTERS, allOf(partitions), ({ value, at }) => {
    if (value === undefined) unreadable += 1;
    else {
      const { value: bytes, ...letter } = value;
      found.push({ at, letter, size: bytes?.length ?? null, sha256: digestOf(bytes ?? null) });
    }
  });
  const again = await writtenAgain(source, found, partitions);
  const letters = found
    .map((one) => ({ ...one, again: again.get(formatCoordinates(one.at)) ?? [] }))
    .toSorted((a, b) => inOrder(a.letter.source, b.letter.source));
  return { letters, unreadable };
};

/** The dead letter at a place, or of the record there. @throws DeadLetterUnknownError */
export const findLetter = (letters: readonly Letter[], place: string): Letter => {
  const found =
    letters.find(({ at }) => formatCoordinates(at) === place) ??
    letters.find(({ letter }) => formatCoordinates(letter.source) === place);
  if (found === undefined) throw new DeadLetterUnknownError(place);
  return found;
};

/** A dead letter whole. @throws DeadLetterUnknownError it is not kept any more */
export const readLetter = async ({ reader, serdes }: LogSource, at: Coordinates): Promise<DeadLetter> => {
  let found: DeadLetter | undefined;
  await reader.read(at, { from: at.offset, to: at.offset + 1n }, async ({ records }) => {
    for (const { value, offset } of records) {
      if (value === null || offset !== at.offset) continue;
      await serdes.prepare(DEAD_LETTERS, [value]);
      const read = serdes.deserialize(DEAD_LETTERS, value);
      if (read.kind === 'value') found = read.value;
    }
  });
  if (found === undefined) throw new DeadLetterUnknownError(formatCoordinates(at));
  return found;
};

const allOf = (partitions: number): readonly number[] => Array.from({ length: partitions }, (_, index) => index);

export const inOrder = (a: Coordinates, b: Coordinates): number =>
  a.partition - b.partition || (a.offset < b.offset ? -1 : 1);

/** By the place of the letter. A header alone proves nothing, anybody can write one: key and value are the letter's too. */
const writtenAgain = async (
  { reader }: LogSource,
  letters: readonly Omit<Letter, 'again'>[],
  partitions: number,
): Promise<ReadonlyMap<string, readonly WrittenAgain[]>> => {
  const byPlace = new Map(letters.map((one) => [formatCoordinates(one.at), one]));
  const asideAs = new Map(letters.map(({ at, letter }) => [formatCoordinates(letter.source), at]));
  const found = new Map<string, WrittenAgain[]>();
  const from = startsOf(letters, partitions);
  const bounds = await reader.bounds([...from.keys()].map((partition) => ({ topic: TASK_EVENTS.name, partition })));
  await Promise.all(
    bounds.map(async ({ partition, low, end }) => {
      const start = from.get(partition) ?? 0n;
      const range = { from: start < low ? low : start, to: end };
      if (range.from >= end) return;
      await reader.read({ topic: TASK_EVENTS.name, partition }, range, ({ records }) => {
        for (const { headers, key, offset, value } of records)
          for (const [header, how] of MARKS) {
            const mark = headers[header];
            const place = mark === undefined ? '' : Buffer.from(mark).toString();
            const one = byPlace.get(place);
            if (one === undefined || !isOf(one, { key, value })) continue;
            const as = { topic: TASK_EVENTS.name, partition, offset };
            const aside = asideAs.get(formatCoordinates(as));
            const again = { how, as, ...(aside === undefined ? {} : { asideAs: aside }) };
            found.set(place, [...(found.get(place) ?? []), again]);
          }
        return Promise.resolve();
      });
    }),
  );
  return found;
};

const MARKS = [
  [REPUBLISHED_HEADER, 're-published'],
  [REPLAYED_HEADER, 'replayed'],
] as const;

const isOf = (
  { letter, sha256 }: Omit<Letter, 'again'>,
  { key, value }: { readonly key: Uint8Array | null; readonly value: Uint8Array | null },
): boolean => sha256 === digestOf(value) && Buffer.compare(letter.key ?? NONE, key ?? NONE) === 0;

const digestOf = (value: Uint8Array | null): string | null => (value === null ? null : hash('sha256', value, 'hex'));

const NONE = new Uint8Array(0);

/** From where on each partition may hold such records: after the originals, or anywhere where they lay elsewhere. */
const startsOf = (letters: readonly Omit<Letter, 'again'>[], partitions: number): ReadonlyMap<number, bigint> => {
  const starts = new Map<number, bigint>();
  for (const { letter } of letters) {
    if (letter.source.topic !== TASK_EVENTS.name) continue;
    const home = homeOf(letter, partitions);
    const start = home === letter.source.partition ? letter.source.offset + 1n : 0n;
    const known = starts.get(home);
    starts.set(home, known === undefined || start < known ? start : known);
  }
  return starts;
};
