import { describe, expect, it } from '@jest/globals';
import { utf8 } from '../../../topology/kit/record-key.js';
import type { DeadLetter } from '../../../topology/ledger-records.js';
import { replayed, republished } from '../../../topology/rewritten.js';

const AT = { topic: 'a2a.dead-letters.v1', partition: 1, offset: 5n };
const [KEY, VALUE] = [utf8('0:order-1'), utf8('value')];
const letter = (headers: Readonly<Record<string, string>>): DeadLetter => ({
  type: 'DeadLetter',
  reason: 'misrouted',
  detail: 'elsewhere',
  source: { topic: 'a2a.task-events.v1', partition: 2, offset: 7n },
  sourceTime: 1,
  sourceSha256: '',
  key: KEY,
  value: VALUE,
  headers: Object.entries(headers).map(([name, value]) => ({ name, value: utf8(value) })),
  quarantinedAt: 2,
});
const texts = (headers: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString()]));

describe('a record that is written again', () => {
  it('should stay the event it was, with a header that names its dead letter', () => {
    const { key, value, headers } = republished(letter({ ce_id: 'e-1', ce_source: '/a', other: 'kept' }), AT);

    expect([key, value]).toStrictEqual([KEY, VALUE]);
    expect(texts(headers)).toStrictEqual({
      ce_id: 'e-1',
      ce_source: '/a',
      other: 'kept',
      'holdfast-republished': 'a2a.dead-letters.v1/1/5',
    });
  });

  it.each([
    ['neither ID nor source', {}, 'a2a.task-events.v1/2/7', '/holdfast/dead-letters'],
    ['no ID', { ce_source: '/a' }, 'a2a.task-events.v1/2/7', '/a'],
    ['no source', { ce_id: 'e-1' }, 'e-1', '/holdfast/dead-letters'],
  ])('should become one event, however often it is written, where it has %s', (_, headers, id, source) => {
    const both = [republished(letter(headers), AT), replayed(letter(headers), AT, { actor: 'kim' })];

    expect(both.map((record) => [texts(record.headers).ce_id, texts(record.headers).ce_source])).toStrictEqual([
      [id, source],
      [id, source],
    ]);
  });

  it('should say who replayed it and why, and name the latest dead letter only', () => {
    const again = letter({ ce_id: 'e-1', ce_source: '/a', 'holdfast-replayed': 'a2a.dead-letters.v1/1/2' });

    expect(texts(replayed(again, AT, { actor: 'kim', because: 'registered' }).headers)).toStrictEqual({
      ce_id: 'e-1',
      ce_source: '/a',
      'holdfast-replayed': 'a2a.dead-letters.v1/1/5',
      'holdfast-replayed-by': 'kim',
      'holdfast-replayed-because': 'registered',
    });
  });

  it('should stay a tombstone, and without a key, where it was', () => {
    const { key: _, value: __, ...bare } = letter({});

    expect(republished(bare, AT)).toMatchObject({ key: null, value: null });
  });
});
