import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';
import { stateStoresContract } from './state-stores.contract.js';

stateStoresContract('on RocksDB', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-rocks-'));
  return {
    stores: new RocksStateStores(directory),
    restart: () => new RocksStateStores(directory),
    cleanUp: () => rm(directory, { recursive: true }),
  };
});
