import type { LogReader } from '../../infra/streams/ports.js';
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
  { reader, serdes }: LogSource,
  partition: number,
  write: () => Promise<Coordinates | undefined>,
  withinMs: number,
  stop?: AbortSignal,
): Promise<Placed<Verdict> | undefined> => {
  const verdicts = { topic: VERDICTS.name, partition };
  // Looked at before the write: the verdict can only come after it.
  const [bounds] = await reader.bounds([verdicts]);
  const cause = await write();
  if (cause === undefined) return undefined;
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(withinMs), ...(stop === undefined ? [] : [stop])]);
  let found: Placed<Verdict> | undefined;
  const reading = reader.read(
    verdicts,
    { from: bounds?.end ?? 0n },
    async ({ records }) => {
      await serdes.prepare(
        VERDICTS,
        records.flatMap(({ value }) => (value === null ? [] : [value])),
      );
      for (const { value, offset, time } of records) {
        const read = value === null ? undefined : serdes.deserialize(VERDICTS, value);
        if (read?.kind !== 'value' || read.value.trigger !== 'observation') continue;
        if (read.value.cause?.partition !== partition || read.value.cause.offset !== cause.offset) continue;
        found = { value: read.value, at: { ...verdicts, offset }, time };
        enough.abort();
        return;
      }
    },
    signal,
  );
  await reading.catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return found;
};
