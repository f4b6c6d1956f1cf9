import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endSse, heldCharacters, openSse, readSse, type SseEvent } from '../../../topology/a2a/stream.js';

const readAll = (chunks: readonly string[]): readonly SseEvent[] => {
  let state = openSse();
  const events: SseEvent[] = [];
  for (const chunk of chunks) {
    const step = readSse(state, chunk);
    state = step.state;
    events.push(...step.events);
  }
  return [...events, ...endSse(state)];
};

describe('server-sent events', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', [{ data: 'a' }, { data: 'b' }]],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
    ['CR', 'data: a\r\rdata: b\r\r', [{ data: 'a' }, { data: 'b' }]],
    ['mixed ends', 'data: a\r\n\rdata: b\n\r\n', [{ data: 'a' }, { data: 'b' }]],
    ['pings', ': ping - 2026\r\n\r\n:\n\ndata: a\n:x\ndata: b\n\n', [{ data: 'a\nb' }]],
    ['several data lines', 'data: {\ndata:  "a": 1\ndata: }\n\n', [{ data: '{\n "a": 1\n}' }]],
    ['no space', 'data:a\n\n', [{ data: 'a' }]],
    ['an error event', 'event: error\ndata: {}\n\n', [{ event: 'error', data: '{}' }]],
    ['the default event by name', 'event: message\ndata: a\n\n', [{ data: 'a' }]],
    [
      'an event type for one event only',
      'event: error\ndata: a\n\ndata: b\n\n',
      [{ event: 'error', data: 'a' }, { data: 'b' }],
    ],
    ['an event without data', 'event: error\n\ndata: a\n\n', [{ data: 'a' }]],
    ['empty data', 'data\n\ndata:\n\n', [{ data: '' }, { data: '' }]],
    ['fields that mean nothing', 'id: 7\nretry: 5\nfoo: bar\n data: no\nDATA: no\ndata: a\n\n', [{ data: 'a' }]],
    ['a byte order mark', '\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['a mark that is none', 'data: a\n\n\ufeffdata: b\n\n', [{ data: 'a' }]],
    ['line separators that are none', 'data: a\u2028b\u0085c\vd\n\n', [{ data: 'a\u2028b\u0085c\vd' }]],
    ['no last empty line', 'data: a\n\ndata: b\n', [{ data: 'a' }, { data: 'b' }]],
    ['no last line end', 'data: a\n\nevent: error\ndata: b', [{ data: 'a' }, { event: 'error', data: 'b' }]],
    ['nothing', '', []],
    ['no events', '<html>\n\n</html>', []],
  ])('should be read with %s', (_, text, events) => {
    expect(readAll([text])).toStrictEqual(events);
  });

  test('should not depend on where the chunks are cut, be it in a line end or a surrogate pair', () => {
    const pieces = [
      'data: ',
      'data:',
      ':',
      'event: error',
      '\r\n',
      '\n',
      '\r',
      'a',
      '\ud83d\ude00',
      '\ufeff',
      ' ',
      'é',
    ];
    const streams = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(streams, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (text, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const chunks = places.slice(1).map((place, i) => text.slice(places[i], place));

        expect(readAll(chunks)).toStrictEqual(readAll([text]));
        expect(readAll(text.split(''))).toStrictEqual(readAll([text]));
      }),
    );
  });

  test('should be whole where the caller decodes bytes with one streaming decoder', () => {
    const bytes = new TextEncoder().encode('\ufeffdata: {"a":"é\ud83d\ude00"}\r\n\r\n');
    const decoder = new TextDecoder();
    const chunks = [...bytes].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));

    expect(readAll(chunks)).toStrictEqual([{ data: '{"a":"é\ud83d\ude00"}' }]);
  });

  test('should tell how much is held, for the caller to bound', () => {
    const { state } = readSse(openSse(), 'data: abc\ndata: de');

    expect(heldCharacters(openSse())).toBe(0);
    expect(heldCharacters(state)).toBe('abc'.length + 'data: de'.length);
    expect(heldCharacters(readSse(state, '\n\n').state)).toBe(0);
  });

  test('should leave the state it was given as it was', () => {
    const { state } = readSse(openSse(), 'data: a\n');

    expect(readSse(state, '\n').events).toStrictEqual([{ data: 'a' }]);
    expect(readSse(state, '\n').events).toStrictEqual([{ data: 'a' }]);
  });
});
