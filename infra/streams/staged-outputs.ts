import { hash } from 'node:crypto';
import type { Outgoing, Topic } from '../../topology/kit/topology.js';
import { ProcessorFaultError } from './errors.js';
import type { NewRecord } from './ports.js';
import type { Serdes } from './serdes.js';

const NO_HEADERS = {};

/** What of a topology says where outputs may go. */
export type OutputRules = {
  readonly applicationId: string;
  readonly sinks: readonly Topic<unknown>[];
  readonly chained: {
    readonly topic: Topic<unknown>;
    readonly link: (value: { readonly type: string }, previousDigest: string) => { readonly type: string };
  };
};

/** The output records of the running transaction, for one partition. */
export class StagedOutputs {
  readonly #rules: OutputRules;
  readonly #partition: number;
  readonly #serdes: Serdes;
  readonly #sinks: ReadonlySet<string>;
  #records: NewRecord[] = [];
  #bytes = 0;

  constructor(rules: OutputRules, partition: number, serdes: Serdes) {
    this.#rules = rules;
    this.#partition = partition;
    this.#serdes = serdes;
    this.#sinks = new Set(rules.sinks.map(({ name }) => name));
  }

  get records(): readonly NewRecord[] {
    return this.#records;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds outputs in order, to the task's own partition number. `digest` is that of the chained record before; returns
   * that of the last one. @throws ProcessorFaultError a topic that is no sink, or a record that cannot be serialised
   */
  add(outputs: readonly Outgoing[], digest: string): string {
    let previous = digest;
    for (const { key, topic, value } of outputs) {
      if (!this.#sinks.has(topic.name))
        throw new ProcessorFaultError(`${topic.name} is no sink of ${this.#rules.applicationId}`);
      const links = value !== null && topic.name === this.#rules.chained.topic.name;
      const bytes =
        value === null ? null : this.#serialize(topic, links ? this.#rules.chained.link(value, previous) : value);
      if (links && bytes !== null) previous = hash('sha256', bytes, 'hex');
      this.#records.push({
        topic: topic.name,
        partition: this.#partition,
        key: key === null ? null : Buffer.from(key),
        value: bytes,
        headers: value === null ? NO_HEADERS : (this.#serdes.headers?.(value.type) ?? NO_HEADERS),
      });
      this.#bytes += (key?.length ?? 0) + (bytes?.length ?? 0);
    }
    return previous;
  }

  clear(): void {
    this.#records = [];
    this.#bytes = 0;
  }

  #serialize(topic: Topic<unknown>, value: { readonly type: string }): Uint8Array {
    try {
      return this.#serdes.serialize(topic, value.type, value);
    } catch (error) {
      throw new ProcessorFaultError(`a ${value.type} for ${topic.name} cannot be serialised`, error);
    }
  }
}
