import { setMaxListeners } from 'node:events';
import type { LogReader } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { CommandRecord, Verdict } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { AGENTS, COMMANDS, TASK_EVENTS, VERDICTS } from '../../topology/topics.js';

/** One record as it was read from Kafka. */
export type Taped<Value> = { readonly coordinates: Coordinates; readonly value: Value };

export type TapedRecord =
  | ({ readonly topic: 'task-events' } & Taped<Observation>)
  | ({ readonly topic: 'verdicts' } & Taped<Verdict>)
  | ({ readonly topic: 'commands' } & Taped<CommandRecord>)
  | ({ readonly topic: 'agents' } & Taped<AgentRecord>);

/** Listens to the topics while the story happens: everything that is told and checked afterwards was read from Kafka. */
export class StoryTape {
  readonly records: TapedRecord[] = [];
  readonly #reader: LogReader;
  readonly #serdes: Serdes;
  readonly #onRecord: (record: TapedRecord) => void;
  readonly #abort = new AbortController();
  readonly #watchers = new Set<() => void>();
  #loops: readonly Promise<void>[] = [];

  constructor(reader: LogReader, serdes: Serdes, onRecord: (record: TapedRecord) => void) {
    this.#reader = reader;
    this.#serdes = serdes;
    this.#onRecord = onRecord;
    // One reader a partition listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  start(partitions: number): void {
    this.#loops = [
      ...this.#follow(TASK_EVENTS, partitions, (taped) => ({ topic: 'task-events', ...taped })),
      ...this.#follow(VERDICTS, partitions, (taped) => ({ topic: 'verdicts', ...taped })),
      ...this.#follow(COMMANDS, partitions, (taped) => ({ topic: 'commands', ...taped })),
      ...this.#follow(AGENTS, 1, (taped) => ({ topic: 'agents', ...taped })),
    ];
  }

  /** The first record that is as wanted, once it was read. @throws Error it did not come within `patienceMs` */
  async record(wanted: (record: TapedRecord) => boolean, what: string, patienceMs = 60_000): Promise<TapedRecord> {
    const giveUp = AbortSignal.timeout(patienceMs);
    for (;;) {
      const found = this.records.find(wanted);
      if (found !== undefined) return found;
      if (giveUp.aborted) throw new Error(`nothing was read from Kafka that says: ${what}`);
      await new Promise<void>((resolve) => {
        this.#watchers.add(resolve);
        giveUp.addEventListener('abort', () => {
          resolve();
        });
      });
    }
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled(this.#loops);
  }

  #follow<Value>(
    topic: Topic<Value>,
    partitions: number,
    tape: (taped: Taped<Value>) => TapedRecord,
  ): readonly Promise<void>[] {
    return Array.from({ length: partitions }, (_, partition) =>
      this.#reader.read(
        { topic: topic.name, partition },
        { from: 0n },
        async ({ records }) => {
          const values = records.flatMap(({ value }) => (value === null ? [] : [value]));
          await this.#serdes.prepare(topic, values);
          for (const { value, offset } of records) {
            const read = value === null ? undefined : this.#serdes.deserialize(topic, value);
            if (read?.kind === 'value')
              this.#take(tape({ coordinates: { topic: topic.name, partition, offset }, value: read.value }));
          }
        },
        this.#abort.signal,
      ),
    );
  }

  #take(record: TapedRecord): void {
    this.records.push(record);
    this.#onRecord(record);
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const wake of watchers) wake();
  }
}

/** Where a record lies, as the demo prints it. */
export const place = ({ coordinates }: { readonly coordinates: Coordinates }): string => formatCoordinates(coordinates);
