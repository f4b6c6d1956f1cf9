import type { StateStore, TransactionalProducer } from '../streams/ports.js';
import { POSITION_KEY } from '../streams/store-layout.js';

/** Wrong ways to commit. A suite that does not notice them proves nothing. */
export type Sabotage =
  /** The store is written before the transaction is committed. */
  | 'store-before-commit'
  /** The position is not in the transaction. */
  | 'position-not-on-changelog';

const text = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString();

export const sabotaged = (
  producer: TransactionalProducer,
  sabotage: Sabotage,
  changelog: string,
  storeOf: (partition: number) => StateStore | undefined,
): TransactionalProducer => ({
  close: () => producer.close(),
  commit: async (transaction) => {
    const isPosition = ({ key, topic }: { key: Uint8Array | null; topic: string }): boolean =>
      topic === changelog && text(key) === POSITION_KEY;
    if (sabotage === 'position-not-on-changelog')
      return producer.commit({ ...transaction, records: transaction.records.filter((record) => !isPosition(record)) });
    for (const record of transaction.records)
      if (record.topic === changelog && !isPosition(record))
        await storeOf(record.partition)?.write([[text(record.key), record.value ?? undefined]]);
    return producer.commit(transaction);
  },
});
