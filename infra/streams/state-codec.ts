import type { Topic } from '../../topology/kit/topology.js';
import { StoreFailedError, TaskCorruptedError, TopologyInvalidError } from './errors.js';
import type { PartitionRef } from './ports.js';
import type { Serdes } from './serdes.js';
import type { TaskPosition } from './task-position.js';

/** States and positions as bytes: the same in the store and on the changelog. */
export type StateCodec<State, Shared> = {
  readonly prepare: (values: readonly Uint8Array[]) => Promise<void>;
  readonly encode: (state: State) => Uint8Array;
  readonly headers: (of: 'state' | 'position') => Readonly<Record<string, Uint8Array>>;
  /** @throws StoreFailedError the store's bytes cannot be read: it is wiped and restored */
  readonly decodeStored: (key: string, bytes: Uint8Array) => State;
  /** @throws TaskCorruptedError the changelog's bytes cannot be read: a fault of the machine, the instance stops */
  readonly decodeLogged: (partition: PartitionRef, key: string, bytes: Uint8Array) => State;
  readonly encodePosition: (position: TaskPosition<Shared>) => Uint8Array;
  /** @throws TaskCorruptedError */
  readonly decodePosition: (partition: PartitionRef, key: string, bytes: Uint8Array) => TaskPosition<Shared>;
};

/**
 * The changelog carries two record types: the state (first of `changelog.records`) and the position (second).
 * @throws TopologyInvalidError the changelog does not name both
 */
export const stateCodec = <State, Shared>(changelog: Topic<State>, serdes: Serdes): StateCodec<State, Shared> => {
  const [stateRecord, positionRecord] = changelog.records;
  if (stateRecord === undefined || positionRecord === undefined)
    throw new TopologyInvalidError(changelog.name, ['a changelog carries a record for states and one for positions']);
  const positions: Topic<TaskPosition<Shared>> = {
    name: changelog.name,
    records: changelog.records,
    partitioning: changelog.partitioning,
    cleanup: changelog.cleanup,
  };
  const logged = <Value>(topic: Topic<Value>, partition: PartitionRef, key: string, bytes: Uint8Array): Value => {
    const decoded = serdes.deserialize(topic, bytes);
    if (decoded.kind === 'failed') throw new TaskCorruptedError(partition, key, decoded.detail);
    return decoded.value;
  };
  return {
    prepare: (values) => serdes.prepare(changelog, values),
    headers: (of) => serdes.headers?.(of === 'state' ? stateRecord : positionRecord) ?? {},
    encode: (state) => serdes.serialize(changelog, stateRecord, state),
    decodeStored: (key, bytes) => {
      const decoded = serdes.deserialize(changelog, bytes);
      if (decoded.kind === 'failed')
        throw new StoreFailedError(
          `the store holds an unreadable state under ${JSON.stringify(key)}: ${decoded.detail}`,
        );
      return decoded.value;
    },
    decodeLogged: (partition, key, bytes) => logged(changelog, partition, key, bytes),
    encodePosition: (position) => serdes.serialize(positions, positionRecord, position),
    decodePosition: (partition, key, bytes) => logged(positions, partition, key, bytes),
  };
};
