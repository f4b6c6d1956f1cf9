import type { LogRecord, PartitionRef } from '../streams/ports.js';
import type { AbortedTransaction } from './fetch-protocol.js';
import type { DecodedBatch } from './record-batch-decoder.js';
import { eachRecord } from './record-batch-decoder.js';

const ABORT_MARKER = 0;

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
): LogRecord[] {
  const records: LogRecord[] = [];
  const beginnings = aborted.toSorted((a, b) =>
    a.firstOffset < b.firstOffset ? -1 : a.firstOffset > b.firstOffset ? 1 : 0,
  );
  const underWay = new Set<bigint>();
  let begun = 0;
  for (const batch of batches) {
    for (
      let next = beginnings[begun];
      next !== undefined && next.firstOffset <= batch.lastOffset;
      next = beginnings[begun]
    ) {
      underWay.add(next.producerId);
      begun += 1;
    }
    if (batch.control) {
      if (isAbortMarker(batch)) underWay.delete(batch.producerId);
      continue;
    }
    if (batch.transactional && underWay.has(batch.producerId)) continue;
    eachRecord(batch, (offsetDelta, time, key, value, headers) => {
      const offset = batch.baseOffset + BigInt(offsetDelta);
      if (offset < range.from || (range.to !== undefined && offset >= range.to)) return;
      records.push({ topic, partition, offset, time, key, value, headers });
    });
  }
  return records;
}

/** Key of a control record: version and type, two bytes each. The cleaner may have emptied the batch. */
function isAbortMarker(batch: DecodedBatch): boolean {
  let abort = false;
  eachRecord(batch, (_offsetDelta, _time, key) => {
    abort ||= key !== null && key.length >= 4 && ((key[2] ?? 0) << 8) + (key[3] ?? 0) === ABORT_MARKER;
  });
  return abort;
}
