/**
 * Reading JSON that somebody else wrote. Nothing here throws, recurses on the input or looks up a prototype: a key that
 * is not the object's own is absent, whatever it is called (`constructor`, `__proto__`).
 */

/** An object of parsed JSON, no array and not null. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Neither array nor null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of exactly this key; `undefined` for a missing or null one, which ProtoJSON does not tell apart. */
export const own = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * A field of the protocol by its JSON name. ProtoJSON parsers must take the proto name too (`context_id`), so an agent
 * may write it, a client may read it, and it must not pass unseen.
 */
export const field = (value: unknown, name: string): unknown => own(value, name) ?? own(value, snakeCase(name));

/** A text, as it stands; `undefined` for anything else and for the empty text, which ProtoJSON reads as absent. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Longer texts are no IDs: a record keeps those of its unit for as long as the unit lives. */
export const MAX_ID_LENGTH = 16_384;

/** An ID, opaque as it stands; `undefined` for what is none. */
export const id = (value: unknown): string | undefined => {
  const given = text(value);
  return given === undefined || isOverlong(given) ? undefined : given;
};

/**
 * The ID of what a word is about. A longer one is cut to what is still no ID: it matches none that is kept, so it is
 * never taken for another or for an absent one (R54), and its record is set aside as too large (R59).
 */
export const subjectId = (value: unknown): string | undefined => text(value)?.slice(0, MAX_ID_LENGTH + 1);

/** Whether it stands for an ID that is too long to be one. */
export const isOverlong = (given: string): boolean => given.length > MAX_ID_LENGTH;

/**
 * What stood where a word of a vocabulary was expected (a state, a media type), so that a wrong one is seen to be wrong
 * and is not taken for a missing one (R3, R19): scalars as JSON writes them, objects, arrays and endless
 * texts by what they are.
 */
export const spelling = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return isOverlong(value) ? '[text]' : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? '[array]' : '[object]';
};

/** The texts of a list; what is no list has none. */
export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.flatMap((item) => text(item) ?? []) : [];

/** Bytes of a text as UTF-8; a lone surrogate counts as the replacement character it is written as. */
export const utf8Length = (value: string): number => {
  let bytes = 0;
  for (let i = 0; i < value.length; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isHighSurrogate(unit) && isLowSurrogate(value.charCodeAt(i + 1))) {
      bytes += 4;
      i += 1;
    } else bytes += 3;
  }
  return bytes;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/**
 * Levels and number of arrays and objects that are read. `JSON.parse` takes any number of either, but what is deeper by
 * some thousands cannot be written again, and the protobuf parsers of other A2A servers stop at 100 levels. An answer of
 * 16 MiB has not so many unless they are empty, and then they would fill 340 MB.
 */
const MAX_DEPTH = 1_000;
const MAX_CONTAINERS = 2_500_000;

/** Whether a text opens more than is read. Of a text that is no JSON it says nothing. */
export const isTooComplex = (json: string): boolean => {
  let depth = 0;
  let containers = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i += 1) {
    switch (json.charCodeAt(i)) {
      case QUOTE:
        quoted = !quoted;
        break;
      case BACKSLASH:
        if (quoted) i += 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        if (quoted) break;
        depth += 1;
        containers += 1;
        if (depth > MAX_DEPTH || containers > MAX_CONTAINERS) return true;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        if (!quoted) depth -= 1;
    }
  }
  return false;
};

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The value of a JSON text, or `undefined` where it is none, or too complex. No value of JSON is `undefined`. */
export const parseJson = (json: string): unknown => {
  try {
    return isTooComplex(json) ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
};

/**
 * A body as the rest of this folder takes it: the parsed JSON; the text itself where it is no JSON (a proxy's page);
 * `undefined` where there was none.
 */
export const readBody = (body: string): unknown => {
  const bare = body.startsWith('\ufeff') ? body.slice(1) : body;
  if (bare.trim() === '') return undefined;
  const value = parseJson(bare);
  return value === undefined ? body : value;
};

type Possible<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
type Certain<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** The same fields without those that are `undefined`, so that absent has one form. */
export const omitAbsent = <T extends object>(fields: T): Certain<T> & Possible<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Certain<T> & Possible<T>;
