import type { PartKind, PartObserved } from '../observation.js';
import { canonicalJson } from './canonical-json.js';
import { field, isObject, omitAbsent, own, spelling, utf8Length, type JsonObject } from './json.js';
import type { Dialect } from './method.js';

/** The body of a part: bytes are UTF-8 of `body`, or what `body` is the base64 (or base64url) of. */
export type PartContent = { readonly encoding: 'utf8' | 'base64'; readonly body: string };

/** A part, and its body apart from it. */
export type ReadPart = { readonly part: PartObserved; readonly content: PartContent };

/** Decoded length. Counts what is of the alphabet, as tolerant decoders do: padding, line breaks and rubbish are nothing. */
const base64Length = (body: string): number => Math.floor((body.replace(/[^A-Za-z0-9+/_-]+/g, '').length * 3) / 4);

const readAs = (kind: PartKind, content: PartContent, mediaType: unknown): ReadPart => {
  const bytes = content.encoding === 'base64' ? base64Length(content.body) : utf8Length(content.body);
  // ProtoJSON may write an absent text as the empty one.
  const type = mediaType === '' ? undefined : spelling(mediaType);
  return { part: omitAbsent({ kind, mediaType: type, bytes }), content };
};

/**
 * A part with no body, an unknown or contradicting `kind`, or more than one body, of which a client may read any. It must
 * reach the guard as something that is refused, never be dropped and never pass: `raw` without a media type is what R20
 * refuses without looking at any contract (`media-type-missing`), and no body is invented, for the content is the part
 * itself as JSON.
 */
export const unreadablePart = (value: unknown): ReadPart =>
  readAs('raw', { encoding: 'utf8', body: canonicalJson(value) }, undefined);

type Reader = (body: unknown, part: JsonObject, dialect: Dialect) => ReadPart | undefined;

const textual =
  (kind: PartKind, encoding: PartContent['encoding']): Reader =>
  (body, part) =>
    typeof body === 'string' ? readAs(kind, { encoding, body }, field(part, 'mediaType')) : undefined;

/** 0.3 HTTP+JSON puts a message around it, `{"data":{"data":{…}}}`: the same data, so the same digest (R24). */
const unwrap = (data: unknown, dialect: Dialect): unknown => {
  const inner = own(data, 'data');
  return dialect === '0.3' && isObject(data) && isObject(inner) && Object.keys(data).length === 1 ? inner : data;
};

const readData: Reader = (body, part, dialect) =>
  readAs(
    'data',
    { encoding: 'utf8', body: canonicalJson(Object.hasOwn(part, 'kind') ? body : unwrap(body, dialect)) },
    field(part, 'mediaType'),
  );

/** 0.3: `{bytes|uri}` in JSON-RPC, `{fileWithBytes|fileWithUri}` in HTTP+JSON; the media type is the file's. */
const FILE_BODIES: readonly (readonly [string, PartKind, PartContent['encoding']])[] = [
  ['bytes', 'raw', 'base64'],
  ['fileWithBytes', 'raw', 'base64'],
  ['uri', 'url', 'utf8'],
  ['fileWithUri', 'url', 'utf8'],
];
const readFile: Reader = (file) => {
  const bodies = FILE_BODIES.flatMap(([name, kind, encoding]) => {
    const body = field(file, name);
    return body === undefined ? [] : [{ kind, encoding, body }];
  });
  const [only] = bodies;
  return only !== undefined && bodies.length === 1 && typeof only.body === 'string'
    ? readAs(only.kind, { encoding: only.encoding, body: only.body }, field(file, 'mimeType'))
    : undefined;
};

/** Every body a part can have, with the 0.3 `kind` that goes with it; 1.0 has no `kind`. */
const BODIES: Readonly<Record<string, { readonly kind?: string; readonly read: Reader }>> = {
  text: { kind: 'text', read: textual('text', 'utf8') },
  data: { kind: 'data', read: readData },
  file: { kind: 'file', read: readFile },
  raw: { read: textual('raw', 'base64') },
  url: { read: textual('url', 'utf8') },
};

const bodiesOf = (part: JsonObject): readonly string[] => {
  const present = Object.keys(BODIES).filter((name) => own(part, name) !== undefined);
  // `data` may be any JSON value, null too: alone, `"data": null` is a body.
  return present.length === 0 && Object.hasOwn(part, 'data') ? ['data'] : present;
};

/** Reads a part of any version; total, and one part in is one part out. */
export const readPart = (value: unknown, dialect: Dialect): ReadPart => {
  if (!isObject(value)) return unreadablePart(value);
  const [name = '', ...others] = bodiesOf(value);
  const body = BODIES[name];
  const kind = own(value, 'kind');
  if (body === undefined || others.length > 0 || (kind !== undefined && kind !== body.kind))
    return unreadablePart(value);
  return body.read(own(value, name), value, dialect) ?? unreadablePart(value);
};

/**
 * Of one artifact: a record holds them all, with their types. Of the rest nothing is said: no type of it was judged. So
 * many parts have room for ordinary types, of which the record of the unit keeps each once.
 */
const MAX_PARTS = 10_000;
const MAX_TYPE_CHARACTERS = 1_000_000;
const MAX_DISTINCT_TYPE_CHARACTERS = 100_000;

/** The parts of an artifact. ProtoJSON leaves out an empty list; what is there and no list is one unreadable part. */
export const readParts = (parts: unknown, dialect: Dialect): readonly ReadPart[] => {
  if (parts === undefined) return [];
  if (!Array.isArray(parts)) return [unreadablePart(parts)];
  const read: ReadPart[] = [];
  const types = new Set<string>();
  let [characters, distinct] = [0, 0];
  for (const value of (parts as readonly unknown[]).slice(0, MAX_PARTS)) {
    const one = readPart(value, dialect);
    const { mediaType = '' } = one.part;
    characters += mediaType.length;
    distinct += types.has(mediaType) ? 0 : mediaType.length;
    if (characters > MAX_TYPE_CHARACTERS || distinct > MAX_DISTINCT_TYPE_CHARACTERS) break;
    types.add(mediaType);
    read.push(one);
  }
  return read;
};
