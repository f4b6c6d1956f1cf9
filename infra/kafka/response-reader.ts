/** Reads the body of an answer of Kafka's, in the layouts without compact fields. */
export class ResponseReader {
  readonly #payload: Buffer;
  #at = 0;

  constructor(payload: Buffer) {
    this.#payload = payload;
  }

  int8(): number {
    this.#at += 1;
    return this.#payload.readInt8(this.#at - 1);
  }

  int16(): number {
    this.#at += 2;
    return this.#payload.readInt16BE(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#payload.readInt32BE(this.#at - 4);
  }

  int64(): bigint {
    this.#at += 8;
    return this.#payload.readBigInt64BE(this.#at - 8);
  }

  /** An absent one is empty. */
  string(): string {
    const length = Math.max(this.int16(), 0);
    this.#at += length;
    return this.#payload.toString('utf8', this.#at - length, this.#at);
  }

  /** Absent ones are empty. */
  bytes(): Buffer {
    const length = Math.max(this.int32(), 0);
    this.#at += length;
    return this.#payload.subarray(this.#at - length, this.#at);
  }

  /** An absent one is empty. */
  array<Item>(item: () => Item): readonly Item[] {
    return Array.from({ length: Math.max(this.int32(), 0) }, item);
  }
}
