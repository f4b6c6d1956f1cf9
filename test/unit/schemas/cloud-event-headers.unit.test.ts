import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cloudEventHeaders, readCloudEvent, type Headers } from '../../../infra/registry/cloud-event-headers.js';

const texts = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString()]));

test('should write the attributes of CloudEvents 1.0 as headers, in binary mode', () => {
  const event = {
    id: 'e-1',
    source: 'gateway/1',
    record: 'StreamClosed',
    time: 1_730_000_000_123,
    subject: '0:order-1',
  };

  expect(texts(cloudEventHeaders(event))).toStrictEqual({
    ce_specversion: '1.0',
    ce_id: 'e-1',
    ce_source: 'gateway/1',
    ce_type: 'holdfast.v1.StreamClosed',
    ce_time: '2024-10-27T03:33:20.123Z',
    ce_subject: '0:order-1',
    'content-type': 'application/avro',
  });
});

test('should leave out what is not known, and a time that no calendar has', () => {
  const event = { id: 'e-1', source: 's', record: 'StreamClosed' };

  expect(Object.keys(cloudEventHeaders(event))).not.toContain('ce_time');
  expect(cloudEventHeaders({ ...event, time: 9e15 })).toStrictEqual(cloudEventHeaders(event));
  expect(cloudEventHeaders({ ...event, time: NaN })).toStrictEqual(cloudEventHeaders(event));
});

test('should read what was written', () => {
  const text = fc.string({ unit: 'binary' });
  const event = fc.record(
    { id: text, source: text, record: text, time: fc.integer({ min: 0, max: 4e12 }), subject: text },
    { requiredKeys: ['id', 'source', 'record'], noNullPrototype: true },
  );

  fc.assert(
    fc.property(event, (made) => {
      expect(readCloudEvent(cloudEventHeaders(made))).toStrictEqual({ kind: 'event', event: made });
    }),
  );
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['no headers', {}, 'one of ce_specversion, ce_id, ce_source and ce_type is missing'],
  ['another version', { ce_specversion: '0.3' }, 'ce_specversion is 0.3, not 1.0'],
  ['a type of others', { ce_type: 'other.Thing' }, 'ce_type other.Thing is not in holdfast.v1'],
  ['another content', { 'content-type': 'application/json' }, 'content-type is application/json, not application/avro'],
])('should find no event in %s', (_, changed, detail) => {
  const whole =
    Object.keys(changed).length === 0 ? {} : cloudEventHeaders({ id: 'e', source: 's', record: 'StreamClosed' });
  const bytes = Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, Buffer.from(value)]));

  expect(readCloudEvent({ ...whole, ...bytes })).toStrictEqual({ kind: 'none', detail });
});
