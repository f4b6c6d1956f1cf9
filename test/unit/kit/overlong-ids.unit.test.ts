import { describe, expect, test } from '@jest/globals';
import { NO_CONTRACTS } from '../../../topology/agent/contracts.js';
import { partitionOf } from '../../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import type { Incoming } from '../../../topology/kit/topology.js';
import type { Observation } from '../../../topology/observation.js';
import { quarantine } from '../../../topology/quarantine.js';

const asideFor = (correlationId: string, messageId: string): string | undefined => {
  const key = utf8(recordKey(undefined, correlationId));
  const value: Observation = {
    type: 'DispatchObserved',
    correlationId,
    agentId: 'w1',
    by: 'client',
    messageId,
    inputKept: true,
    continues: false,
  };
  const incoming: Incoming<Observation> = {
    coordinates: { topic: 't', partition: 0, offset: 0n },
    time: 0,
    key,
    bytes: new Uint8Array(1),
    headers: {},
    sha256: '',
    decoded: { kind: 'value', value },
  };
  const around = { now: 0, partition: partitionOf(key, 4), partitions: 4, shared: {}, global: NO_CONTRACTS };
  return quarantine(incoming, around)?.reason;
};

/** A unit's record keeps its IDs: three of a hundred kilobytes would be more than a record of Kafka holds. */
describe('IDs', () => {
  test('should be taken up to sixteen thousand characters, and set aside beyond', () => {
    const most = 'x'.repeat(16_384);

    expect(asideFor('c-1', most)).toBeUndefined();
    expect(asideFor('c-1', `${most}x`)).toBe('too-large');
    expect(asideFor(`${most}x`, 'm-1')).toBe('too-large');
  });
});
