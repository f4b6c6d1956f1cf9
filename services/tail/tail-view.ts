import type { Verdict } from '../../topology/ledger-records.js';
import { formatCoordinates } from '../../topology/kit/coordinates.js';
import type { Paint } from '../cli/terminal.js';
import { timeText } from '../console/unit-view.js';
import { printable } from '../console/printable.js';
import { correlationIdOf } from './tail-filter.js';
import type { TailedRecord } from './tailed-record.js';

/** A record in one line: when, where it lies, of which unit, and what it says. */
export const tailLine = (record: TailedRecord, paint: Paint): string => {
  const { kind, at, time, content } = record;
  const unit = correlationIdOf(record);
  const head = `${timeText(time)}  ${formatCoordinates(at)}`;
  const said =
    content.kind === 'value'
      ? kind.tell(content.value)
      : content.kind === 'tombstone'
        ? 'a record without a value'
        : `cannot be read, ${content.reason}: ${content.detail} (${content.bytes} bytes)`;
  return [
    paint('dim', head.padEnd(WIDEST_HEAD)),
    kind.word.padEnd(WIDEST_WORD),
    ...(unit === undefined ? [] : [paint('cyan', printable(unit))]),
    coloured(record, printable(said), paint),
  ].join('  ');
};

const WIDEST_HEAD = '2026-01-01T00:00:00.000Z  a2a.task-events.v1/00/00000'.length;
const WIDEST_WORD = 'dead letter'.length;

const coloured = ({ kind, content }: TailedRecord, said: string, paint: Paint): string => {
  if (content.kind === 'failed' || kind.name === 'dead-letters' || kind.name === 'violations')
    return paint('red', said);
  if (content.kind !== 'value' || kind.name !== 'verdicts') return said;
  switch ((content.value as Verdict).verdict) {
    case 'violation':
    case 'quarantined':
      return paint('red', said);
    case 'indeterminate':
    case 'deferred':
      return paint('yellow', said);
    case 'accepted':
      return paint('green', said);
    default:
      return said;
  }
};

/** A record as NDJSON has it. */
export const tailDocument = ({ kind, at, time, key, content }: TailedRecord): object => ({
  kind: kind.name,
  topic: at.topic,
  partition: at.partition,
  offset: at.offset,
  time: timeText(time),
  key: key === null ? null : Buffer.from(key).toString(),
  ...(content.kind === 'failed'
    ? { unreadable: { reason: content.reason, detail: content.detail, bytes: content.bytes } }
    : { value: content.kind === 'value' ? content.value : null }),
});
