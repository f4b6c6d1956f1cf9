import fc from 'fast-check';
import { SCHEMAS, type RecordName, type Records } from '../../schemas/generated.js';
import type { Policy } from '../../topology/policy.js';
import { valuesOf, wellFormed } from '../unit/schemas/arbitraries.js';
import { EXAMPLES } from './examples.js';
import { fullValue } from './full-value.js';

/** The seed of all random values; HOLDFAST_FOREIGN_SEED names another one. The runner prints it. */
export const seed = Number(process.env.HOLDFAST_FOREIGN_SEED ?? 20_261_201);

/** The longest ID that is judged: longer ones are set aside as too large. */
const LONGEST_ID = 16_384;
/** In bytes. Leaves room for the rest under librdkafka's and Java's default of a megabyte for a message. */
const LONG_TEXT = 900_000;

export type Value = Readonly<Record<string, unknown>>;

/** More than `random` values of a record: its example, the extremes, very long ones, then random ones from the seed. */
export const valuesFor = (record: RecordName, random: number): readonly Value[] => {
  const edges: readonly unknown[] = [
    EXAMPLES[record],
    fullValue(SCHEMAS[record], 'most'),
    fullValue(SCHEMAS[record], 'least'),
    ...longOnes(record),
  ];
  const all = [...edges, ...fc.sample(valuesOf(record), { numRuns: random, seed }).map(met)];
  return (record === 'PolicyChanged' ? all.map(meant) : all) as readonly Value[];
};

const longOnes = (record: RecordName): readonly unknown[] => {
  const example: Value = EXAMPLES[record];
  const id = ['correlationId', 'agentId'].find((name) => name in example);
  return [
    ...(id === undefined ? [] : [{ ...example, [id]: '\u20ac'.repeat(LONGEST_ID) }]),
    ...(record === 'TaskInput' ? [{ ...example, request: '\u00fc'.repeat(LONG_TEXT / 2) }] : []),
  ];
};

/** Few agents, units and tasks, so that the ledger meets each again and again: by field, their names. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ tenant: 2, agentId: 20, correlationId: 200, serverTaskId: 5 }).map(([field, size], index) => [
    field,
    fc.sample(wellFormed, { numRuns: size, seed: seed + index }),
  ]),
);

const met = (value: unknown, index: number): unknown =>
  Object.fromEntries(
    Object.entries(value as Value).map(([field, held]) => {
      const names = typeof held === 'string' ? NAMES.get(field) : undefined;
      return [field, names?.[index % names.length] ?? held];
    }),
  );

/** Under durations of a few milliseconds the ledger would ask and issue again all the time. */
const SHORTEST_MS = 600_000;

/** A policy that somebody could mean, from any: the ledger judges by it meanwhile. */
const meant = (value: unknown): Records['PolicyChanged'] => {
  const { policy, ...rest } = value as Records['PolicyChanged'];
  const numbers = Object.entries(policy).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const tamed = numbers.map(([name, number]) => [name, SHORTEST_MS + (Math.abs(number) % 2_000_000_000)]);
  const { maxAttempts, reexaminePerSecond: often } = policy;
  const reexaminePerSecond = Number.isFinite(often) ? 0.125 + (Math.abs(often) % 1_000) : 50;
  return {
    ...rest,
    policy: {
      ...policy,
      ...(Object.fromEntries(tamed) as Partial<Policy>),
      maxAttempts: 1 + (Math.abs(maxAttempts) % 100),
      reexaminePerSecond,
    },
  };
};
