import { describe, expect, it } from '@jest/globals';
import { RecordLanes } from '../../../infra/kafka/record-lanes.js';
import type { LogRecord } from '../../../infra/streams/ports.js';

const AT = { topic: 'commands', partition: 3 };
const record = (offset: bigint, key: string): LogRecord => ({
  ...AT,
  offset,
  key: Buffer.from(key),
  value: null,
  time: 0,
  headers: {},
});
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lanes whose records end when the test says so. */
const controlled = () => {
  const started: string[] = [];
  const failures: unknown[] = [];
  const ends = new Map<bigint, { done: () => void; fail: (error: Error) => void }>();
  const lanes = new RecordLanes(
    ({ key, offset }) =>
      new Promise<void>((done, fail) => {
        started.push(`${Buffer.from(key ?? []).toString()}@${offset.toString()}`);
        ends.set(offset, { done, fail });
      }),
    (error) => failures.push(error),
  );
  return { lanes, started, failures, ends, tenure: lanes.open([{ ...AT, offset: 10n }]) };
};

describe('lanes', () => {
  it('should take one record of a key at a time, and others meanwhile', async () => {
    const { tenure, started, ends } = controlled();

    await tenure.deliver(AT, { records: [record(10n, 'a'), record(11n, 'a'), record(12n, 'b')], from: 10n, next: 14n });
    await settle();

    expect(started).toStrictEqual(['a@10', 'b@12']);
    ends.get(10n)?.done();
    await settle();
    expect(started).toStrictEqual(['a@10', 'b@12', 'a@11']);
  });

  it('should call done only what nothing before it is missing from', async () => {
    const { tenure, ends } = controlled();
    await tenure.deliver(AT, { records: [record(10n, 'a'), record(12n, 'b')], from: 10n, next: 14n });
    await settle();

    ends.get(12n)?.done();
    await settle();
    expect(tenure.done()).toStrictEqual([{ ...AT, offset: 10n }]);
    ends.get(10n)?.done();
    await settle();

    expect(tenure.done()).toStrictEqual([{ ...AT, offset: 14n }]);
    expect(tenure.next()).toStrictEqual([{ ...AT, offset: 14n }]);
  });

  it('should leave undone what was given up, and what was waiting, when the tenure ends', async () => {
    const { lanes, tenure, ends, started, failures } = controlled();
    await tenure.deliver(AT, { records: [record(10n, 'a'), record(11n, 'a')], from: 10n, next: 12n });
    await settle();

    tenure.end();
    ends.get(10n)?.fail(new Error('given up'));
    await lanes.idle();

    expect(started).toStrictEqual(['a@10']);
    expect(tenure.done()).toStrictEqual([{ ...AT, offset: 10n }]);
    expect(failures).toStrictEqual([]);
  });

  it('should report a failure, and not pass it', async () => {
    const { tenure, ends, failures } = controlled();
    await tenure.deliver(AT, { records: [record(10n, 'a')], from: 10n, next: 11n });
    await settle();

    ends.get(10n)?.fail(new Error('broke'));
    await settle();

    expect(failures).toStrictEqual([new Error('broke')]);
    expect(tenure.done()).toStrictEqual([{ ...AT, offset: 10n }]);
  });

  it('should not take what does not join what was taken before', async () => {
    const { tenure, started } = controlled();

    await tenure.deliver(AT, { records: [record(20n, 'a')], from: 20n, next: 21n });
    await settle();

    expect(started).toStrictEqual([]);
    expect(tenure.done()).toStrictEqual([{ ...AT, offset: 10n }]);
  });
});
