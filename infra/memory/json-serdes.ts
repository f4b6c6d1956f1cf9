import type { Serdes } from '../streams/serdes.js';

const TAG = '$';

/** Objects in order of key, so that equal values are equal bytes; what JSON has no word for is tagged. */
const encode = (value: unknown): unknown => {
  if (typeof value === 'bigint') return { [TAG]: 'bigint', text: value.toString() };
  if (value instanceof Uint8Array) return { [TAG]: 'bytes', text: Buffer.from(value).toString('base64') };
  if (value instanceof Map) return { [TAG]: 'map', entries: [...value].map((pair) => pair.map(encode)) };
  if (value instanceof Set) return { [TAG]: 'set', items: [...value].map(encode) };
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, content]) => [key, encode(content)]),
  );
};

const decode = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !(TAG in value)) return value;
  if (value[TAG] === 'bigint' && 'text' in value) return BigInt(String(value.text));
  if (value[TAG] === 'bytes' && 'text' in value) return new Uint8Array(Buffer.from(String(value.text), 'base64'));
  if (value[TAG] === 'map' && 'entries' in value) return new Map(value.entries as [unknown, unknown][]);
  if (value[TAG] === 'set' && 'items' in value) return new Set(value.items as unknown[]);
  return value;
};

/** Records as JSON, with bigints, bytes, maps and sets. For tests of topologies without a schema registry. */
export const jsonSerdes: Serdes = {
  prepare: () => Promise.resolve(),
  deserialize: (_, bytes) => {
    try {
      return { kind: 'value', value: JSON.parse(Buffer.from(bytes).toString(), decode) as never };
    } catch (error) {
      return { kind: 'failed', reason: 'undecodable', detail: error instanceof Error ? error.message : String(error) };
    }
  },
  serialize: (_, __, value) => Buffer.from(JSON.stringify(encode(value))),
};
