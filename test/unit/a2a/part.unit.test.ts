import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../topology/a2a/canonical-json.js';
import { readPart, readParts } from '../../../topology/a2a/part.js';
import type { PartObserved } from '../../../topology/observation.js';

const utf8 = (body: string) => ({ encoding: 'utf8', body }) as const;
const base64 = (body: string) => ({ encoding: 'base64', body }) as const;

describe('a part that can be read', () => {
  test.each([
    ['1.0 text', { text: 'é\ud83d\ude00', mediaType: 'text/html' }, 'text', 'text/html', 6, utf8('é\ud83d\ude00')],
    ['1.0 text without a type', { text: '' }, 'text', undefined, 0, utf8('')],
    ['1.0 raw', { raw: 'UE5HREFUQQ==', mediaType: 'image/png' }, 'raw', 'image/png', 7, base64('UE5HREFUQQ==')],
    ['1.0 url', { url: 'https://x/é', mediaType: 'a/b' }, 'url', 'a/b', 12, utf8('https://x/é')],
    ['1.0 data', { data: { b: 1, a: [] }, mediaType: 'a/json' }, 'data', 'a/json', 14, utf8('{"a":[],"b":1}')],
    ['1.0 data that is null', { data: null }, 'data', undefined, 4, utf8('null')],
    ['1.0 data that is a text', { data: 'x' }, 'data', undefined, 3, utf8('"x"')],
    ['1.0 by proto name', { text: 'x', media_type: 'text/html' }, 'text', 'text/html', 1, utf8('x')],
    ['1.0 with empty fields', { text: 'x', raw: null, filename: '', mediaType: '' }, 'text', undefined, 1, utf8('x')],
    ['1.0 with a wrong type', { text: 'x', mediaType: ['text/plain'] }, 'text', '[array]', 1, utf8('x')],
    ['1.0 data as 0.3 wraps it', { data: { data: { k: 1 } } }, 'data', undefined, 16, utf8('{"data":{"k":1}}')],
  ])('should come out of %s', (_, part, kind, mediaType, bytes, content) => {
    const expected = mediaType === undefined ? { kind, bytes } : { kind, mediaType, bytes };

    expect(readPart(part, '1.0')).toStrictEqual({ part: expected, content });
  });

  const file = (rest: object) => ({ kind: 'file', file: rest });
  test.each([
    ['0.3 text', { kind: 'text', text: 'x' }, 'text', undefined, 1, utf8('x')],
    ['0.3 data', { kind: 'data', data: { k: 1 } }, 'data', undefined, 7, utf8('{"k":1}')],
    ['0.3 data named data', { kind: 'data', data: { data: {} } }, 'data', undefined, 11, utf8('{"data":{}}')],
    ['0.3 bytes', file({ bytes: 'AAAA', mimeType: 'a/b' }), 'raw', 'a/b', 3, base64('AAAA')],
    ['0.3 bytes without a type', file({ bytes: 'AAAA', name: 'n' }), 'raw', undefined, 3, base64('AAAA')],
    ['0.3 uri', file({ uri: 'u:x', mimeType: 'a/b' }), 'url', 'a/b', 3, utf8('u:x')],
    ['0.3 REST text', { text: 'x' }, 'text', undefined, 1, utf8('x')],
    ['0.3 REST data', { data: { data: { k: 1 } } }, 'data', undefined, 7, utf8('{"k":1}')],
    ['0.3 REST data of more', { data: { data: {}, x: 1 } }, 'data', undefined, 17, utf8('{"data":{},"x":1}')],
    ['0.3 REST bytes', { file: { fileWithBytes: 'AA==', mimeType: 'a/b' } }, 'raw', 'a/b', 1, base64('AA==')],
    ['0.3 REST uri', { file: { file_with_uri: 'u:x', mime_type: 'a/b' } }, 'url', 'a/b', 3, utf8('u:x')],
  ])('should come out of %s', (_, part, kind, mediaType, bytes, content) => {
    const expected = mediaType === undefined ? { kind, bytes } : { kind, mediaType, bytes };

    expect(readPart(part, '0.3')).toStrictEqual({ part: expected, content });
  });

  test.each([
    ['', 0],
    ['AA==', 1],
    ['AAA=', 2],
    ['AAAA', 3],
    ['AAA', 2],
    ['-_-_', 3],
    ['AA\r\nAA\r\n', 3],
    ['*', 0],
  ])('should count the bytes that %p decodes to: %p', (raw, bytes) => {
    expect(readPart({ raw, mediaType: 'a/b' }, '1.0').part.bytes).toBe(bytes);
  });

  test('should count bytes as a decoder does', () => {
    const edges = fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000);
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('base64', 'base64url'), (bytes, encoding) => {
        const raw = Buffer.from(bytes).toString(encoding);

        expect(readPart({ raw }, '1.0').part.bytes).toBe(bytes.length);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(edges, fc.integer({ min: 0, max: 0xffff })), { maxLength: 9 }), (units) => {
        const text = String.fromCharCode(...units);

        expect(readPart({ text }, '1.0').part.bytes).toBe(Buffer.byteLength(text));
      }),
    );
  });
});

describe('a part that cannot be read', () => {
  const refusable = (body: string): { readonly part: PartObserved; readonly content: unknown } => ({
    part: { kind: 'raw', bytes: Buffer.byteLength(body) },
    content: utf8(body),
  });

  test.each([
    null,
    'text',
    7,
    [],
    {},
    { mediaType: 'text/plain' },
    { text: null },
    { text: 5 },
    { text: ['a'] },
    { raw: {} },
    { url: true },
    { kind: 'text' },
    { kind: 'text', data: {} },
    { kind: 'video', text: 'x' },
    { kind: ['text'], text: 'x' },
    { kind: 'file', file: {} },
    { kind: 'file', file: 'x' },
    { kind: 'file', file: { bytes: 'AAAA', uri: 'u:x' } },
    { kind: 'file', file: { uri: [] } },
    { kind: 'raw', raw: 'AAAA' },
    { text: 'harmless', raw: 'AAAA', mediaType: 'text/plain' },
    { text: 'harmless', data: {} },
    { text: 'harmless', file: { bytes: 'AAAA', mimeType: 'text/plain' } },
    JSON.parse('{"__proto__":{"text":"x"}}'),
  ])('should come out of %j as raw without a media type, which the guard refuses (R20)', (part) => {
    expect(readPart(part, '1.0')).toStrictEqual(refusable(canonicalJson(part)));
    expect(readPart(part, '0.3')).toStrictEqual(refusable(canonicalJson(part)));
  });

  test('should stand in its place among the others', () => {
    expect(readParts([{ text: 'a' }, null, { text: 'b' }], '1.0').map(({ part }) => part)).toStrictEqual([
      { kind: 'text', bytes: 1 },
      { kind: 'raw', bytes: 4 },
      { kind: 'text', bytes: 1 },
    ]);
  });

  test('should be what a list of parts is that is none, where a missing list is empty', () => {
    expect(readParts(undefined, '1.0')).toStrictEqual([]);
    expect(readParts([], '1.0')).toStrictEqual([]);
    expect(readParts({ 0: { text: 'a' } }, '1.0')).toStrictEqual([refusable('{"0":{"text":"a"}}')]);
    expect(readParts('x', '1.0')).toStrictEqual([refusable('"x"')]);
  });
});

describe('canonical JSON', () => {
  test.each([
    ['{"b":1,"a":{"d":null,"c":[true,false,"x"]}}', '{"a":{"c":[true,false,"x"],"d":null},"b":1}'],
    ['{ "\\u20ac":"\\u000a\\/\\u00e9", "1":1e21, "\\r":-0 }', '{"\\r":0,"1":1e+21,"€":"\\n/é"}'],
    ['{"\\ud83d\\ude00":1,"\\ufb33":2}', '{"\ud83d\ude00":1,"\ufb33":2}'],
    ['{"__proto__":{"x":[]},"a":{}}', '{"__proto__":{"x":[]},"a":{}}'],
    ['"\\ud800"', '"\\ud800"'],
    ['[]', '[]'],
  ])('should write %s as RFC 8785 has it', (json, canonical) => {
    expect(canonicalJson(JSON.parse(json))).toBe(canonical);
  });

  test('should be one text for one value, and that value again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);

        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test('should go as deep as the parser goes', () => {
    const deep = '{"a":['.repeat(100_000) + '1' + ']}'.repeat(100_000);

    expect(canonicalJson(JSON.parse(deep))).toBe(deep);
  });

  test.each([undefined, NaN, Infinity, 1n, Symbol('x'), () => 1])(
    'should write %p, which is no JSON, as null',
    (value) => {
      expect(canonicalJson([value])).toBe('[null]');
    },
  );
});
