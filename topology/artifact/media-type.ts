/** A media type as RFC 9110 section 8.3.1 has it: type, subtype and parameter names in lower case. */
export type MediaType = {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
};

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** `name=token` or `name="quoted string"`, with the optional white space and empty parameters that the RFC allows. */
const PARAMETER =
  /^[ \t]*;[ \t]*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)|"((?:[^"\\]|\\.)*)"))?/s;

/** Parses a media type or range. `undefined`: not one (`text` is not `text/plain`, R19). */
export const parseMediaType = (text: string): MediaType | undefined => {
  const trimmed = withoutBlanksAround(text);
  const end = trimmed.search(/[ \t;]/);
  const essence = end < 0 ? trimmed : trimmed.slice(0, end);
  const slash = essence.indexOf('/');
  const type = essence.slice(0, Math.max(slash, 0));
  const subtype = essence.slice(slash + 1);
  if (slash < 1 || !TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  const parameters = parseParameters(end < 0 ? '' : trimmed.slice(end));
  return parameters && { type: type.toLowerCase(), subtype: subtype.toLowerCase(), parameters };
};

/** In linear time whatever the text: it is an agent's word. */
const withoutBlanksAround = (text: string): string => {
  const isBlank = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
};

const parseParameters = (text: string): ReadonlyMap<string, string> | undefined => {
  const parameters = new Map<string, string>();
  let rest = text;
  while (rest !== '') {
    const match = PARAMETER.exec(rest);
    if (match === null || match[0] === '') return undefined;
    const [whole, name, token, quoted] = match;
    if (name !== undefined) {
      const lower = name.toLowerCase();
      const value = token ?? (quoted ?? '').replace(/\\(.)/gs, '$1');
      // The first of two equal names counts: nothing sensible follows from the second.
      if (!parameters.has(lower)) parameters.set(lower, lower === 'charset' ? value.toLowerCase() : value);
    }
    rest = rest.slice(whole.length);
  }
  return parameters;
};

/** `*` stands for a range only where it is a whole type or subtype. */
export const isWildcard = (media: MediaType): boolean => media.type === '*' || media.subtype === '*';

/**
 * Whether a concrete type lies inside a mode (R19): type and subtype equal or covered by the range, and every parameter
 * that the mode names equal. A mode without parameters covers any. A weight (`q`) is no parameter of the type.
 */
export const isInside = (content: MediaType, mode: MediaType): boolean => {
  if (mode.type !== '*' && mode.type !== content.type) return false;
  if (mode.type === '*' && mode.subtype !== '*') return false;
  if (mode.subtype !== '*' && mode.subtype !== content.subtype) return false;
  for (const [name, value] of mode.parameters) if (name !== 'q' && content.parameters.get(name) !== value) return false;
  return true;
};

const isJson = ({ type, subtype }: MediaType): boolean =>
  (type === 'application' && subtype === 'json') || subtype.endsWith('+json');

/** What an inferred type stands for: 0.3 has no field for the type of a text or data part (R20). */
export type Inferred = 'any-text' | 'any-json';

/** Whether a mode takes an untyped text or data part: any text type, any JSON type, or a range over one (R20). */
export const takesInferred = (inferred: Inferred, mode: MediaType): boolean => {
  if (mode.type === '*' && mode.subtype === '*') return true;
  if (inferred === 'any-text') return mode.type === 'text';
  return isJson(mode) || (mode.type === 'application' && mode.subtype === '*');
};
