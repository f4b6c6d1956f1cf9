/** The little of Kafka's protocol that tells how far a transaction has come: its requests, and whether they failed. */

const APIS: Readonly<Record<number, TransactionApi>> = {
  0: 'Produce',
  22: 'InitProducerId',
  26: 'EndTxn',
  28: 'TxnOffsetCommit',
};
type TransactionApi = 'Produce' | 'InitProducerId' | 'EndTxn' | 'TxnOffsetCommit';

export type Request = {
  readonly api: TransactionApi;
  readonly correlationId: number;
  /** The transactional ID. */
  readonly lock: string;
  /** Source positions by partition; of a TxnOffsetCommit only. */
  readonly positions: Readonly<Record<string, number>>;
};

const SIZE = 4;
const HEADER = SIZE + 8;

class Cursor {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  text(): string | null {
    const length = this.#bytes.readInt16BE(this.#at);
    this.#at += 2;
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  int64(): number {
    this.#at += 8;
    return Number(this.#bytes.readBigInt64BE(this.#at - 8));
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }
}

/** A request of a transaction; `undefined`: any other. kafkajs writes one whole request at a time. */
export const readRequest = (bytes: Buffer): Request | undefined => {
  if (bytes.length < HEADER) return undefined;
  const api = APIS[bytes.readInt16BE(SIZE)];
  if (api === undefined) return undefined;
  const correlationId = bytes.readInt32BE(SIZE + 4);
  const body = new Cursor(bytes, HEADER);
  body.text();
  // The transactional ID is the first field of all four; a plain producer has none.
  const lock = body.text();
  if (lock === null) return undefined;
  return { api, correlationId, lock, positions: api === 'TxnOffsetCommit' ? positionsIn(body) : {} };
};

/** TxnOffsetCommit 0 and 1: group, producer ID and epoch, then the topics. */
const positionsIn = (body: Cursor): Record<string, number> => {
  body.text();
  body.skip(8 + 2);
  const positions: Record<string, number> = {};
  for (let topics = body.int32(); topics > 0; topics -= 1) {
    body.text();
    for (let partitions = body.int32(); partitions > 0; partitions -= 1) {
      const partition = body.int32();
      positions[partition] = body.int64();
      body.text();
    }
  }
  return positions;
};

/** The first bytes of an answer, as many as are looked at. */
class Answer {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** InitProducerId and EndTxn: after the throttle time. Produce and TxnOffsetCommit: of their first partition. */
  errorIn({ api }: Request): number {
    const at = new Cursor(this.#bytes, 0);
    if (api === 'InitProducerId' || api === 'EndTxn') return this.#bytes.readInt16BE(4);
    if (api === 'TxnOffsetCommit') at.skip(4);
    at.skip(4);
    const topic = Buffer.byteLength(at.text() ?? '');
    const before = (api === 'TxnOffsetCommit' ? 4 : 0) + 4 + 2 + topic + 4 + 4;
    return this.#bytes.readInt16BE(before);
  }
}

const KEPT = 512;

/** Finds the answers in what arrives, wherever the chunks are cut. */
export class AnswerReader {
  readonly #onAnswer: (correlationId: number, answer: Answer) => void;
  #head = Buffer.alloc(0);
  /** Bytes of the running answer that are still to come; `undefined`: its size is not known yet. */
  #left: number | undefined;

  constructor(onAnswer: (correlationId: number, answer: Answer) => void) {
    this.#onAnswer = onAnswer;
  }

  take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left === undefined) {
        const missing = SIZE - this.#head.length;
        this.#head = Buffer.concat([this.#head, rest.subarray(0, missing)]);
        rest = rest.subarray(missing);
        if (this.#head.length < SIZE) return;
        this.#left = this.#head.readInt32BE(0);
        this.#head = Buffer.alloc(0);
      }
      const part = rest.subarray(0, this.#left);
      rest = rest.subarray(part.length);
      this.#left -= part.length;
      if (this.#head.length < KEPT) this.#head = Buffer.concat([this.#head, part.subarray(0, KEPT)]);
      if (this.#left > 0) return;
      const whole = this.#head;
      this.#head = Buffer.alloc(0);
      this.#left = undefined;
      this.#onAnswer(whole.readInt32BE(0), new Answer(whole.subarray(4)));
    }
  }
}
