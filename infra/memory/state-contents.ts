import { storeName } from '../streams/open-task.js';
import type { StateStore } from '../streams/ports.js';
import { CHECKPOINT_KEY, POSITION_KEY, derivedChanges, type Derivation } from '../streams/store-layout.js';
import { isInternalKey } from '../../topology/kit/record-key.js';
import type { MemoryLog } from './memory-log.js';

/** Bytes by key; of one partition. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/** What the compacted changelog says, `!position` included. */
export const changelogContents = (log: MemoryLog, topic: string, partition: number): Contents => {
  const contents = new Map<string, Uint8Array>();
  for (const { key, value } of log.partition({ topic, partition }).committed()) {
    const name = Buffer.from(key ?? []).toString();
    if (value === null) contents.delete(name);
    else contents.set(name, value);
  }
  return contents;
};

/** Everything in a store, internal entries included. */
export const storeContents = async (store: StateStore): Promise<Contents> =>
  new Map(await store.range({ from: '', to: '\u{10ffff}', limit: Number.MAX_SAFE_INTEGER }));

export const findStore = (
  open: readonly ReadonlyMap<string, StateStore>[],
  topology: { readonly applicationId: string; readonly store: { readonly name: string } },
  partition: number,
): StateStore | undefined => {
  const name = storeName(topology.applicationId, topology.store.name, partition);
  return open.map((stores) => stores.get(name)).find((store) => store !== undefined);
};

/** States only: without what the runtime keeps for itself. */
export const statesIn = (contents: Contents): Contents => new Map([...contents].filter(([key]) => !isInternalKey(key)));

/**
 * Where a store differs from its changelog, as sentences: other states, another position, or index entries that do not
 * follow from the states. Empty: equal.
 */
export const differences = <State>(
  store: Contents,
  changelog: Contents,
  derivation: Derivation<State>,
  decode: (key: string, bytes: Uint8Array) => State,
): readonly string[] => {
  const expected = new Map([...changelog].map(([key, bytes]) => [key, hex(bytes)]));
  for (const [key, bytes] of statesIn(changelog))
    for (const [entry] of derivedChanges(derivation, key, null, decode(key, bytes))) expected.set(entry, '');
  const found = new Map([...store].filter(([key]) => key !== CHECKPOINT_KEY).map(([key, bytes]) => [key, hex(bytes)]));
  if (!found.has(POSITION_KEY) && expected.size > 0) return ['the store has no position'];
  return [
    ...[...expected]
      .filter(([key, bytes]) => found.get(key) !== bytes)
      .map(([key]) => `${key} is on the changelog only`),
    ...[...found].filter(([key, bytes]) => expected.get(key) !== bytes).map(([key]) => `${key} is in the store only`),
  ];
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
