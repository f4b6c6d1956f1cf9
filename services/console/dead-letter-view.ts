import { readFrame } from '../../infra/registry/frame.js';
import { formatCoordinates } from '../../topology/kit/coordinates.js';
import type { DeadLetter } from '../../topology/ledger-records.js';
import { bytesText, hexLines } from './byte-view.js';
import type { Letter, WrittenAgain } from './dead-letters.js';
import { jsonText } from './json-text.js';
import type { JudgedNow, Replay } from './replay.js';
import { timeText } from './unit-view.js';

const HEX_ROWS = 16;

/** A dead letter in one line of a list; `key` as text, or `0x…` where it is none. */
export const letterRow = ({ at, letter, size, again }: Letter) => ({
  at: formatCoordinates(at),
  setAsideAt: timeText(letter.quarantinedAt),
  reason: letter.reason,
  source: formatCoordinates(letter.source),
  key: letter.key === undefined ? null : bytesText(letter.key),
  size,
  detail: letter.detail,
  again: again.map(againView),
});

export const LETTER_COLUMNS = ['DEAD LETTER', 'SET ASIDE', 'REASON', 'RECORD', 'KEY', 'BYTES', 'AGAIN', 'DETAIL'];

export const letterCells = (row: ReturnType<typeof letterRow>): readonly string[] => [
  row.at,
  row.setAsideAt,
  row.reason,
  row.source,
  row.key ?? '-',
  row.size === null ? '-' : String(row.size),
  row.again.at(-1)?.how ?? '-',
  row.detail,
];

const againView = ({ how, as, asideAs }: WrittenAgain) => ({
  how,
  as: formatCoordinates(as),
  ...(asideAs === undefined ? {} : { asideAs: formatCoordinates(asideAs) }),
});

/** All of a dead letter, and what the ledger would do with its record now. */
export const letterView = ({ at, again }: Letter, letter: DeadLetter, now: JudgedNow) => {
  const { partition, ...judged } = now;
  return {
    at: formatCoordinates(at),
    ...letter,
    source: formatCoordinates(letter.source),
    sourceTime: timeText(letter.sourceTime),
    quarantinedAt: timeText(letter.quarantinedAt),
    key: letter.key ?? null,
    value: letter.value ?? null,
    again: again.map(againView),
    home: partition,
    now: judged.kind === 'readable' ? { kind: judged.kind, value: judged.value ?? null } : judged,
    wayOut: wayOut(at, again, letter, now),
  };
};

export const letterLines = (one: Letter, letter: DeadLetter, now: JudgedNow): readonly string[] => {
  const { key, value, headers } = letter;
  return [
    `${formatCoordinates(one.at)}: ${letter.reason}`,
    `  why       ${letter.detail}`,
    `  record    ${formatCoordinates(letter.source)}, written ${timeText(letter.sourceTime)}, set aside ${timeText(letter.quarantinedAt)}`,
    `  sha256    ${letter.sourceSha256}`,
    `  key       ${key === undefined ? 'none' : `${bytesText(key)} (${key.length} bytes)`}`,
    ...headers.map(
      ({ name, value: bytes }, index) => `  ${index === 0 ? 'headers ' : '        '}  ${name}: ${bytesText(bytes)}`,
    ),
    ...(headers.length === 0 ? ['  headers   none'] : []),
    `  value     ${value === undefined ? 'none' : `${value.length} bytes, ${framing(value)}`}`,
    ...(value === undefined ? [] : hexLines(value, HEX_ROWS).map((line) => `            ${line}`)),
    now.kind === 'aside'
      ? `  now       ${now.reason}: ${now.detail}`
      : `  now       readable, in partition ${now.partition}: ${now.value === undefined ? 'a tombstone' : jsonText(now.value)}`,
    ...one.again.map(
      ({ how, as, asideAs }) =>
        `  again     ${how} as ${formatCoordinates(as)}${asideAs === undefined ? '' : `, set aside as ${formatCoordinates(asideAs)}`}`,
    ),
    `  way out   ${wayOut(one.at, one.again, letter, now)}`,
  ];
};

const framing = (value: Uint8Array): string => {
  const frame = readFrame(value);
  return frame.kind === 'frame' ? `schema ${frame.schemaId}` : 'no Confluent wire format';
};

const wayOut = (at: Letter['at'], again: Letter['again'], letter: DeadLetter, now: JudgedNow): string => {
  const last = again.at(-1);
  if (last?.asideAs !== undefined) return `it came back: see ${formatCoordinates(last.asideAs)}`;
  if (last !== undefined) return `nothing to do: it goes on as ${formatCoordinates(last.as)}`;
  const replay = `holdfast dead-letters replay ${formatCoordinates(at)}`;
  if (now.kind === 'readable')
    return letter.reason === 'misrouted'
      ? `the dispatcher writes it into partition ${now.partition} by itself, once; "${replay}" does the same. Let its producer partition by murmur2 of the key`
      : `"${replay}"`;
  switch (now.reason) {
    case 'unknown-schema':
      return `register the schema it was written with in the registry, under the same ID; then "${replay}"`;
    case 'too-large':
      return 'none for these bytes: let its producer send the event again with IDs of a bearable length';
    case 'misrouted':
    case 'undecodable':
      return 'none for these bytes: let its producer send the event again as schemas/README.md describes it';
  }
};

/** What became of one letter, in a line. */
export const replayLine = (replay: Replay): string => {
  const letter = formatCoordinates(replay.letter);
  switch (replay.outcome) {
    case 'would-replay':
      return `${letter}  would be replayed into partition ${replay.partition}`;
    case 'already':
      return `${letter}  was ${replay.how} already, as ${formatCoordinates(replay.as)}`;
    case 'refused':
      return `${letter}  refused, it would be set aside again: ${replay.reason}: ${replay.detail}`;
    case 'replayed': {
      const { verdict } = replay;
      const said =
        verdict === undefined
          ? 'no verdict yet'
          : `${verdict.value.verdict}: ${verdict.value.reason} (${verdict.value.rule})  [${formatCoordinates(verdict.at)}]`;
      return `${letter}  replayed as ${formatCoordinates(replay.as)}; ${said}`;
    }
  }
};

/** The same as JSON. */
export const replayView = (replay: Replay) => ({
  ...replay,
  letter: formatCoordinates(replay.letter),
  ...('as' in replay ? { as: formatCoordinates(replay.as) } : {}),
  ...('verdict' in replay ? { verdict: { ...replay.verdict.value, at: formatCoordinates(replay.verdict.at) } } : {}),
});
