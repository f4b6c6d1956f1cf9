import type { Topic } from '../../topology/kit/topology.js';
import type { QuarantineReason } from '../../topology/vocabulary.js';

export type Deserialized<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'failed'; readonly reason: QuarantineReason; readonly detail: string };

/**
 * Bytes to records and back, for every topic of a topology. The two conversions are synchronous: what they need from
 * elsewhere (writer schemas) is fetched by `prepare`, once a batch.
 */
export type Serdes = {
  /**
   * Makes `deserialize` ready for these values of `topic`. A schema that does not exist is no failure: its records then
   * deserialize to `failed`. @throws HoldfastError `retryable: true` where the registry cannot be asked: the partition
   * waits and asks again; nothing is lost and nothing is set aside
   */
  readonly prepare: (topic: Topic<unknown>, values: readonly Uint8Array[]) => Promise<void>;
  /** Total: what cannot be read is `failed`, never an exception. */
  readonly deserialize: <Value>(topic: Topic<Value>, bytes: Uint8Array) => Deserialized<Value>;
  /**
   * `record` names the record type among `topic.records`. The same value gives the same bytes (the digests of the chained
   * topic and the comparison of store and changelog rest on it).
   */
  readonly serialize: <Value>(topic: Topic<Value>, record: string, value: Value) => Uint8Array;
  /** Headers of a new record of this type: what names it as an event, beside its value. Absent: it has none. */
  readonly headers?: (record: string) => Readonly<Record<string, Uint8Array>>;
};
