import { readdir } from 'node:fs/promises';
import { storeName } from '../../../infra/streams/open-task.js';
import { POSITION_KEY } from '../../../infra/streams/store-layout.js';
import { RocksStateStores } from '../../../infra/rocksdb/rocks-state-stores.js';
import { isInternalKey } from '../../../topology/kit/record-key.js';
import { ledgerTopology } from '../../../topology/ledger.topology.js';
import type { FaultRun } from './fault-run.js';

export type StoreContents = {
  readonly instance: string;
  readonly partition: number;
  /** The task's position as the store has it. */
  readonly position: Uint8Array | undefined;
  readonly states: ReadonlyMap<string, Uint8Array>;
};

const PAGE = 5_000;

/** Every store that the stopped instances left on the disk. */
export const storeContents = async (run: FaultRun, instances: readonly string[]): Promise<readonly StoreContents[]> => {
  const contents: StoreContents[] = [];
  for (const instance of instances) {
    const directory = run.storesOf(instance);
    const there = new Set(await readdir(directory).catch(() => []));
    for (let partition = 0; partition < run.config.kafka.partitions; partition += 1) {
      const name = storeName(ledgerTopology.applicationId, ledgerTopology.store.name, partition);
      if (there.has(encodeURIComponent(name))) contents.push(await readStore(directory, name, instance, partition));
    }
  }
  return contents;
};

const readStore = async (
  directory: string,
  name: string,
  instance: string,
  partition: number,
): Promise<StoreContents> => {
  const { store } = await new RocksStateStores(directory).open(name);
  const states = new Map<string, Uint8Array>();
  try {
    const [position] = await store.getMany([POSITION_KEY]);
    for (let from = ''; ;) {
      const page = await store.range({ from, to: '\u{10ffff}', limit: PAGE });
      for (const [key, value] of page) if (!isInternalKey(key)) states.set(key, value);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return { instance, partition, position, states };
      from = `${last[0]}\u0000`;
    }
  } finally {
    await store.close();
  }
};
