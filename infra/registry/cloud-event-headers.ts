import { fullNameOf, NAMESPACE } from '../../schemas/catalogue.js';

/**
 * CloudEvents 1.0 attributes as Kafka headers, binary content mode: beside the value, which stays plain Avro. ID and source
 * together name the event: writing it again under both is the same event (R17).
 */
export type CloudEvent = {
  readonly id: string;
  readonly source: string;
  /** Name of the record; `ce_type` is it with its namespace. */
  readonly record: string;
  /** When it happened, ms since the epoch. */
  readonly time?: number;
  readonly subject?: string;
};

export type Headers = Readonly<Record<string, Uint8Array>>;

const SPEC_VERSION = '1.0';
const CONTENT_TYPE = 'application/avro';
const MAX_DATE_MS = 8.64e15;

/** A time that no calendar date has is left out: the attribute is optional, and the headers must not fail. */
export const cloudEventHeaders = ({ id, source, record, time, subject }: CloudEvent): Headers => ({
  ce_specversion: bytes(SPEC_VERSION),
  ce_id: bytes(id),
  ce_source: bytes(source),
  ce_type: bytes(fullNameOf(record)),
  ...(time === undefined || !(Math.abs(time) <= MAX_DATE_MS) ? {} : { ce_time: bytes(new Date(time).toISOString()) }),
  ...(subject === undefined ? {} : { ce_subject: bytes(subject) }),
  'content-type': bytes(CONTENT_TYPE),
});

export type ReadCloudEvent =
  { readonly kind: 'event'; readonly event: CloudEvent } | { readonly kind: 'none'; readonly detail: string };

/** The event that headers describe. Total: other headers, other versions and types of others are `none`. */
export const readCloudEvent = (headers: Headers): ReadCloudEvent => {
  const { ce_specversion: version, ce_id: id, ce_source: source, ce_type: type, ce_time: time } = headers;
  const { ce_subject: subject, 'content-type': contentType } = headers;
  if (version === undefined || id === undefined || source === undefined || type === undefined)
    return none('one of ce_specversion, ce_id, ce_source and ce_type is missing');
  if (text(version) !== SPEC_VERSION) return none(`ce_specversion is ${text(version)}, not ${SPEC_VERSION}`);
  if (!text(type).startsWith(`${NAMESPACE}.`)) return none(`ce_type ${text(type)} is not in ${NAMESPACE}`);
  if (contentType !== undefined && text(contentType) !== CONTENT_TYPE)
    return none(`content-type is ${text(contentType)}, not ${CONTENT_TYPE}`);
  const at = time === undefined ? NaN : Date.parse(text(time));
  return {
    kind: 'event',
    event: {
      id: text(id),
      source: text(source),
      record: text(type).slice(NAMESPACE.length + 1),
      ...(Number.isNaN(at) ? {} : { time: at }),
      ...(subject === undefined ? {} : { subject: text(subject) }),
    },
  };
};

const none = (detail: string): ReadCloudEvent => ({ kind: 'none', detail });

const bytes = (value: string): Uint8Array => Buffer.from(value);
const text = (value: Uint8Array): string => Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
