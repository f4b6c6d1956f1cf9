import { hash } from 'node:crypto';
import { compareUtf8 } from '../../topology/kit/record-key.js';
import type { Incoming, Topic } from '../../topology/kit/topology.js';
import type { LogRecord } from './ports.js';
import type { Serdes } from './serdes.js';

const NULL_LENGTH = 0xffffffff;
/** 128 bits are enough to tell events of one unit apart, and a thousand of them are remembered for each (R17). */
const EVENT_HASH_CHARS = 22;

/**
 * Parts one after the other, each after its length (4 bytes, big endian; all ones: null), so that no two lists of parts
 * give the same bytes.
 */
const framed = (parts: readonly (Uint8Array | null)[]): Buffer => {
  const length = parts.reduce((sum, part) => sum + 4 + (part?.length ?? 0), 0);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of parts) {
    at = bytes.writeUInt32BE(part?.length ?? NULL_LENGTH, at);
    if (part === null) continue;
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

const timeBytes = (time: number): Uint8Array => {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt(time));
  return bytes;
};

/** SHA-256 as hex over key, value, timestamp, and headers in order of name; framed, so that the audit can repeat it. */
export const recordSha256 = ({
  key,
  value,
  time,
  headers,
}: Omit<LogRecord, 'topic' | 'partition' | 'offset'>): string => {
  const named = Object.entries(headers).sort(([a], [b]) => compareUtf8(a, b));
  return hash(
    'sha256',
    framed([key, value, timeBytes(time), ...named.flatMap(([name, content]) => [Buffer.from(name), content])]),
    'hex',
  );
};

const eventHash = (parts: readonly (Uint8Array | null)[]): string =>
  hash('sha256', framed(parts), 'base64url' as 'base64').slice(0, EVENT_HASH_CHARS);

const eventOf = ({
  key,
  value,
  headers,
}: LogRecord): { readonly idHash: string; readonly contentHash: string } | null => {
  const { ce_source: source, ce_id: id } = headers;
  if (source === undefined || id === undefined) return null;
  return { idHash: eventHash([source, id]), contentHash: eventHash([key, value]) };
};

/** A record as the processor sees it. The serdes must have been prepared for it. Total. */
export const incomingOf = <Value>(topic: Topic<Value>, record: LogRecord, serdes: Serdes): Incoming<Value> => {
  const event = eventOf(record);
  return {
    coordinates: { topic: record.topic, partition: record.partition, offset: record.offset },
    time: record.time,
    key: record.key,
    bytes: record.value,
    headers: record.headers,
    sha256: recordSha256(record),
    ...(event === null ? {} : { event }),
    decoded: decodedOf(topic, record, serdes),
  };
};

const decodedOf = <Value>(
  topic: Topic<Value>,
  { unreadable, value }: LogRecord,
  serdes: Serdes,
): Incoming<Value>['decoded'] => {
  if (unreadable !== undefined) return { kind: 'failed', ...unreadable };
  return value === null ? { kind: 'tombstone' } : serdes.deserialize(topic, value);
};
