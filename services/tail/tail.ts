import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../../infra/errors.js';
import type { Fetched, PartitionRef, Position } from '../../infra/streams/ports.js';
import type { LogSource } from '../console/verdict-log.js';
import { MergedHistory } from './merged-history.js';
import { SettlingOrder } from './settling-order.js';
import { passes, type TailFilter } from './tail-filter.js';
import type { TailKind } from './tail-kinds.js';
import { compareTailed, type TailedRecord } from './tailed-record.js';

export type TailOptions = {
  readonly kinds: readonly TailKind[];
  /** A time is an append time, ms. */
  readonly from: 'beginning' | 'latest' | { readonly time: number };
  readonly filter: TailFilter;
  /** How many records are told before it ends. */
  readonly limit?: number;
  /** Whether it goes on when everything that was there is told. */
  readonly follow: boolean;
};

export type TailLog = LogSource & {
  readonly partitionCounts: (topics: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly offsetsAt: (topics: readonly string[], time: number) => Promise<readonly Position[]>;
};

export type TailEvents = {
  readonly onRecord: (record: TailedRecord) => void;
  /** The registry does not answer: records wait until it does. */
  readonly onWaiting: (error: HoldfastError) => void;
};

type Range = PartitionRef & { readonly kind: TailKind; readonly from: bigint; readonly end: bigint };

/** Records of the same moment reach us within this, ms: each partition is fetched by itself. */
const SETTLING_MS = 100;
const ASK_AGAIN_MS = 1_000;

/**
 * Tells what lies on the topics, then what comes, read committed. What is there is told in order of append time; what
 * comes is, as far as it comes together. Ends when it is told to, with the limit, or with the end where it does not
 * follow. @throws HoldfastError
 */
export const tail = async (
  log: TailLog,
  options: TailOptions,
  events: TailEvents,
  stop: AbortSignal,
): Promise<void> => {
  const enough = new AbortController();
  const signal = AbortSignal.any([stop, enough.signal]);
  // One reader a partition listens to it.
  setMaxListeners(0, signal);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  const give = (record: TailedRecord): void => {
    if (left <= 0 || !passes(options.filter, record)) return;
    events.onRecord(record);
    left -= 1;
    if (left === 0) enough.abort();
  };
  const compare = (a: TailedRecord, b: TailedRecord): number => compareTailed(a, b, options.kinds);
  const reading: Reading = { log, events, signal };
  const ranges = await rangesOf(log, options);
  try {
    await tellHistory(reading, ranges, new MergedHistory(compare, give));
    if (options.follow && !signal.aborted)
      await tellNews(reading, ranges, new SettlingOrder(compare, give, SETTLING_MS));
  } finally {
    enough.abort();
  }
};

type Reading = { readonly log: TailLog; readonly events: TailEvents; readonly signal: AbortSignal };

const rangesOf = async (log: TailLog, { kinds, from }: TailOptions): Promise<readonly Range[]> => {
  const topics = kinds.map(({ topic }) => topic.name);
  const counts = await log.partitionCounts(topics);
  const refs = kinds.flatMap((kind) =>
    Array.from({ length: counts.get(kind.topic.name) ?? 0 }, (_, partition) => ({
      kind,
      topic: kind.topic.name,
      partition,
    })),
  );
  const bounds = await log.reader.bounds(refs);
  const timely = typeof from === 'object' ? await log.offsetsAt(topics, from.time) : [];
  return refs.map((ref) => {
    const here = ({ topic, partition }: PartitionRef): boolean => topic === ref.topic && partition === ref.partition;
    const { low, end } = bounds.find(here) ?? { low: 0n, end: 0n };
    const wanted = from === 'beginning' ? low : from === 'latest' ? end : (timely.find(here)?.offset ?? end);
    return { ...ref, from: wanted < low ? low : wanted, end };
  });
};

const tellHistory = async (reading: Reading, ranges: readonly Range[], merged: MergedHistory<TailedRecord>) => {
  const { signal } = reading;
  const past = ranges.filter(({ from, end }) => from < end).map((range) => ({ range, source: merged.open() }));
  const abandon = (): void => {
    merged.abandon();
  };
  signal.addEventListener('abort', abandon, { once: true });
  await all(
    reading,
    past.map(async ({ range: { kind, topic, partition, from, end }, source }) => {
      await readAs(reading, kind, { topic, partition }, { from, to: end }, source.put);
      source.end();
    }),
    abandon,
  );
  signal.removeEventListener('abort', abandon);
};

const tellNews = async (reading: Reading, ranges: readonly Range[], settling: SettlingOrder<TailedRecord>) => {
  try {
    await all(
      reading,
      ranges.map(({ kind, topic, partition, from, end }) =>
        readAs(reading, kind, { topic, partition }, { from: from > end ? from : end }, (records) => {
          settling.put(records);
          return Promise.resolve();
        }),
      ),
      () => undefined,
    );
  } finally {
    settling.close();
  }
};

/** Waits for all; the first that fails ends them. An end that was asked for is no failure. */
const all = async ({ signal }: Reading, reads: readonly Promise<void>[], onFailed: () => void): Promise<void> => {
  try {
    await Promise.all(reads);
  } catch (error) {
    onFailed();
    if (!signal.aborted) throw error;
  }
};

const readAs = async (
  { log, events, signal }: Reading,
  kind: TailKind,
  ref: PartitionRef,
  range: { readonly from: bigint; readonly to?: bigint },
  take: (records: readonly TailedRecord[]) => Promise<void>,
): Promise<void> => {
  await log.reader.read(
    ref,
    range,
    async (fetched) => {
      await prepare(log, events, kind, fetched, signal);
      if (!signal.aborted) await take(recordsOf(log, kind, fetched));
    },
    signal,
  );
};

/** Waits for the registry for as long as it takes: without the schemas a record that can be read would look like none. */
const prepare = async (
  { serdes }: TailLog,
  { onWaiting }: TailEvents,
  { topic }: TailKind,
  { records }: Fetched,
  signal: AbortSignal,
): Promise<void> => {
  const values = records.flatMap(({ value }) => (value === null ? [] : [value]));
  while (!signal.aborted)
    try {
      await serdes.prepare(topic, values);
      return;
    } catch (error) {
      if (!(error instanceof HoldfastError && error.retryable)) throw error;
      onWaiting(error);
      await delay(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
};

const recordsOf = ({ serdes }: TailLog, kind: TailKind, { records }: Fetched): readonly TailedRecord[] =>
  records.map(({ topic, partition, offset, time, key, value }) => ({
    kind,
    at: { topic, partition, offset },
    time,
    key,
    content: contentOf(value, () => serdes.deserialize(kind.topic, value ?? new Uint8Array())),
  }));

const contentOf = (
  value: Uint8Array | null,
  read: () => ReturnType<TailLog['serdes']['deserialize']>,
): TailedRecord['content'] => {
  if (value === null) return { kind: 'tombstone' };
  const content = read();
  return content.kind === 'value' ? content : { ...content, bytes: value.length };
};
