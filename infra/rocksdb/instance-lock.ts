import { HoldfastError } from '../errors.js';
import { StoreLockedError } from '../streams/errors.js';
import { RocksStateStores } from './rocks-state-stores.js';

/** Another process runs with this state directory. */
export class InstanceRunningError extends HoldfastError {
  constructor(directory: string, cause: unknown) {
    super(
      `the state directory ${directory} belongs to a process that runs: give this one another name (--instance), or stop the other`,
      { code: 'HOLDFAST_INSTANCE_RUNNING', retryable: false, cause },
    );
  }
}

const LOCK = 'instance-lock';

/**
 * Takes a state directory for this process, and gives it back when what it returns is called, or with the process. Each
 * store has a lock of its own; this one is for the whole, so that a second process is refused before it joins anything.
 * @throws InstanceRunningError
 */
export const lockInstance = async (directory: string): Promise<() => Promise<void>> => {
  try {
    const { store } = await new RocksStateStores(directory).open(LOCK);
    return store.close;
  } catch (error) {
    throw error instanceof StoreLockedError ? new InstanceRunningError(directory, error) : error;
  }
};
