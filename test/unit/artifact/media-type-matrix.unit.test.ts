import { describe, expect, test } from '@jest/globals';
import { judgeParts } from '../../../topology/artifact/output-modes.js';
import type { PartKind, PartObserved } from '../../../topology/observation.js';
import { agent, contractsFrom, type AgentOptions } from '../../kit/decider-kit/agents.js';
import { contractOf } from '../../../topology/agent/contracts.js';

/** R18-R20: contents x modes. The letters name the modes that each content lies inside; written from RFC 9110 and R19, R20. */
const MODES: Readonly<Record<string, string>> = {
  a: 'text/plain',
  b: 'Text/PLAIN',
  c: 'text/plain;charset=utf-8',
  d: 'text/plain; charset="UTF-8"',
  e: 'text/plain;charset=iso-8859-1',
  f: 'text/plain;format=flowed',
  g: 'text/html',
  h: 'text/*',
  i: '*/*',
  j: 'application/json',
  k: 'application/json;charset=utf-8',
  l: 'application/ld+json',
  m: 'application/*',
  o: 'image/png',
  p: 'image/*',
  q: 'text',
  r: '',
  s: '*/json',
  u: 'text/plain;profile="a b"',
  v: 'text/plain;profile=X',
  w: 'text/ plain',
  x: 'application/json ; ',
  y: 'video/mp4',
  z: 'application/json, text/plain',
};

/** Ranges are advertised and accepted, never verified (R19). */
const RANGES = 'himps';

const rows = (table: string): readonly (readonly [PartObserved, string])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [left = '', inside = ''] = line.split('->').map((cell) => cell.trim());
      const space = left.indexOf(' ');
      const kind = (space < 0 ? left : left.slice(0, space)) as PartKind;
      const mediaType = space < 0 ? undefined : (JSON.parse(left.slice(space + 1)) as string);
      return [{ kind, ...(mediaType === undefined ? {} : { mediaType }) }, inside] as const;
    });

const CONTENTS = rows(String.raw`
  text "text/plain"                             -> a b h i
  raw  "TEXT/Plain"                             -> a b h i
  text "text/plain;charset=utf-8"               -> a b c d h i
  text "text/plain;CHARSET=UTF-8"               -> a b c d h i
  text "text/plain ;  charset=\"Utf-8\""        -> a b c d h i
  text "text/plain;charset=us-ascii"            -> a b h i
  text "text/plain;charset=ISO-8859-1"          -> a b e h i
  text "text/plain;format=flowed;charset=utf-8" -> a b c d f h i
  text "text/plain;Format=flowed"               -> a b f h i
  text "text/plain;format=Flowed"               -> a b h i
  text "text/plain;profile=\"a b\""             -> a b h i u
  text "text/plain;profile=\"a\\ b\""           -> a b h i u
  text "text/plain;profile=x"                   -> a b h i
  text "text/plain;profile=\"X\""               -> a b h i v
  text "text/plain;;charset=utf-8;"             -> a b c d h i
  text "text/html"                              -> g h i
  text "text/markdown"                          -> h i
  data "application/json"                       -> i j m x
  data "application/json;charset=UTF-8"         -> i j k m x
  data "application/ld+json"                    -> i l m
  data "application/problem+json"               -> i m
  data "application/x+json"                     -> i m
  raw  "application/octet-stream"               -> i m
  url  "image/png"                              -> i o p
  url  "IMAGE/PNG;q=1"                          -> i o p
  raw  "image/svg+xml"                          -> i p
  data "text/plain"                             -> a b h i
  text "multipart/form-data; boundary=\"a;b\""  -> i
  text                                          -> a b c d e f g h i u v
  text ""                                       -> a b c d e f g h i u v
  data                                          -> i j k l m x
  data ""                                       -> i j k l m x
  raw                                           -> missing
  raw  ""                                       -> missing
  url                                           -> missing
  text "text"                                   -> malformed
  text "text/"                                  -> malformed
  text "/plain"                                 -> malformed
  text "text/*"                                 -> malformed
  text "*/*"                                    -> malformed
  data "*/json"                                 -> malformed
  text "text/plain;charset"                     -> malformed
  text "text/plain;charset = utf-8"             -> malformed
  text "text/plain;=utf-8"                      -> malformed
  text "text/plain;charset=\"utf-8"             -> malformed
  text "text/plain charset=utf-8"               -> malformed
  text "text/plain, text/html"                  -> malformed
  text "text/pl ain"                            -> malformed
  text "text/pläin"                             -> malformed
  text "text//plain"                            -> malformed
  raw  ";charset=utf-8"                         -> malformed
  raw  "\u0000"                                 -> malformed
  raw  "\ud800/x"                               -> malformed`);

const contract = (options: AgentOptions) => contractOf(contractsFrom(agent('w1', options)), 'w1');

type Judge = (part: PartObserved, mode: string) => string;

/** As a row of the table: the letters of the modes inside, or why no mode was looked at; another answer shows itself. */
const row = (part: PartObserved, modes: readonly string[], outside: string, judge: Judge): string => {
  const answers = modes.map((letter) => [letter, judge(part, MODES[letter] ?? '')] as const);
  const first = answers[0]?.[1] ?? '';
  if (first.startsWith('media-type-') && answers.every(([, answer]) => answer === first))
    return first.slice('media-type-'.length);
  return answers
    .filter(([, answer]) => answer !== outside)
    .map(([letter, answer]) => (answer === 'inside' ? letter : `${letter}:${answer}`))
    .join(' ');
};

const shown = ({ kind, mediaType }: PartObserved): string =>
  `${kind} ${mediaType === undefined ? 'untyped' : JSON.stringify(mediaType)}`;

describe('the type of a part', () => {
  test('should be tried against enough contents and modes', () => {
    expect([CONTENTS.length, Object.keys(MODES).length]).toStrictEqual([53, 24]);
  });

  test.each(CONTENTS.map(([part, inside]) => [shown(part), part, inside] as const))(
    'should be inside the advertised modes that the table names: %s',
    (_, part, inside) => {
      const judge: Judge = (content, mode) =>
        judgeParts([content], contract({ defaultOutputModes: [mode], verified: null }), undefined, []).refused?.code ??
        'inside';

      expect(row(part, Object.keys(MODES), 'mode-not-advertised', judge)).toBe(inside);
    },
  );

  test.each(CONTENTS.map(([part, inside]) => [shown(part), part, inside] as const))(
    'should be inside the accepted modes that the table names: %s',
    (_, part, inside) => {
      const judge: Judge = (content, mode) =>
        judgeParts([content], contract({ defaultOutputModes: ['*/*'], verified: null }), undefined, [mode]).refused
          ?.code ?? 'inside';

      expect(row(part, Object.keys(MODES), 'mode-not-accepted', judge)).toBe(inside);
    },
  );

  test.each(CONTENTS.map(([part, inside]) => [shown(part), part, inside] as const))(
    'should be inside the verified modes that the table names, ranges apart: %s',
    (_, part, inside) => {
      const judge: Judge = (content, mode) =>
        judgeParts([content], contract({ defaultOutputModes: ['*/*'], modes: [mode] }), undefined, []).refused?.code ??
        'inside';
      const concrete =
        inside.startsWith('m') && inside.length > 1
          ? inside
          : inside
              .split(' ')
              .filter((letter) => !RANGES.includes(letter))
              .join(' ');

      expect(row(part, Object.keys(MODES), 'mode-not-verified', judge)).toBe(concrete);
    },
  );
});

describe('the parts of a chunk', () => {
  const JSON_PART: PartObserved = { kind: 'data', mediaType: 'application/json' };
  const PNG_PART: PartObserved = { kind: 'raw', mediaType: 'image/png' };
  const ours = contract({ defaultOutputModes: ['application/json', 'image/png'], modes: ['application/json'] });

  test.each([
    ['all inside', [JSON_PART, JSON_PART], [], undefined],
    ['one bad part refuses all', [JSON_PART, PNG_PART], [], { code: 'mode-not-verified', mediaType: 'image/png' }],
    [
      'the first bad part is named',
      [PNG_PART, { kind: 'raw' }],
      [],
      { code: 'mode-not-verified', mediaType: 'image/png' },
    ],
    ['a missing type is named by its kind', [{ kind: 'raw' }], [], { code: 'media-type-missing', mediaType: 'raw' }],
    ['advertised before verified', [{ kind: 'text' }], [], { code: 'mode-not-advertised', mediaType: 'text/plain' }],
    ['verified before accepted', [PNG_PART], ['video/mp4'], { code: 'mode-not-verified', mediaType: 'image/png' }],
    ['accepted last', [JSON_PART], ['image/png'], { code: 'mode-not-accepted', mediaType: 'application/json' }],
    ['no part at all', [], ['image/png'], undefined],
  ] as const)('should be judged together, in order: %s', (_, parts, accepted, refused) => {
    expect(judgeParts(parts, ours, undefined, accepted).refused).toStrictEqual(refused);
  });

  test.each([
    ['declared', [JSON_PART], 'declared'],
    ['inferred from text', [{ kind: 'text' }], 'inferred'],
    ['inferred from data beside a declared one', [JSON_PART, { kind: 'data' }], 'inferred'],
    ['missing', [{ kind: 'raw' }], 'declared'],
  ] as const)('should say whether a type was inferred: %s', (_, parts, mediaTypes) => {
    expect(judgeParts(parts, ours, undefined, []).mediaTypes).toBe(mediaTypes);
  });

  test('should promise nothing and break nothing without a card, malformed types apart', () => {
    const unknown = contractOf(contractsFrom([]), 'w1');

    expect(judgeParts([PNG_PART], unknown, undefined, [])).toStrictEqual({ mediaTypes: 'declared', skillKnown: false });
    expect(judgeParts([{ kind: 'raw', mediaType: 'png' }], unknown, undefined, []).refused?.code).toBe(
      'media-type-malformed',
    );
  });
});
