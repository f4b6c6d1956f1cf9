import type { LogRecord, PartitionRef } from '../streams/ports.js';
import type { AbortedTransaction } from './fetch-protocol.js';
import type { DecodedBatch } from './record-batch-decoder.js';
import { eachRecord } from './record-batch-decoder.js';

const ABORT_MARKER = 0;

/** A handful of compressed bytes can hold millions of records: more are left to the next fetch, which comes by them again. */
const MAX_RECORDS = 50_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** What was read, and the offset to read from next: that behind the batches, unless they hold too much for one time. */
export type CommittedRecords = { readonly records: LogRecord[]; readonly next: bigint };

/**
 * The records with offsets from `from` on, below `to`, that were committed or never part of a transaction. `aborted`:
 * the broker's list, which it orders by abort and this by beginning. A transaction is over with its own marker only, so
 * those of several producers may interleave; a record is a marker when its batch says so, whatever its key looks like.
 */
export function readCommitted(
  { topic, partition }: PartitionRef,
  batches: readonly DecodedBatch[],
  aborted: readonly AbortedTransaction[],
  range: { readonly from: bigint; readonly to: bigint | undefined },
  limits = { records: MAX_RECORDS, bytes: MAX_BYTES },
): CommittedRecords {
  const records: LogRecord[] = [];
  let bytes = 0;
  let next = range.from;
  /** `false`: no more fit. */
  const take = (record: LogRecord): boolean => {
    if (record.offset < range.from || (range.to !== undefined && record.offset >= range.to)) return true;
    if (records.length >= limits.records) return false;
    records.push(record);
    return true;
  };
  const beginnings = aborted.toSorted((a, b) =>
    a.firstOffset < b.firstOffset ? -1 : a.firstOffset > b.firstOffset ? 1 : 0,
  );
  const underWay = new Set<bigint>();
  let begun = 0;
  for (const batch of batches) {
    for (
      let transaction = beginnings[begun];
      transaction !== undefined && transaction.firstOffset <= batch.lastOffset;
      transaction = beginnings[begun]
    ) {
      underWay.add(transaction.producerId);
      begun += 1;
    }
    if (batch.control && isAbortMarker(batch)) underWay.delete(batch.producerId);
    if (!batch.control && !(batch.transactional && underWay.has(batch.producerId))) {
      const at = (delta: number): bigint => batch.baseOffset + BigInt(delta);
      const { looked, whole } = eachRecord(batch, {
        record: (delta, time, key, value, headers) =>
          take({ topic, partition, offset: at(delta), time, key, value, headers }),
        fault: (delta, time, unreadable) => take({ topic, partition, offset: at(delta), time, ...NOTHING, unreadable }),
      });
      bytes += looked;
      if (!whole) return { records, next: (records.at(-1)?.offset ?? next - 1n) + 1n };
    }
    next = batch.lastOffset + 1n;
    if (bytes >= limits.bytes) break;
  }
  return { records, next };
}

const NOTHING = { key: null, value: null, headers: {} } as const;

/** Key of a control record: version and type, two bytes each. The cleaner may have emptied the batch. */
function isAbortMarker(batch: DecodedBatch): boolean {
  let abort = false;
  eachRecord(batch, {
    record: (_offsetDelta, _time, key) => {
      abort ||= key !== null && key.length >= 4 && ((key[2] ?? 0) << 8) + (key[3] ?? 0) === ABORT_MARKER;
      return !abort;
    },
    fault: () => false,
  });
  return abort;
}
