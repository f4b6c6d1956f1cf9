import { readCloudEvent, type Headers } from '../../infra/registry/cloud-event-headers.js';
import { readFrame } from '../../infra/registry/frame.js';
import type { SchemaStanding } from '../../infra/registry/schema-standing.js';
import type { LogRecord } from '../../infra/streams/ports.js';
import type { Deserialized } from '../../infra/streams/serdes.js';
import { isInternalKey, recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { Topic } from '../../topology/kit/topology.js';

/** What can be wrong with a record of somebody else (`schemas/README.md`). */
export type FindingCode =
  | 'no-value'
  | 'not-framed'
  | 'schema-unknown'
  | 'schema-unreadable'
  | 'schema-elsewhere'
  | 'schema-other'
  | 'not-on-this-topic'
  | 'trailing-bytes'
  | 'undecodable'
  | 'no-key'
  | 'wrong-key'
  | 'wrong-partition'
  | 'no-event-id'
  | 'odd-headers'
  | 'wrong-type'
  | 'no-content-type'
  | 'odd-time'
  | 'event-reused'
  | 'event-repeated';

export type Finding = { readonly code: FindingCode; readonly detail: string };

/** Allowed, and worth knowing: a schema of another version, and the same event once more, which is the one event. */
export const REMARKS: ReadonlySet<FindingCode> = new Set<FindingCode>(['schema-other', 'event-repeated']);

/** One record as it is looked at. `standing`: of the schema ID in its frame. */
export type Looked<Value> = {
  readonly topic: Topic<Value>;
  readonly record: LogRecord;
  readonly decoded: Deserialized<Value> | undefined;
  readonly standing: SchemaStanding | undefined;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
const AHEAD_MS = 60_000;
/** As the check of the bytes says it (infra/registry/wire-check.ts). */
const TRAILING = 'bytes follow the record';

/** What is wrong with a record by itself, apart from its place and from other records. Pure. */
export const findingsOf = <Value>(looked: Looked<Value>): readonly Finding[] => {
  const { topic, record } = looked;
  if (record.value === null) return tombstone(topic);
  if (record.key !== null && isInternalKey(Buffer.from(record.key).toString())) return [];
  return [...valueFindings(looked, record.value), ...keyFindings(looked), ...headerFindings(looked)];
};

const found = (code: FindingCode, detail: string): readonly Finding[] => [{ code, detail }];

const tombstone = ({ cleanup }: Topic<unknown>): readonly Finding[] =>
  cleanup === 'compact' ? [] : found('no-value', 'a record without a value says nothing, and erases nothing (R56)');

const valueFindings = <Value>({ topic, decoded, standing }: Looked<Value>, value: Uint8Array): readonly Finding[] => {
  const frame = readFrame(value);
  if (frame.kind === 'none') return found('not-framed', frame.detail);
  const schema = `schema ${frame.schemaId}`;
  if (standing === undefined || standing.kind === 'missing')
    return found('schema-unknown', `the registry has no ${schema}`);
  if (standing.kind === 'unreadable') return found('schema-unreadable', `${schema}: ${standing.detail}`);
  const { record, isOurs, isRegisteredHere } = standing;
  if (!topic.records.includes(record))
    return found('not-on-this-topic', `a ${record} does not belong on ${topic.name}`);
  return [
    ...(isRegisteredHere ? [] : found('schema-elsewhere', `${schema} is no version of this topic's ${record}`)),
    ...(isOurs ? [] : found('schema-other', `${schema} is another version of ${record}; it can be read`)),
    ...(decoded?.kind === 'failed'
      ? found(decoded.detail.includes(TRAILING) ? 'trailing-bytes' : 'undecodable', decoded.detail)
      : []),
  ];
};

const keyFindings = <Value>({ topic, record, decoded }: Looked<Value>): readonly Finding[] => {
  if (topic.partitioning !== 'by-key') return [];
  if (record.key === null) return found('no-key', 'the key is the record key of the unit: it has none');
  if (decoded?.kind !== 'value') return [];
  const { tenant, correlationId } = decoded.value as { readonly tenant?: string; readonly correlationId: string };
  const wanted = recordKey(tenant, correlationId);
  if (Buffer.from(record.key).equals(utf8(wanted))) return [];
  const given = Buffer.from(record.key).toString();
  return found('wrong-key', `the key is ${JSON.stringify(given)}, not ${JSON.stringify(wanted)}`);
};

const headerFindings = <Value>({ record, standing }: Looked<Value>): readonly Finding[] => {
  const { headers, time } = record;
  if (headers.ce_id === undefined || headers.ce_source === undefined)
    return found('no-event-id', 'without ce_id and ce_source nobody can tell that it was written twice (R17)');
  const read = readCloudEvent(headers);
  if (read.kind === 'none') return found('odd-headers', read.detail);
  const { event } = read;
  const isOther = standing?.kind === 'readable' && standing.record !== event.record;
  return [
    ...(event.id === '' || event.source === '' ? found('odd-headers', 'ce_id or ce_source is empty') : []),
    ...(isOther ? found('wrong-type', `ce_type names ${event.record}, the value is a ${standing.record}`) : []),
    ...(headers['content-type'] === undefined ? found('no-content-type', 'content-type is application/avro') : []),
    ...timeFindings(headers, event.time, time),
  ];
};

/** A sender's clock is data and never order (R16): an odd one misleads readers, not the ledger. */
const timeFindings = ({ ce_time: text }: Headers, sent: number | undefined, appended: number): readonly Finding[] => {
  if (text === undefined) return [];
  if (sent === undefined) return found('odd-time', `ce_time ${Buffer.from(text).toString()} is no RFC 3339 time`);
  if (sent - appended > AHEAD_MS) return found('odd-time', `ce_time is ${sent - appended} ms after the record's time`);
  return appended - sent > DAY_MS ? found('odd-time', `ce_time is ${appended - sent} ms before the record's time`) : [];
};
