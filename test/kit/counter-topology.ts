import { formatCoordinates } from '../../topology/kit/coordinates.js';
import type { Incoming, Outgoing, Processor, Surroundings, Topic, Topology } from '../../topology/kit/topology.js';

/** A small topology that uses everything the runtime offers: timers, an index, the global topic, shared state, a chain. */

/** Adds to a counter; `wakeAfter` ms later it speaks by itself; it listens to bonuses of `team`. */
export type Added = {
  readonly type: 'Added';
  readonly amount: number;
  readonly wakeAfter?: number;
  readonly team?: string;
  /** The counter is deleted instead. */
  readonly remove?: boolean;
};
/** Given to every counter that listens to the team. */
export type Bonus = { readonly type: 'Bonus'; readonly team: string; readonly amount: number };
export type Counter = { readonly name: string; readonly total: number; readonly due?: number; readonly team?: string };
/** One for every input, timer and bonus, whatever came of it. */
export type Counted = {
  readonly type: 'Counted';
  readonly cause: string;
  readonly total: number;
  readonly now: number;
  /** Sum of all bonuses that the task had read, and the offset of the last one. */
  readonly bonuses: number;
  readonly read: bigint;
  /** How many inputs the partition had counted. */
  readonly seen: number;
  readonly previous: string;
};
export type Alarm = { readonly type: 'Alarm'; readonly key: string };
export type Seen = { readonly inputs: number };
export type Bonuses = { readonly sum: number; readonly read: bigint };

export const ADDITIONS: Topic<Added> = {
  name: 'additions',
  records: ['Added'],
  partitioning: 'by-key',
  cleanup: 'delete',
};
export const BONUSES: Topic<Bonus> = { name: 'bonuses', records: ['Bonus'], partitioning: 'single', cleanup: 'delete' };
export const COUNTERS: Topic<Counter> = {
  name: 'counters',
  records: ['Counter', 'CounterPosition'],
  partitioning: 'own-number',
  cleanup: 'compact',
};
export const COUNTS: Topic<Counted> = {
  name: 'counts',
  records: ['Counted'],
  partitioning: 'own-number',
  cleanup: 'delete',
};
export const ALARMS: Topic<Alarm> = {
  name: 'alarms',
  records: ['Alarm'],
  partitioning: 'own-number',
  cleanup: 'delete',
};

type Around = Surroundings<Seen, Bonuses>;

const keyOf = ({ key }: Incoming<unknown>): string | null => (key === null ? null : Buffer.from(key).toString());

const output = <Value extends { readonly type: string }>(
  topic: Topic<Value>,
  key: string | null,
  value: Value,
): Outgoing => ({
  topic,
  key,
  value,
});

const counted = (key: string | null, cause: string, total: number, around: Around, shared: Seen): Outgoing =>
  output(COUNTS, key, {
    type: 'Counted',
    cause,
    total,
    now: around.now,
    bonuses: around.global.sum,
    read: around.global.read,
    seen: shared.inputs,
    previous: '',
  });

const processor: Processor<Added, Bonus, Counter, Seen, Bonuses> = {
  initialShared: () => ({ inputs: 0 }),
  initialGlobal: () => ({ sum: 0, read: -1n }),
  foldGlobal: ({ sum }, { coordinates, decoded }) => ({
    sum: decoded.kind === 'value' ? sum + decoded.value.amount : sum,
    read: coordinates.offset,
  }),
  keyOf: (incoming) => (incoming.decoded.kind === 'value' ? keyOf(incoming) : null),
  process: (incoming, state, around) => {
    const shared = { inputs: around.shared.inputs + 1 };
    const cause = formatCoordinates(incoming.coordinates);
    const key = keyOf(incoming);
    if (incoming.decoded.kind !== 'value')
      return { state: null, shared, outputs: [counted(key, `${cause} ${incoming.decoded.kind}`, 0, around, shared)] };
    const { amount, remove, team, wakeAfter } = incoming.decoded.value;
    const total = (state?.total ?? 0) + amount;
    const listens = team ?? state?.team;
    const due = wakeAfter === undefined ? state?.due : around.now + wakeAfter;
    return {
      state:
        remove === true
          ? null
          : {
              name: key ?? '',
              total,
              ...(due === undefined ? {} : { due }),
              ...(listens === undefined ? {} : { team: listens }),
            },
      shared,
      outputs: [counted(key, cause, total, around, shared)],
    };
  },
  due: ({ due }) => due,
  fire: ({ due, ...state }, around) => ({
    state,
    shared: around.shared,
    outputs: [
      counted(state.name, `timer ${due ?? 0}`, state.total, around, around.shared),
      output(ALARMS, null, { type: 'Alarm', key: `${state.total}` }),
    ],
  }),
  indexes: ({ team }) => (team === undefined ? [] : [team]),
  affected: ({ decoded }) => (decoded.kind === 'value' ? [decoded.value.team] : []),
  react: (state, around, { coordinates, rank }) => ({
    state: { ...state, total: state.total + 1 },
    shared: around.shared,
    outputs: [
      counted(state.name, `${formatCoordinates(coordinates)} #${rank}`, state.total + 1, around, around.shared),
    ],
  }),
};

export const counterTopology: Topology<Added, Bonus, Counter, Seen, Bonuses> = {
  applicationId: 'counter',
  source: ADDITIONS,
  global: BONUSES,
  store: { name: 'counters', changelog: COUNTERS },
  sinks: [COUNTS, ALARMS],
  chained: { topic: COUNTS, link: (value, previous) => ({ ...value, previous }) },
  processor,
};
