import { describe, expect, test } from '@jest/globals';
import { BaseOffsetError } from '../../infra/streams/errors.js';
import { BaseOffsets } from '../../infra/streams/exactly-once-commit.js';
import { REMEDIES, remedyFor } from '../../infra/streams/failure-policy.js';
import { InputQueue } from '../../infra/streams/input-queue.js';
import type { LogRecord } from '../../infra/streams/ports.js';
import * as errors from '../../infra/streams/errors.js';
import { HoldfastError } from '../../infra/errors.js';
import { added } from '../kit/counter-scenario.js';
import { ADDITIONS, COUNTS, counterTopology } from '../kit/counter-topology.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';

const SOURCE = { topic: 'additions', partition: 0 };
const record = (offset: bigint): LogRecord => ({
  ...SOURCE,
  offset,
  time: 0,
  key: null,
  value: new Uint8Array(10),
  headers: {},
});
const settled = async (promise: Promise<void>): Promise<boolean> =>
  Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) =>
      setImmediate(() => {
        resolve(false);
      }),
    ),
  ]);

describe('what a partition has fetched', () => {
  test('should hold the fetcher back while it is full, by records or by bytes', async () => {
    for (const bounds of [
      { records: 3, bytes: 1_000 },
      { records: 1_000, bytes: 25 },
    ]) {
      const queue = new InputQueue(0n, bounds);
      const { room: first } = queue.offer({ ...SOURCE, from: 0n, next: 2n, records: [record(0n), record(1n)] });
      const { room: second } = queue.offer({ ...SOURCE, from: 2n, next: 3n, records: [record(2n)] });

      expect([await settled(first), await settled(second)]).toStrictEqual([true, false]);
      queue.drop(1);
      expect(await settled(second)).toBe(true);
    }
  });

  test('should refuse a delivery that does not join the one before, and drop what it has already', () => {
    const queue = new InputQueue(5n, { records: 10, bytes: 1_000 });

    expect(queue.offer({ ...SOURCE, from: 7n, next: 8n, records: [record(7n)] }).joined).toBe(false);
    expect(queue.offer({ ...SOURCE, from: 3n, next: 7n, records: [record(3n), record(5n), record(6n)] }).joined).toBe(
      true,
    );
    // Nothing readable there, and still further.
    expect(queue.offer({ ...SOURCE, from: 7n, next: 9n, records: [] }).joined).toBe(true);

    expect(queue.peek(10).map(({ offset }) => offset)).toStrictEqual([5n, 6n]);
    expect(queue.next).toBe(9n);
  });

  test('should let the fetcher go when it is closed', async () => {
    const queue = new InputQueue(0n, { records: 1, bytes: 1_000 });
    const { room } = queue.offer({ ...SOURCE, from: 0n, next: 1n, records: [record(0n)] });
    queue.close();

    expect(await settled(room)).toBe(true);
    expect(queue.length).toBe(0);
  });
});

describe('the watch over base offsets', () => {
  test('should refuse an offset that was given out before', () => {
    const bases = new BaseOffsets();
    bases.check([{ ...SOURCE, baseOffset: 5n }]);
    bases.check([{ ...SOURCE, partition: 1, baseOffset: 5n }]);
    bases.check([{ ...SOURCE, baseOffset: 7n }]);

    expect(() => {
      bases.check([{ ...SOURCE, baseOffset: 7n }]);
    }).toThrow(BaseOffsetError);
    expect(() => {
      bases.check([{ ...SOURCE, baseOffset: 6n }]);
    }).toThrow('below 8');
  });

  test('should stop the instance', async () => {
    const driver = new TopologyTestDriver(counterTopology, { client: { staleBases: true } });
    await driver.pipe(ADDITIONS, 'a', added(1));

    await expect(driver.pipe(ADDITIONS, 'a', added(1))).rejects.toThrow(BaseOffsetError);
    expect(driver.read(COUNTS).length).toBe(2);
  });
});

describe('the failure policy', () => {
  test('should have a remedy for every error of the runtime, and no others', () => {
    const every = [
      new errors.FencedError('id'),
      new errors.BrokerError(''),
      new errors.OffsetLostError(SOURCE, 1n, 2n),
      new errors.TopicMissingError([]),
      new errors.StoreLockedError(''),
      new errors.StoreFailedError(''),
      new errors.PartitionsUnequalError(new Map(), ''),
      new errors.TaskCorruptedError(SOURCE, '', ''),
      new errors.StateLostError(SOURCE, SOURCE),
      new errors.ProcessorFaultError(''),
      new errors.BaseOffsetError(SOURCE, 1n, 2n),
      new errors.RepeatedlyFencedError('id', ''),
      new errors.MembershipLostError(''),
      new errors.TopologyInvalidError('', []),
    ];

    expect(every.map(({ name }) => name).sort()).toStrictEqual(Object.keys(errors).sort());
    const codes = [...every.map(({ code }) => code), 'HOLDFAST_KAFKA_RECORD_TOO_LARGE'];
    expect(codes.sort()).toStrictEqual(Object.keys(REMEDIES).sort());
  });

  test('should retry what another area calls retryable, and stop for what it does not know', () => {
    const away = new HoldfastError('registry', { code: 'HOLDFAST_REGISTRY_UNREACHABLE', retryable: true });
    const lacking = new HoldfastError('registry', { code: 'HOLDFAST_REGISTRY_NOT_REGISTERED', retryable: false });

    expect(remedyFor(away)).toStrictEqual({ action: 'retry' });
    expect(remedyFor(lacking)).toStrictEqual({ action: 'stop' });
    expect(remedyFor(new TypeError('a bug'))).toStrictEqual({ action: 'stop' });
    expect(remedyFor('nothing')).toStrictEqual({ action: 'stop' });
  });
});
