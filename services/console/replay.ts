import { incomingOf } from '../../infra/streams/incoming.js';
import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import type { DeadLetter, Verdict } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { quarantine, type Quarantine } from '../../topology/quarantine.js';
import { replayed } from '../../topology/rewritten.js';
import { TASK_EVENTS } from '../../topology/topics.js';
import type { EventLog } from '../mesh/event-log.js';
import { homeOf, inOrder, readLetter, type Letter } from './dead-letters.js';
import { placeOf, verdictsOn, type LogSource, type Placed } from './verdict-log.js';

/** What the ledger would do with the record of a letter in its own partition, by the schemas that are known now. */
export type JudgedNow =
  | { readonly kind: 'readable'; readonly partition: number; readonly value: Observation | undefined }
  | ({ readonly kind: 'aside'; readonly partition: number } & Quarantine);

/** @throws RegistryUnreachableError */
export const judgedNow = async ({ serdes }: LogSource, letter: DeadLetter, partitions: number): Promise<JudgedNow> => {
  const partition = homeOf(letter, partitions);
  const { key = null, value = null } = letter;
  if (value !== null) await serdes.prepare(TASK_EVENTS, [value]);
  const headers = Object.fromEntries(letter.headers.map((header) => [header.name, header.value]));
  const record = { topic: TASK_EVENTS.name, partition, offset: 0n, time: letter.sourceTime, key, value, headers };
  const incoming = incomingOf(TASK_EVENTS, record, serdes);
  const aside = quarantine(incoming, { partition, partitions });
  if (aside !== undefined) return { kind: 'aside', partition, reason: aside.reason, detail: aside.detail };
  const { decoded } = incoming;
  return { kind: 'readable', partition, value: decoded.kind === 'value' ? decoded.value : undefined };
};

/** What becomes of a letter that is chosen for a replay. */
export type Replay = { readonly letter: Coordinates } & (
  | { readonly outcome: 'would-replay'; readonly partition: number }
  /** It was written again before; nothing is written now. */
  | { readonly outcome: 'already'; readonly as: Coordinates; readonly how: 're-published' | 'replayed' }
  /** The ledger would set it aside again; nothing is written. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly detail: string }
  /** Written. `verdict` absent: the ledger did not answer in time. */
  | { readonly outcome: 'replayed'; readonly as: Coordinates; readonly verdict?: Placed<Verdict> }
);

export type ReplayOptions = {
  readonly source: LogSource;
  readonly log: EventLog;
  readonly partitions: number;
  readonly actor: string;
  readonly because?: string;
  /** Writes also what was written before, or will be set aside again. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** How long each portion waits for the ledger, ms. */
  readonly verdictWithinMs: number;
};

/** Letters in memory, and records waited for, at a time: so many, or so many bytes of them. */
const PORTION = 100;
const PORTION_BYTES = 16 * 1024 * 1024;

/**
 * Replays letters in the order in which their records lay, so that records of one unit keep theirs, a portion after the
 * other. @throws HoldfastError the log or the registry cannot be reached: what was given out before is done
 */
export async function* replayLetters(
  letters: readonly Letter[],
  options: ReplayOptions,
): AsyncGenerator<readonly Replay[]> {
  const ordered = letters.toSorted((a, b) => inOrder(a.letter.source, b.letter.source));
  let portion: Letter[] = [];
  let bytes = 0;
  for (const letter of ordered) {
    const size = letter.size ?? 0;
    if (portion.length === PORTION || (portion.length > 0 && bytes + size > PORTION_BYTES)) {
      yield await replayPortion(portion, options);
      [portion, bytes] = [[], 0];
    }
    portion.push(letter);
    bytes += size;
  }
  if (portion.length > 0) yield await replayPortion(portion, options);
}

type Planned = { readonly at: Coordinates; readonly letter: DeadLetter; readonly partition: number };

const replayPortion = async (portion: readonly Letter[], options: ReplayOptions): Promise<readonly Replay[]> => {
  const planned = new Map<string, Planned>();
  const decided = new Map<string, Replay>();
  for (const one of portion) {
    const plan = await planFor(one, options);
    if ('outcome' in plan) decided.set(formatCoordinates(one.at), plan);
    else planned.set(formatCoordinates(one.at), plan);
  }
  for (const done of await write([...planned.values()], options)) decided.set(formatCoordinates(done.letter), done);
  return portion.map(({ at }) => decided.get(formatCoordinates(at))).filter((replay) => replay !== undefined);
};

const planFor = async (
  { at, letter: { source: origin }, again }: Letter,
  { source, partitions, force }: ReplayOptions,
): Promise<Planned | Replay> => {
  const before = again.at(-1);
  if (before !== undefined && !force) return { letter: at, outcome: 'already', as: before.as, how: before.how };
  if (origin.topic !== TASK_EVENTS.name)
    return refused(
      at,
      'not-replayable',
      `only records of ${TASK_EVENTS.name} can be replayed, this is of ${origin.topic}`,
    );
  const letter = await readLetter(source, at);
  const now = await judgedNow(source, letter, partitions);
  if (now.kind === 'aside' && !force) return refused(at, now.reason, now.detail);
  return { at, letter, partition: now.partition };
};

const refused = (letter: Coordinates, reason: string, detail: string): Replay => ({
  letter,
  outcome: 'refused',
  reason,
  detail,
});

const write = async (planned: readonly Planned[], options: ReplayOptions): Promise<readonly Replay[]> => {
  const { source, log, actor, because, dryRun, verdictWithinMs } = options;
  if (dryRun) return planned.map(({ at, partition }) => ({ letter: at, outcome: 'would-replay' as const, partition }));
  if (planned.length === 0) return [];
  const word = { actor, ...(because === undefined ? {} : { because }) };
  const records = planned.map(({ at, letter, partition }) => ({ ...replayed(letter, at, word), partition }));
  const homes = [...new Set(planned.map(({ partition }) => partition))];
  const { written, verdicts } = await verdictsOn(source, homes, () => log.writeAgain(records), verdictWithinMs);
  return planned.flatMap(({ at }, index) => {
    const as = written[index];
    if (as === undefined) return [];
    const verdict = verdicts.get(placeOf(as));
    return [{ letter: at, outcome: 'replayed' as const, as, ...(verdict === undefined ? {} : { verdict }) }];
  });
};
