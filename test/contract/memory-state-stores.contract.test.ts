import { MemoryStateStores } from '../../infra/memory/memory-state-stores.js';
import { stateStoresContract } from './state-stores.contract.js';

stateStoresContract('in memory', () => {
  const stores = new MemoryStateStores();
  return Promise.resolve({ stores, restart: () => stores, cleanUp: () => Promise.resolve() });
});
