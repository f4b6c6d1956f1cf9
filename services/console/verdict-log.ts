import type { Fetched, LogReader } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import type { Verdict } from '../../topology/ledger-records.js';
import { VERDICTS } from '../../topology/topics.js';

/** A log and how to read it. */
export type LogSource = { readonly reader: LogReader; readonly serdes: Serdes };

/** A record with its place. `time`: append time, ms. */
export type Placed<Value> = { readonly value: Value; readonly at: Coordinates; readonly time: number };

/**
 * Writes an observation and waits for the ledger's verdict on it, at most so many ms. `undefined`: there was none in time;
 * that the ledger stands still says nothing about what it will decide.
 */
export const verdictOn = async (
  source: LogSource,
  partition: number,
  write: () => Promise<Coordinates | undefined>,
  withinMs: number,
  stop?: AbortSignal,
): Promise<Placed<Verdict> | undefined> => {
  const writeOne = async () => [await write()].filter((cause) => cause !== undefined);
  const { written, verdicts } = await verdictsOn(source, [partition], writeOne, withinMs, stop);
  const [cause] = written;
  return cause === undefined ? undefined : verdicts.get(placeOf(cause));
};

/** As `verdictOn` for what `write` writes into any of the partitions; the verdicts by `placeOf` what they are about. */
export const verdictsOn = async (
  { reader, serdes }: LogSource,
  partitions: readonly number[],
  write: () => Promise<readonly Coordinates[]>,
  withinMs: number,
  stop?: AbortSignal,
): Promise<{
  readonly written: readonly Coordinates[];
  readonly verdicts: ReadonlyMap<string, Placed<Verdict>>;
}> => {
  // Looked at before the write: a verdict can only come after it.
  const bounds = await reader.bounds(partitions.map((partition) => ({ topic: VERDICTS.name, partition })));
  const written = await write();
  const verdicts = new Map<string, Placed<Verdict>>();
  const time = AbortSignal.timeout(withinMs);
  await Promise.all(
    bounds.map(async ({ partition, end }) => {
      const awaited = new Set(written.filter((cause) => cause.partition === partition).map(placeOf));
      if (awaited.size === 0) return;
      const enough = new AbortController();
      const signal = AbortSignal.any([enough.signal, time, ...(stop === undefined ? [] : [stop])]);
      const take = async ({ records }: Fetched): Promise<void> => {
        await serdes.prepare(
          VERDICTS,
          records.flatMap(({ value }) => (value === null ? [] : [value])),
        );
        for (const { value: bytes, offset, time } of records) {
          const read = bytes === null ? undefined : serdes.deserialize(VERDICTS, bytes);
          if (read?.kind !== 'value' || read.value.trigger !== 'observation' || read.value.cause === undefined)
            continue;
          const place = placeOf(read.value.cause);
          if (!awaited.delete(place)) continue;
          verdicts.set(place, { value: read.value, at: { topic: VERDICTS.name, partition, offset }, time });
          if (awaited.size === 0) enough.abort();
        }
      };
      await reader.read({ topic: VERDICTS.name, partition }, { from: end }, take, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }),
  );
  return { written, verdicts };
};

/** A place among the task events. */
export const placeOf = ({ partition, offset }: Coordinates): string => `${partition}/${offset.toString()}`;
