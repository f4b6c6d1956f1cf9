import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';

/**
 * Writes to a store for ever, to be killed while it does: each batch one new key and the number of keys so far. Says on
 * stdout how many were acknowledged.
 */
const [directory = ''] = process.argv.slice(2);
const { store, trusted } = await new RocksStateStores(directory).open('killed');
const [count] = await store.getMany(['!count']);
process.stdout.write(`opened ${trusted}\n`);
for (let next = count === undefined ? 0 : Number(Buffer.from(count).toString()); ; next += 1) {
  await store.write([
    [`key-${next}`, Buffer.alloc(500, next)],
    ['!count', Buffer.from(String(next + 1))],
  ]);
  process.stdout.write(`${next + 1}\n`);
  // Writing is synchronous inside the binding; without this nothing would reach the pipe.
  await new Promise((resolve) => setImmediate(resolve));
}
