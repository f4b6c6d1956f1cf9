import { ProcessorFaultError } from './errors.js';

/**
 * Keys of a task's store. State lies under its own key; everything the runtime keeps begins with `!`, which no state key
 * may. Index entries are derived from the states, so they are in the store only, never on the changelog.
 */

/** The task's position; the one internal key that is on the changelog too. */
export const POSITION_KEY = '!position';
/** How far the changelog has been applied; in the store only. */
export const CHECKPOINT_KEY = '!cl';

const TIMERS = '!t';
const INDEXES = '!i';
const DIGITS = 16;
const END_OF_NAME = '\u0000';
const AFTER_NAME = '\u0001';

export const TIMERS_FROM = TIMERS;
export const TIMERS_TO = '!u';

/** Entry `due -> key`. In order of due time, then of key by its UTF-8 bytes. */
export const timerKey = (due: number, key: string): string =>
  `${TIMERS}${due.toString().padStart(DIGITS, '0')}${END_OF_NAME}${key}`;

export const dueOfTimer = (timer: string): number => Number(timer.slice(TIMERS.length, TIMERS.length + DIGITS));
export const keyOfTimer = (timer: string): string => timer.slice(TIMERS.length + DIGITS + END_OF_NAME.length);

/** The length before the name keeps names apart whatever is in them. */
const indexPrefix = (index: string): string => `${INDEXES}${index.length}:${index}`;

const indexKey = (index: string, key: string): string => `${indexPrefix(index)}${END_OF_NAME}${key}`;

/** The entries of one index whose key sorts after `after`. */
export const indexRange = (index: string, after?: string): { readonly from: string; readonly to: string } => ({
  from: after === undefined ? `${indexPrefix(index)}${END_OF_NAME}` : `${indexKey(index, after)}\u0000`,
  to: `${indexPrefix(index)}${AFTER_NAME}`,
});

export const keyOfIndexEntry = (index: string, entry: string): string => entry.slice(indexKey(index, '').length);

/** What a state wants to be found by. */
export type Derivation<State> = {
  readonly due: (state: State) => number | undefined;
  readonly indexes: (state: State) => readonly string[];
};

/** Due time as the index holds it, whole ms. @throws ProcessorFaultError it is no time */
export const dueOf = <State>(derivation: Derivation<State>, key: string, state: State): number | undefined => {
  const due = derivation.due(state);
  if (due === undefined) return undefined;
  const whole = Math.max(0, Math.ceil(due));
  if (!Number.isSafeInteger(whole))
    throw new ProcessorFaultError(`state ${JSON.stringify(key)} is due at ${due}, which is no time`);
  return whole;
};

/** Index entries of one state. */
const derivedKeys = <State>(derivation: Derivation<State>, key: string, state: State | null): readonly string[] => {
  if (state === null) return [];
  const due = dueOf(derivation, key, state);
  const indexes = derivation.indexes(state).map((index) => indexKey(index, key));
  return due === undefined ? indexes : [timerKey(due, key), ...indexes];
};

const PRESENT = new Uint8Array(0);

/** The changes of the index entries that a change of a state entails. Pure: restoring derives the same ones. */
export const derivedChanges = <State>(
  derivation: Derivation<State>,
  key: string,
  before: State | null,
  after: State | null,
): readonly (readonly [key: string, value: Uint8Array | undefined])[] => {
  const old = derivedKeys(derivation, key, before);
  const now = derivedKeys(derivation, key, after);
  return [
    ...old.filter((entry) => !now.includes(entry)).map((entry) => [entry, undefined] as const),
    ...now.filter((entry) => !old.includes(entry)).map((entry) => [entry, PRESENT] as const),
  ];
};
