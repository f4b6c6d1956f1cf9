import { HoldfastError } from '../../infra/errors.js';
import { isInternalKey, recordKey } from '../../topology/kit/record-key.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import { LEDGER } from '../../topology/topics.js';
import { readTopic } from './read-topic.js';
import type { LogSource } from './verdict-log.js';

export type FoundUnit = { readonly key: string; readonly partition: number; readonly entry: LedgerEntry };

/** No unit, or more than one, is called so. */
export class UnitNotFoundError extends HoldfastError {
  constructor(message: string, code: 'HOLDFAST_UNIT_UNKNOWN' | 'HOLDFAST_UNIT_AMBIGUOUS') {
    super(message, { code, retryable: false });
  }
}

/** The units on record for which `wanted` holds of the key and entry in force, in no particular order. */
export const scanUnits = async (
  source: LogSource,
  partitions: number,
  wanted: (key: string, entry: LedgerEntry) => boolean,
): Promise<readonly FoundUnit[]> => {
  const found = new Map<string, FoundUnit>();
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  await readTopic(source, LEDGER, all, ({ key, value: entry, at: { partition } }) => {
    if (isInternalKey(key)) return;
    if (entry !== undefined && wanted(key, entry)) found.set(key, { key, partition, entry });
    else found.delete(key);
  });
  return [...found.values()];
};

/**
 * The unit that is meant by a correlation ID, `TENANT/ID`, or a server task ID, in this order: IDs are opaque, so what is a
 * name in one sense may be another unit's in another.
 * @throws UnitNotFoundError
 */
export const findUnit = async (source: LogSource, partitions: number, name: string): Promise<FoundUnit> => {
  const slashes = [...name.matchAll(/\//g)].map(({ index }) => index);
  const keys = new Set(slashes.map((at) => recordKey(name.slice(0, at), name.slice(at + 1))));
  const senses: readonly ((key: string, entry: LedgerEntry) => boolean)[] = [
    (key) => key === recordKey(undefined, name),
    (key) => keys.has(key),
    (_, { correlationId }) => correlationId === name,
    (_, { serverTasks }) => serverTasks.some(({ id }) => id === name),
  ];
  const units = await scanUnits(source, partitions, (key, entry) => senses.some((holds) => holds(key, entry)));
  for (const holds of senses) {
    const meant = units.filter(({ key, entry }) => holds(key, entry));
    const [unit, ...others] = meant;
    if (unit === undefined) continue;
    if (others.length === 0) return unit;
    throw new UnitNotFoundError(
      `"${name}" may mean ${meant.map(({ entry }) => nameOf(entry)).join(' or ')}`,
      'HOLDFAST_UNIT_AMBIGUOUS',
    );
  }
  throw new UnitNotFoundError(`no unit of work or server task is called "${name}"`, 'HOLDFAST_UNIT_UNKNOWN');
};

/** A unit as it is named on the command line. */
export const nameOf = ({
  tenant,
  correlationId,
}: {
  readonly tenant?: string;
  readonly correlationId: string;
}): string => (tenant === undefined ? correlationId : `${tenant}/${correlationId}`);
