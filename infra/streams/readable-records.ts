import { setImmediate as turn } from 'node:timers/promises';
import { remedyFor } from './failure-policy.js';
import type { LogRecord } from './ports.js';

type Prepare = (values: readonly Uint8Array[]) => Promise<void>;
/** What is still under way; it resolves with the failure, so that nothing is left unhandled when nobody waits for it. */
type UnderWay = { readonly answer: Promise<Failure | undefined> };
type Failure = { readonly error: unknown };

/**
 * Which records of one partition can be read already. A schema that has to be asked for, and may be long in coming, keeps
 * only those back that come behind it in the partition: nobody waits here for the registry.
 */
export class ReadableRecords {
  readonly #prepare: Prepare;
  readonly #onAnswer: () => void;
  #asking = false;
  #failure: Failure | undefined;
  /** Up to here all that can be known is known: asking again would take as long again. */
  #answeredTo = -1n;

  /** `onAnswer`: what was asked for is there, or is not to be had just now. */
  constructor(prepare: Prepare, onAnswer: () => void) {
    this.#prepare = prepare;
    this.#onAnswer = onAnswer;
  }

  /** How many of the records, from the first one. @throws what `prepare` rejected with, when none can be */
  async countOf(records: readonly LogRecord[]): Promise<number> {
    if (this.#asking) return 0;
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    const answered = records.findIndex(({ offset }) => offset > this.#answeredTo);
    if (answered !== 0) return answered < 0 ? records.length : answered;
    const underWay = await this.#ask(records);
    if (underWay === undefined) return records.length;
    this.#wait(underWay, records.at(-1)?.offset ?? this.#answeredTo);
    let index = 0;
    for (const record of records) {
      if ((await this.#ask([record])) !== undefined) break;
      index += 1;
    }
    return index;
  }

  /** `undefined`: they can be read. @throws what no later try would mend */
  async #ask(records: readonly LogRecord[]): Promise<UnderWay | undefined> {
    const answer: UnderWay['answer'] = this.#prepare(
      records.flatMap(({ value }) => (value === null ? [] : [value])),
    ).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const settled = await Promise.race([answer, turn('pending' as const)]);
    if (settled === undefined) return undefined;
    if (settled !== 'pending' && remedyFor(settled.error).action !== 'retry') throw settled.error;
    return { answer };
  }

  #wait({ answer }: UnderWay, to: bigint): void {
    this.#asking = true;
    void answer.then((failed) => {
      this.#asking = false;
      this.#failure = failed;
      if (failed === undefined) this.#answeredTo = to;
      this.#onAnswer();
    });
  }
}
