import { hash } from 'node:crypto';
import { incomingOf } from '../../infra/streams/incoming.js';
import type { LogRecord } from '../../infra/streams/ports.js';
import type { Effects, Surroundings } from '../../topology/kit/topology.js';
import type { CounterDriver } from './counter-scenario.js';
import {
  ADDITIONS,
  BONUSES,
  COUNTERS,
  COUNTS,
  counterTopology,
  type Bonuses,
  type Counted,
  type Counter,
  type Seen,
} from './counter-topology.js';
import { jsonSerdes } from '../../infra/memory/json-serdes.js';

const { processor } = counterTopology;

/**
 * What must hold of a run of the counters, whatever happened to it, as sentences; empty: it holds. Judged from the log
 * alone, by a replay through the pure processor in the recorded order of decision.
 */
export const faultsOf = async (driver: CounterDriver): Promise<readonly string[]> => {
  const partitions = driver.log.topic(ADDITIONS.name).map(({ partition }) => partition);
  const replayed = partitions.map((partition) => replay(driver, partition));
  const states = new Map(replayed.flatMap(({ states: of }) => [...of]));
  return [
    ...replayed.flatMap(({ faults }) => faults),
    ...unequal('the stores', await driver.store(), states),
    ...unequal('the changelog', driver.changelog(), states),
    ...(await driver.inconsistencies()),
  ];
};

const unequal = (
  where: string,
  found: ReadonlyMap<string, Counter>,
  replayed: ReadonlyMap<string, Counter>,
): readonly string[] => {
  const sorted = (states: ReadonlyMap<string, Counter>): string =>
    [...states]
      .map(([key, state]) => `${key} ${Buffer.from(jsonSerdes.serialize(COUNTERS, 'Counter', state)).toString()}`)
      .sort()
      .join();
  return sorted(found) === sorted(replayed) ? [] : [`${where}: ${sorted(found)}, replayed: ${sorted(replayed)}`];
};

const bonusesUpTo = (driver: CounterDriver, read: bigint): Bonuses =>
  driver.log
    .partition({ topic: BONUSES.name, partition: 0 })
    .committed()
    .filter(({ offset }) => offset <= read)
    .reduce<Bonuses>(
      (bonuses, record) => processor.foldGlobal(bonuses, incomingOf(BONUSES, record, jsonSerdes)),
      processor.initialGlobal(),
    );

type Replayed = { readonly faults: readonly string[]; readonly states: ReadonlyMap<string, Counter> };

const replay = (driver: CounterDriver, partition: number): Replayed => {
  const faults: string[] = [];
  const states = new Map<string, Counter>();
  const inputs = driver.log.partition({ topic: ADDITIONS.name, partition }).committed();
  const decided = new Map<bigint, number>();
  const written = driver.log.partition({ topic: COUNTS.name, partition }).committed();
  let shared: Seen = processor.initialShared();
  let digest = '';
  let next = 0n;
  for (const record of written) {
    const value = valueOf(record);
    if (value.previous !== digest) faults.push(`${partition}/${record.offset.toString()} is not chained`);
    digest = hash('sha256', record.value ?? new Uint8Array(0), 'hex');
    const around = { now: value.now, partition, partitions: 1, shared, global: bonusesUpTo(driver, value.read) };
    const offset = inputOf(value, partition);
    const input = inputs.find((candidate) => candidate.offset === offset);
    const named = Buffer.from(record.key ?? []).toString();
    // A record that cannot be read is about no state, whatever its key.
    const key = input === undefined ? named : processor.keyOf(incomingOf(ADDITIONS, input, jsonSerdes));
    if (input !== undefined) {
      if (input.offset !== next) faults.push(`${value.cause} was decided when ${next.toString()} was next`);
      next = input.offset + 1n;
      decided.set(input.offset, (decided.get(input.offset) ?? 0) + 1);
    }
    const effects = again(value, input, named, (key === null ? undefined : states.get(key)) ?? null, around);
    const [output] = effects?.outputs ?? [];
    const expected = { ...output?.value, previous: value.previous };
    if (Buffer.compare(jsonSerdes.serialize(COUNTS, 'Counted', expected), record.value ?? new Uint8Array(0)) !== 0)
      faults.push(
        `${value.cause} of ${named} is decided otherwise now: ${JSON.stringify(output?.value, textOfBigint)}`,
      );
    if (effects === undefined) continue;
    shared = effects.shared;
    if (key === null) continue;
    if (effects.state === null) states.delete(key);
    else states.set(key, effects.state);
  }
  for (const { offset } of inputs) {
    const cause = `${ADDITIONS.name}/${partition}/${offset.toString()}`;
    const times = decided.get(offset) ?? 0;
    if (times !== 1) faults.push(`${cause} was decided ${times} times`);
  }
  const position = driver.position(partition);
  const end = inputs.at(-1);
  if (end !== undefined && position?.source !== end.offset + 1n)
    faults.push(`position of ${partition} is ${position?.source.toString() ?? 'missing'}`);
  if (end !== undefined && driver.log.group('counter').position(ADDITIONS.name, partition) !== position?.source)
    faults.push(`the group offset of ${partition} is not its position`);
  return { faults, states };
};

/** Offset of the input that a record is about, if it is about one of this partition. */
const inputOf = ({ cause }: Counted, partition: number): bigint | undefined => {
  const [, of, offset] = /^additions\/(\d+)\/(\d+)/.exec(cause) ?? [];
  return of === String(partition) && offset !== undefined ? BigInt(offset) : undefined;
};

/** The step that led to a record, taken again. */
const again = (
  { cause }: Counted,
  input: LogRecord | undefined,
  key: string,
  state: Counter | null,
  around: Surroundings<Seen, Bonuses>,
): Effects<Counter, Seen> | undefined => {
  if (input !== undefined) return processor.process(incomingOf(ADDITIONS, input, jsonSerdes), state, around);
  if (state === null) return undefined;
  if (cause.startsWith('timer')) return processor.fire(state, around);
  const [, offset = '0', rank = '0'] = /^bonuses\/0\/(\d+) #(\d+)$/.exec(cause) ?? [];
  const coordinates = { topic: BONUSES.name, partition: 0, offset: BigInt(offset) };
  return key === state.name ? processor.react(state, around, { coordinates, rank: Number(rank) }) : undefined;
};

const valueOf = (record: LogRecord): Counted => {
  const decoded = jsonSerdes.deserialize(COUNTS, record.value ?? new Uint8Array(0));
  if (decoded.kind === 'failed') throw new Error(decoded.detail);
  return decoded.value;
};

const textOfBigint = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
