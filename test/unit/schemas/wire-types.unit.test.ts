import { expect, test } from '@jest/globals';
import type { TaskPosition } from '../../../infra/streams/task-position.js';
import type * as wire from '../../../schemas/generated.js';
import type { AgentRecord } from '../../../topology/agent/agent-records.js';
import type { LedgerShared } from '../../../topology/effects.js';
import type {
  CommandRecord,
  DeadLetter,
  EvidenceRecord,
  LedgerEntry,
  Verdict,
  Violation,
} from '../../../topology/ledger-records.js';
import type { Observation } from '../../../topology/observation.js';
import type { TaskInput } from '../../../topology/topics.js';

/**
 * Compares, at compile time, every type generated from a schema with the type that decisions are written in. A field that
 * only one of the two has, or that differs in type or in being optional, does not compile.
 */

/** Without optionality: two types that differ in an optional field are assignable to each other, these are not. */
type Filled<T> = T extends string | number | bigint | boolean | null | undefined | Uint8Array
  ? T
  : T extends ReadonlyMap<infer K, infer V>
    ? ReadonlyMap<K, Filled<V>>
    : T extends readonly (infer E)[]
      ? readonly Filled<E>[]
      : { readonly [Key in keyof T]-?: Filled<T[Key]> };

type Assignable<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Same<A, B> = Assignable<A, B> extends true ? Assignable<Filled<A>, Filled<B>> : false;

/** What is written to the topics, in topology's types, by record name. */
type Written =
  | Observation
  | AgentRecord
  | LedgerEntry
  | Verdict
  | Violation
  | CommandRecord
  | EvidenceRecord
  | DeadLetter
  | TaskInput
  // The runtime knows its position by its key; the discriminant is there for those who only read the topic.
  | (TaskPosition<LedgerShared> & { readonly type: 'LedgerPosition' });

type Drift = {
  [Name in wire.RecordName | Written['type']]: Name extends wire.RecordName
    ? Same<wire.Records[Name], Extract<Written, { readonly type: Name }>> extends true
      ? never
      : Name
    : Name;
}[wire.RecordName | Written['type']];

/** Compiles only where nothing drifts; names the records that do. */
const noDrift: [Drift] extends [never] ? 'none' : Drift = 'none';

test('should have compiled: no wire type differs from its topology type', () => {
  expect(noDrift).toBe('none');
});

test('should tell types apart that differ only in an optional field', () => {
  const same: [Same<{ a: 1; b?: 2 }, { a: 1 }>, Same<{ a: 1; b?: 2 }, { a: 1; b: 2 }>, Same<{ a: 1 }, { a: 1 }>] = [
    false,
    false,
    true,
  ];

  expect(same).toStrictEqual([false, false, true]);
});
