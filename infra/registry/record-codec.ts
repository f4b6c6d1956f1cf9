import type avsc from 'avsc';
import { avroType, parseSchema, type AvroSchema } from './avro-schema.js';
import { HEADER_BYTES, writeHeader } from './frame.js';
import { NoProjection, projection, type Projection } from './projection.js';
import { MalformedBytes, wireCheck, type WireCheck } from './wire-check.js';

/** A writer schema resolved to the reader's: what reading with it takes, built once. */
export type Writer = { readonly check: WireCheck; readonly resolver: Resolver | undefined };
type Resolver = ReturnType<avsc.Type['createResolver']>;

export type Read =
  { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'failed'; readonly detail: string };

const FIRST_SCRATCH = 16_384;

/** Shared by all records: encoding is synchronous, and what is returned is a copy. */
let scratch = Buffer.allocUnsafeSlow(FIRST_SCRATCH);

/** One record type: everything that depends on its schema alone, built once. */
export class RecordCodec {
  /** Name with namespace. */
  readonly fullName: string;
  readonly #type: avsc.Type;
  readonly #projection: Projection;
  readonly #fingerprint: string;

  /** @throws Error the schema is no valid Avro record of ours */
  constructor(schema: string) {
    const parsed = parseSchema(schema);
    this.#type = avroType(parsed);
    this.#projection = projection(parsed);
    this.#fingerprint = fingerprintOf(this.#type);
    this.fullName = this.#type.name ?? '';
  }

  /** A frame with the value. @throws Error the value does not fit the schema */
  encode(schemaId: number, value: unknown): Uint8Array {
    const avro = this.#projection.toAvro(value);
    let end = this.#type.encode(avro, scratch, HEADER_BYTES);
    if (end < 0) {
      // avsc says how much was missing.
      scratch = Buffer.allocUnsafeSlow((scratch.length - end) * 2);
      end = this.#type.encode(avro, scratch, HEADER_BYTES);
    }
    writeHeader(scratch, schemaId);
    return Buffer.from(scratch.subarray(0, end));
  }

  /** @throws Error a value of the writer's schema cannot be read as one of ours */
  writer(schema: AvroSchema): Writer {
    const type = avroType(schema);
    const isOurs = fingerprintOf(type) === this.#fingerprint;
    return { check: wireCheck(schema), resolver: isOurs ? undefined : this.#type.createResolver(type) };
  }

  /** The value in a frame, whose header was read. Total. */
  decode(writer: Writer, bytes: Uint8Array): Read {
    try {
      writer.check(bytes, HEADER_BYTES);
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const decoded: unknown = this.#type.decode(buffer, HEADER_BYTES, writer.resolver).value;
      return { kind: 'value', value: this.#projection.fromAvro(decoded) };
    } catch (error) {
      return { kind: 'failed', detail: detailOf(error) };
    }
  }
}

/** Equal for schemas that differ in nothing that changes bytes. */
const fingerprintOf = (type: avsc.Type): string => type.fingerprint('sha256').toString('hex');

const detailOf = (error: unknown): string => {
  if (error instanceof MalformedBytes || error instanceof NoProjection) return error.message;
  // avsc's own: a number beyond 2^53.
  return error instanceof Error ? error.message : String(error);
};
