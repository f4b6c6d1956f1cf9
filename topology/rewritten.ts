import { formatCoordinates, type Coordinates } from './kit/coordinates.js';
import { utf8 } from './kit/record-key.js';
import type { DeadLetter } from './ledger-records.js';

/**
 * Headers of a record that Holdfast wrote once more, beside those it had: the dead letter that it comes from. The
 * dispatcher re-publishes a misrouted record once (R58); an operator replays any (R59), as the actor and for the reason given.
 */
export const REPUBLISHED_HEADER = 'holdfast-republished';
export const REPLAYED_HEADER = 'holdfast-replayed';
export const REPLAYED_BY_HEADER = 'holdfast-replayed-by';
export const REPLAYED_BECAUSE_HEADER = 'holdfast-replayed-because';

/** Source of the event IDs that are given to records which came without one. */
const SOURCE = '/holdfast/dead-letters';

export type Rewritten = {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, Uint8Array>>;
};

/**
 * The record of a dead letter as a new one. It stays the event it was, so that writing it twice, or both re-publishing and
 * replaying it, is one observation (R17); one without an event ID is named after the place where it was first set aside.
 */
export const rewritten = (letter: DeadLetter, marks: Readonly<Record<string, string>>): Rewritten => {
  const held = Object.fromEntries(letter.headers.map(({ name, value }) => [name, value]));
  const { ce_id: id = utf8(formatCoordinates(letter.source)), ce_source: source = utf8(SOURCE) } = held;
  return {
    key: letter.key ?? null,
    value: letter.value ?? null,
    headers: {
      ...held,
      ce_id: id,
      ce_source: source,
      ...Object.fromEntries(Object.entries(marks).map(([name, text]) => [name, utf8(text)])),
    },
  };
};

export const republished = (letter: DeadLetter, at: Coordinates): Rewritten =>
  rewritten(letter, { [REPUBLISHED_HEADER]: formatCoordinates(at) });

/** `actor`, `because`: the operator's, as in every word of theirs (R61). */
export const replayed = (
  letter: DeadLetter,
  at: Coordinates,
  { actor, because }: { readonly actor: string; readonly because?: string },
): Rewritten =>
  rewritten(letter, {
    [REPLAYED_HEADER]: formatCoordinates(at),
    [REPLAYED_BY_HEADER]: actor,
    ...(because === undefined ? {} : { [REPLAYED_BECAUSE_HEADER]: because }),
  });
