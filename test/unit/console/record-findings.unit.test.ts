import { expect, test } from '@jest/globals';
import { inMemorySerdes } from '../../../infra/registry/avro-codec.js';
import { cloudEventHeaders, type Headers } from '../../../infra/registry/cloud-event-headers.js';
import type { SchemaStanding } from '../../../infra/registry/schema-standing.js';
import type { LogRecord } from '../../../infra/streams/ports.js';
import { findingsOf, type FindingCode } from '../../../services/console/record-findings.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import type { Topic } from '../../../topology/kit/topology.js';
import type { CancelRequested } from '../../../topology/observation.js';
import { INPUTS, LEDGER, TASK_EVENTS } from '../../../topology/topics.js';

const serdes = inMemorySerdes();
const VALUE: CancelRequested = { type: 'CancelRequested', tenant: 'b\u00fcro', correlationId: 'c-1' };
const BYTES = serdes.serialize(TASK_EVENTS, 'CancelRequested', VALUE);
const EVENT = { id: 'e-1', source: '/other', record: 'CancelRequested' } as const;
const AT = 1_767_225_600_000;
const OURS: SchemaStanding = { kind: 'readable', record: 'CancelRequested', isOurs: true, isRegisteredHere: true };

const RECORD: LogRecord = {
  topic: TASK_EVENTS.name,
  partition: 0,
  offset: 0n,
  time: AT,
  key: utf8(recordKey('b\u00fcro', 'c-1')),
  value: BYTES,
  headers: cloudEventHeaders({ ...EVENT, time: AT }),
};

type Change = Partial<LogRecord> & { readonly standing?: SchemaStanding; readonly on?: Topic<unknown> };

const found = ({ standing = OURS, on = TASK_EVENTS, ...change }: Change) => {
  const record = { ...RECORD, ...change };
  const decoded = record.value === null ? undefined : serdes.deserialize(on, record.value);
  return findingsOf({ topic: on, record, decoded, standing }).map(({ code, detail }) => [code, detail]);
};

const without = (name: string): Headers =>
  Object.fromEntries(Object.entries(RECORD.headers).filter(([header]) => header !== name));

test('should find nothing in a record that is as the contract says', () => {
  expect(found({})).toStrictEqual([]);
});

test.each<readonly [FindingCode, Change, string]>([
  ['no-value', { value: null }, 'a record without a value says nothing, and erases nothing (R56)'],
  ['not-framed', { value: BYTES.subarray(5) }, 'the first byte is 2, in Confluent wire format it is 0'],
  ['schema-unknown', { standing: { kind: 'missing' } }, 'the registry has no schema 10'],
  [
    'schema-unreadable',
    { standing: { kind: 'unreadable', detail: 'other.Record is no record of holdfast.v1.*' } },
    'schema 10: other.Record is no record of holdfast.v1.*',
  ],
  [
    'schema-elsewhere',
    { standing: { ...OURS, isRegisteredHere: false } },
    "schema 10 is no version of this topic's CancelRequested",
  ],
  [
    'schema-other',
    { standing: { ...OURS, isOurs: false } },
    'schema 10 is another version of CancelRequested; it can be read',
  ],
  [
    'not-on-this-topic',
    { standing: { ...OURS, record: 'Verdict' }, headers: cloudEventHeaders({ ...EVENT, record: 'Verdict' }) },
    'a Verdict does not belong on a2a.task-events.v1',
  ],
  ['trailing-bytes', { value: Buffer.concat([BYTES, Buffer.alloc(2)]) }, 'CancelRequested: 2 bytes follow the record'],
  [
    'undecodable',
    { value: BYTES.subarray(0, BYTES.length - 1) },
    'CancelRequested: the bytes end in the middle of the record',
  ],
  ['no-key', { key: null }, 'the key is the record key of the unit: it has none'],
  ['wrong-key', { key: utf8('4:b\u00fcroc-1') }, 'the key is "4:b\u00fcroc-1", not "5:b\u00fcroc-1"'],
  [
    'no-event-id',
    { headers: without('ce_id') },
    'without ce_id and ce_source nobody can tell that it was written twice (R17)',
  ],
  [
    'no-event-id',
    { headers: without('ce_source') },
    'without ce_id and ce_source nobody can tell that it was written twice (R17)',
  ],
  ['odd-headers', { headers: { ...RECORD.headers, ce_specversion: utf8('0.3') } }, 'ce_specversion is 0.3, not 1.0'],
  ['odd-headers', { headers: cloudEventHeaders({ ...EVENT, id: '' }) }, 'ce_id or ce_source is empty'],
  [
    'odd-headers',
    { headers: { ...RECORD.headers, 'content-type': utf8('application/json') } },
    'content-type is application/json, not application/avro',
  ],
  [
    'wrong-type',
    { headers: cloudEventHeaders({ ...EVENT, record: 'StreamClosed' }) },
    'ce_type names StreamClosed, the value is a CancelRequested',
  ],
  ['no-content-type', { headers: without('content-type') }, 'content-type is application/avro'],
  [
    'odd-time',
    { headers: cloudEventHeaders({ ...EVENT, time: AT + 90_000 }) },
    "ce_time is 90000 ms after the record's time",
  ],
  [
    'odd-time',
    { headers: cloudEventHeaders({ ...EVENT, time: AT - 90_000_000 }) },
    "ce_time is 90000000 ms before the record's time",
  ],
  ['odd-time', { headers: { ...RECORD.headers, ce_time: utf8('today') } }, 'ce_time today is no RFC 3339 time'],
])('should find %s', (code, change, detail) => {
  expect(found(change)).toStrictEqual([[code, detail]]);
});

test('should let tombstones and internal entries be where they belong', () => {
  expect(found({ value: null, on: INPUTS })).toStrictEqual([]);
  expect(found({ key: utf8('!position'), headers: {}, on: LEDGER })).toStrictEqual([]);
});
