/**
 * What must hold of a run, whatever happened to its processes. Judged from the committed log alone, as Kafka's own
 * consumer reads it, from the group's offsets and from the stores on the disk.
 */
import { hash } from 'node:crypto';
import { stateCodec } from '../../../infra/streams/state-codec.js';
import type { LogRecord } from '../../../infra/streams/ports.js';
import type { Serdes } from '../../../infra/streams/serdes.js';
import { POSITION_KEY } from '../../../infra/streams/store-layout.js';
import type { TaskPosition } from '../../../infra/streams/task-position.js';
import type { LedgerShared } from '../../../topology/effects.js';
import { COMMANDS, LEDGER, TASK_EVENTS, VERDICTS } from '../../../topology/topics.js';
import { readCommitted, type CommittedLog } from './committed-log.js';
import type { FaultRun } from './fault-run.js';
import { groupOffsets } from './group-offsets.js';
import { Faults, inPartition, replay, textOf, verdictOf } from './replay.js';
import { storeContents } from './store-contents.js';

export type Findings = {
  /** Sentences; empty: everything holds. */
  readonly faults: readonly string[];
  readonly inputs: number;
  /** Inputs without a final verdict, and verdicts too many. */
  readonly lost: number;
  readonly duplicates: number;
  readonly verdicts: number;
  readonly words: Readonly<Record<string, number>>;
  readonly commands: number;
  readonly units: number;
};

const LOST = 'input without a final verdict';
const TWICE = 'final verdict too many';

/** `written`: how many inputs were acknowledged. `instances`: whose stores lie on this machine. */
export const judge = async (
  run: FaultRun,
  written: number,
  instances: readonly string[],
  faults = new Faults(),
): Promise<Findings> => {
  const { partitions } = run.config.kafka;
  const log = await readCommitted(run);
  const inputs = log.get(TASK_EVENTS.name) ?? [];
  if (inputs.length !== written)
    faults.add('input count', `${inputs.length} of ${written} acknowledged are on the log`);
  const words = countVerdicts(log, run.serdes, faults);
  for (let partition = 0; partition < partitions; partition += 1)
    followChain(inPartition(log, VERDICTS, partition), run.serdes, faults);
  const commands = countCommands(log, run.serdes, faults);
  const { deferred, states } = await replay(log, run.serdes, partitions, faults);
  if (deferred > 0) faults.add('unit that still waits', String(deferred));
  const stores = await storeContents(run, instances);
  const offsets = await groupOffsets(run);
  for (let partition = 0; partition < partitions; partition += 1) {
    const compacted = compactedOf(inPartition(log, LEDGER, partition));
    const position = compacted.get(POSITION_KEY);
    compacted.delete(POSITION_KEY);
    const folded = states.get(partition) ?? new Map<string, Uint8Array>();
    compare(`changelog ${partition}`, compacted, folded, faults);
    const held = stores.filter((store) => store.partition === partition);
    // Whoever ran it last holds what the changelog says; stores left behind earlier stand further back.
    const current = held.filter((store) => same(store.position, position));
    if (current.length === 0) faults.add('partition in no store', String(partition));
    for (const { instance, states: stored } of current) compare(`store of ${instance}`, stored, folded, faults);
    const end = (inPartition(log, TASK_EVENTS, partition).at(-1)?.offset ?? -1n) + 1n;
    const source = position === undefined ? -1n : positionIn(position, run.serdes, partition).source;
    const group = offsets.get(partition) ?? -1n;
    if (source !== end || group !== end)
      faults.add(
        'position',
        `${partition}: changelog ${source.toString()}, group ${group.toString()}, end ${end.toString()}`,
      );
  }
  return {
    faults: faults.sentences,
    inputs: inputs.length,
    lost: faults.count(LOST),
    duplicates: faults.count(TWICE),
    verdicts: (log.get(VERDICTS.name) ?? []).length,
    words,
    commands,
    units: [...states.values()].reduce((sum, { size }) => sum + size, 0),
  };
};

const coordinates = ({ offset, partition }: { readonly partition: number; readonly offset: bigint }): string =>
  `${partition}/${offset.toString()}`;

/** Each input is the cause of exactly one verdict that is its last word; a deferred one has another before it. */
const countVerdicts = (log: CommittedLog, serdes: Serdes, faults: Faults): Readonly<Record<string, number>> => {
  const finals = new Map<string, number>((log.get(TASK_EVENTS.name) ?? []).map((input) => [coordinates(input), 0]));
  const words: Record<string, number> = {};
  for (const record of log.get(VERDICTS.name) ?? []) {
    const { cause, verdict } = verdictOf(serdes, record);
    words[verdict] = (words[verdict] ?? 0) + 1;
    // What a timer or a change of an agent decides names the observation that it rests on, and judges none.
    if (cause === undefined || verdict === 'deferred' || verdict === 'decided') continue;
    const of = coordinates(cause);
    const before = finals.get(of);
    if (before === undefined) faults.add('verdict on what was never said', of);
    else if (before > 0) faults.add(TWICE, of);
    finals.set(of, (before ?? 0) + 1);
  }
  for (const [of, count] of finals) if (count === 0) faults.add(LOST, of);
  return words;
};

const followChain = (verdicts: readonly LogRecord[], serdes: Serdes, faults: Faults): void => {
  let digest = '';
  for (const record of verdicts) {
    if (verdictOf(serdes, record).previousDigest !== digest) faults.add('verdict not chained', coordinates(record));
    digest = hash('sha256', record.value ?? new Uint8Array(0), 'hex');
  }
};

/** A command has its ID for itself, unless it says that it is the same again. */
const countCommands = (log: CommittedLog, serdes: Serdes, faults: Faults): number => {
  const issued = new Set<string>();
  const records = log.get(COMMANDS.name) ?? [];
  for (const record of records) {
    const decoded = serdes.deserialize(COMMANDS, record.value ?? new Uint8Array(0));
    if (decoded.kind === 'failed') throw new Error(`a command cannot be read: ${decoded.detail}`);
    const { value } = decoded;
    const again = value.type === 'RedispatchTask' && value.again !== 'no';
    if (issued.has(value.commandId) !== again) faults.add('command issued twice', value.commandId);
    issued.add(value.commandId);
  }
  return records.length;
};

/** The last value of each key. */
const compactedOf = (records: readonly LogRecord[]): Map<string, Uint8Array> => {
  const compacted = new Map<string, Uint8Array>();
  for (const { key, value } of records)
    if (value === null) compacted.delete(textOf(key));
    else compacted.set(textOf(key), value);
  return compacted;
};

const same = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;

const compare = (
  where: string,
  found: ReadonlyMap<string, Uint8Array>,
  folded: ReadonlyMap<string, Uint8Array>,
  faults: Faults,
): void => {
  for (const key of new Set([...found.keys(), ...folded.keys()]))
    if (!same(found.get(key), folded.get(key))) faults.add(`key that differs from the fold`, `${where} ${key}`);
};

const positionIn = (bytes: Uint8Array, serdes: Serdes, partition: number): TaskPosition<LedgerShared> =>
  stateCodec<never, LedgerShared>(LEDGER as never, serdes).decodePosition(
    { topic: LEDGER.name, partition },
    POSITION_KEY,
    bytes,
  );
