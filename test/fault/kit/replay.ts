/** What the pure processor makes of the inputs, in the order of decision that the verdicts record. */
import { hash } from 'node:crypto';
import { incomingOf } from '../../../infra/streams/incoming.js';
import type { LogRecord } from '../../../infra/streams/ports.js';
import type { Serdes } from '../../../infra/streams/serdes.js';
import type { Contracts } from '../../../topology/agent/contracts.js';
import type { Around, LedgerEffects, LedgerShared } from '../../../topology/effects.js';
import { compareUtf8 } from '../../../topology/kit/record-key.js';
import type { Incoming, Topic } from '../../../topology/kit/topology.js';
import type { LedgerEntry, Verdict } from '../../../topology/ledger-records.js';
import { ledgerTopology } from '../../../topology/ledger.topology.js';
import type { Observation } from '../../../topology/observation.js';
import { AGENTS, LEDGER, TASK_EVENTS, VERDICTS } from '../../../topology/topics.js';
import type { CommittedLog } from './committed-log.js';

const { chained, processor, sinks } = ledgerTopology;

/** How often each kind of fault was met, with its first cases. Empty: it holds. */
export class Faults {
  readonly #cases = new Map<string, string[]>();

  add(kind: string, of: string): void {
    const cases = this.#cases.get(kind);
    if (cases === undefined) this.#cases.set(kind, [of]);
    else cases.push(of);
  }

  count(kind: string): number {
    return this.#cases.get(kind)?.length ?? 0;
  }

  get sentences(): readonly string[] {
    return [...this.#cases].map(
      ([kind, cases]) => `${cases.length} × ${kind}: ${cases.slice(0, 3).join('; ')}${cases.length > 3 ? '; …' : ''}`,
    );
  }
}

export type Replayed = {
  /** State of every unit, as bytes, by partition and key. */
  readonly states: ReadonlyMap<number, ReadonlyMap<string, Uint8Array>>;
  readonly deferred: number;
};

export const textOf = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString();

export const inPartition = (log: CommittedLog, topic: Topic<unknown>, partition: number): readonly LogRecord[] =>
  (log.get(topic.name) ?? []).filter((record) => record.partition === partition);

export const verdictOf = (serdes: Serdes, record: LogRecord): Verdict => {
  const decoded = serdes.deserialize(VERDICTS, record.value ?? new Uint8Array(0));
  if (decoded.kind === 'failed') throw new Error(`a verdict cannot be read: ${decoded.detail}`);
  return decoded.value;
};

/** Folds every partition anew and compares each record written with what should have been. */
export const replay = async (
  log: CommittedLog,
  serdes: Serdes,
  partitions: number,
  faults: Faults,
): Promise<Replayed> => {
  await serdes.prepare(
    TASK_EVENTS,
    (log.get(TASK_EVENTS.name) ?? []).flatMap(({ value }) => (value === null ? [] : [value])),
  );
  const contracts = contractsOf(log, serdes);
  const replays = Array.from(
    { length: partitions },
    (_, partition) => new PartitionReplay(log, serdes, { partition, partitions }, contracts, faults),
  );
  for (const one of replays) one.run();
  return {
    states: new Map(replays.map(({ partition, states }) => [partition, encoded(states, serdes)])),
    deferred: replays.flatMap(({ states }) => [...states.values()]).filter(({ deferral }) => deferral !== undefined)
      .length,
  };
};

const encoded = (states: ReadonlyMap<string, LedgerEntry>, serdes: Serdes): ReadonlyMap<string, Uint8Array> =>
  new Map(
    [...states]
      .sort(([a], [b]) => compareUtf8(a, b))
      .map(([key, state]) => [key, serdes.serialize(LEDGER, 'LedgerEntry', state)]),
  );

/** The contracts after each record of the agents topic, by offset. */
const contractsOf = (log: CommittedLog, serdes: Serdes): ReadonlyMap<bigint, Contracts> => {
  const folded = new Map<bigint, Contracts>([[-1n, processor.initialGlobal()]]);
  let contracts = processor.initialGlobal();
  for (const record of log.get(AGENTS.name) ?? []) {
    contracts = processor.foldGlobal(contracts, incomingOf(AGENTS, record, serdes));
    folded.set(record.offset, contracts);
  }
  return folded;
};

class PartitionReplay {
  readonly partition: number;
  readonly states = new Map<string, LedgerEntry>();
  readonly #serdes: Serdes;
  readonly #place: { readonly partition: number; readonly partitions: number };
  readonly #contracts: ReadonlyMap<bigint, Contracts>;
  readonly #faults: Faults;
  readonly #inputs: ReadonlyMap<bigint, Incoming<Observation>>;
  readonly #verdicts: readonly LogRecord[];
  /** What was written to each sink, and how far it has been compared. */
  readonly #written: ReadonlyMap<string, { readonly records: readonly LogRecord[]; at: number }>;
  #shared: LedgerShared = processor.initialShared();
  #digest = '';

  constructor(
    log: CommittedLog,
    serdes: Serdes,
    place: { readonly partition: number; readonly partitions: number },
    contracts: ReadonlyMap<bigint, Contracts>,
    faults: Faults,
  ) {
    const { partition } = place;
    this.partition = partition;
    this.#serdes = serdes;
    this.#place = place;
    this.#contracts = contracts;
    this.#faults = faults;
    this.#inputs = new Map(
      inPartition(log, TASK_EVENTS, partition).map((record) => [
        record.offset,
        incomingOf(TASK_EVENTS, record, serdes),
      ]),
    );
    this.#verdicts = inPartition(log, VERDICTS, partition);
    this.#written = new Map(
      sinks.map((sink) => [sink.name, { records: inPartition(log, sink, partition), at: 0 }] as const),
    );
  }

  run(): void {
    const verdicts = this.#written.get(VERDICTS.name);
    if (verdicts === undefined) return;
    for (;;) {
      const { at: from } = verdicts;
      const record = this.#verdicts[from];
      if (record === undefined) break;
      this.#decideAgain(record);
      if (verdicts.at > from) continue;
      this.#faults.add('verdict that follows from nothing', `${this.partition}/${record.offset.toString()}`);
      verdicts.at += 1;
    }
    for (const [topic, { at, records }] of this.#written)
      if (at < records.length) this.#faults.add('record that follows from nothing', `${topic}/${this.partition}/${at}`);
  }

  /** Takes the step again that led to a verdict, and the ones that were written with it. */
  #decideAgain(record: LogRecord): void {
    const verdict = verdictOf(this.#serdes, record);
    const contracts = this.#contracts.get(verdict.agentsOffset);
    if (contracts === undefined) return;
    const around: Around = { now: verdict.decidedAt, ...this.#place, shared: this.#shared, global: contracts };
    const step = this.#stepOf(verdict, textOf(record.key), around);
    if (step === undefined) return;
    const { effects, key } = step;
    for (const { topic, key: to, value } of effects.outputs) this.#compare(topic, to, value);
    this.#shared = effects.shared;
    if (key === null) return;
    if (effects.state === null) this.states.delete(key);
    else this.states.set(key, effects.state);
  }

  #stepOf(
    verdict: Verdict,
    named: string,
    around: Around,
  ): { readonly key: string | null; readonly effects: LedgerEffects } | undefined {
    if (verdict.trigger === 'observation') {
      const input = this.#inputs.get(verdict.cause?.offset ?? -1n);
      if (input === undefined) return undefined;
      const key = processor.keyOf(input);
      return { key, effects: processor.process(input, (key === null ? null : this.states.get(key)) ?? null, around) };
    }
    const state = this.states.get(named);
    if (state === undefined) return undefined;
    if (verdict.trigger === 'timer') return { key: named, effects: processor.fire(state, around) };
    const coordinates = { topic: AGENTS.name, partition: 0, offset: verdict.triggerOffset ?? -1n };
    return { key: named, effects: processor.react(state, around, { coordinates, rank: 0 }) };
  }

  /** The next record of a sink must be this one, byte for byte. */
  #compare(topic: Topic<unknown>, key: string | null, value: { readonly type: string } | null): void {
    const written = this.#written.get(topic.name);
    const record = written?.records[written.at];
    if (written !== undefined) written.at += 1;
    const links = value !== null && topic.name === chained.topic.name;
    const due = links ? chained.link(value, this.#digest) : value;
    const bytes = due === null ? null : this.#serdes.serialize(topic, due.type, due);
    // As written: one that differs is one fault, not one and all after it.
    if (links) this.#digest = hash('sha256', record?.value ?? NOTHING, 'hex');
    const place = `${topic.name}/${this.partition}/${record?.offset.toString() ?? 'end'}`;
    if (record === undefined || Buffer.compare(record.value ?? NOTHING, bytes ?? NOTHING) !== 0)
      this.#faults.add('record that should be another', place);
    else if ((record.key === null) !== (key === null) || textOf(record.key) !== (key ?? ''))
      this.#faults.add('record under another key', place);
  }
}

const NOTHING = new Uint8Array(0);
