import { afterAll, describe, expect, it } from '@jest/globals';
import { FaultSocket } from './kafka-fault-socket.js';
import { KafkaFixture, readAll, record, rejection, testConnection } from './kafka-fixture.js';

const kafka = new KafkaFixture();
afterAll(() => kafka.clean(), 60_000);

describe('fence and commit', () => {
  it('should show records of several partitions and the positions together, once committed', async () => {
    const topic = await kafka.topic(2);
    const groupId = kafka.name('group');
    const clients = kafka.clients(groupId);
    const lock = kafka.name('lock');
    const producer = await clients.fence(lock);

    const first = await producer.commit({
      records: [
        record({ topic, partition: 0 }, 'a', '1', { source: 'test', empty: '' }),
        record({ topic, partition: 1 }, 'b', '1'),
        record({ topic, partition: 0 }, 'a', null),
      ],
      positions: [{ topic, partition: 0, offset: 7n }],
    });
    const second = await producer.commit({ records: [record({ topic, partition: 0 }, null, '')], positions: [] });
    await clients.fence(lock);

    // A transaction takes one offset more in each partition: its marker.
    expect(first).toStrictEqual([
      { topic, partition: 0, baseOffset: 0n },
      { topic, partition: 1, baseOffset: 0n },
    ]);
    expect(second).toStrictEqual([{ topic, partition: 0, baseOffset: 3n }]);
    const { records, fetched } = await readAll(clients.reader, { topic, partition: 0 });
    expect(records).toStrictEqual(['0 a=1', '1 a=null', '3 null=']);
    const headers = fetched[0]?.records[0]?.headers ?? {};
    expect(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString()])).toStrictEqual([
      ['source', 'test'],
      ['empty', ''],
    ]);
    expect((await readAll(clients.reader, { topic, partition: 1 })).records).toStrictEqual(['0 b=1']);
    expect(await kafka.admin.committedOffsets(groupId, [topic])).toStrictEqual([{ topic, partition: 0, offset: 7n }]);
  });

  it('should commit positions without records, and nothing at all without asking the broker', async () => {
    const topic = await kafka.topic();
    const groupId = kafka.name('group');
    const clients = kafka.clients(groupId);
    const lock = kafka.name('lock');
    const producer = await clients.fence(lock);

    expect(await producer.commit({ records: [], positions: [] })).toStrictEqual([]);
    expect(await producer.commit({ records: [], positions: [{ topic, partition: 0, offset: 3n }] })).toStrictEqual([]);

    await clients.fence(lock);
    expect(await kafka.admin.committedOffsets(groupId, [topic])).toStrictEqual([{ topic, partition: 0, offset: 3n }]);
  });

  it.each(['AddPartitionsToTxn', 'Produce', 'AddOffsetsToTxn', 'TxnOffsetCommit', 'EndTxn'])(
    'should refuse the former owner when a successor took the lock before its %s',
    async (step) => {
      const at = { topic: await kafka.topic(), partition: 0 };
      const lock = kafka.name('lock');
      const groupId = kafka.name('group');
      const faults = new FaultSocket();
      const zombie = await kafka.clients(groupId, testConnection({ socketFactory: faults.factory })).fence(lock);
      const successor = kafka.clients(groupId);
      await zombie.commit({ records: [record(at, 'k', 'before')], positions: [{ ...at, offset: 1n }] });

      // The step's request waits at the socket until the successor has fenced.
      const fenced = faults.holdNext(step, () => successor.fence(lock));
      const error = await rejection(
        zombie.commit({ records: [record(at, 'k', 'zombie')], positions: [{ ...at, offset: 2n }] }),
      );
      const owner = await fenced;
      await owner.commit({ records: [record(at, 'k', 'after')], positions: [{ ...at, offset: 3n }] });
      await successor.fence(lock);

      expect([error.name, error.code]).toStrictEqual(['FencedError', 'HOLDFAST_STREAM_FENCED']);
      const { records } = await readAll(successor.reader, at);
      expect(records.map((line) => line.split(' ')[1])).toStrictEqual(['k=before', 'k=after']);
      expect(await kafka.admin.committedOffsets(groupId, [at.topic])).toStrictEqual([{ ...at, offset: 3n }]);
    },
    60_000,
  );

  it('should be dead after a failure, whatever it is asked then', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const lock = kafka.name('lock');
    const clients = kafka.clients(kafka.name('group'));
    const producer = await clients.fence(lock);
    await clients.fence(lock);

    await rejection(producer.commit({ records: [record(at, 'k', '1')], positions: [] }));
    const again = await rejection(producer.commit({ records: [record(at, 'k', '1')], positions: [] }));
    await producer.close();

    expect([again.code, again.message.split(':')[0]]).toStrictEqual(['HOLDFAST_STREAM_BROKER', 'the producer is dead']);
    expect((await readAll(clients.reader, at)).records).toStrictEqual([]);
  });

  it('should refuse a second commit while one is under way', async () => {
    const at = { topic: await kafka.topic(), partition: 0 };
    const clients = kafka.clients(kafka.name('group'));
    const producer = await clients.fence(kafka.name('lock'));

    const first = producer.commit({ records: [record(at, 'k', '1')], positions: [] });
    const second = await rejection(producer.commit({ records: [record(at, 'k', '2')], positions: [] }));

    expect(second.code).toBe('HOLDFAST_STREAM_BROKER');
    expect((await rejection(first)).code).toBe('HOLDFAST_STREAM_BROKER');
  });
});

describe('a lost request or answer', () => {
  // Before EndTxn reached the broker the successor's fence aborts; after it, the transaction stands.
  it.each([
    ['AddPartitionsToTxn', 'request lost', false],
    ['AddPartitionsToTxn', 'answer lost', false],
    ['AddOffsetsToTxn', 'request lost', false],
    ['AddOffsetsToTxn', 'answer lost', false],
    ['EndTxn', 'request lost', false],
    ['EndTxn', 'answer lost', true],
  ] as const)(
    'should leave all or nothing behind: %s, %s',
    async (api, fault, stands) => {
      const at = { topic: await kafka.topic(), partition: 0 };
      const lock = kafka.name('lock');
      const groupId = kafka.name('group');
      const faults = new FaultSocket();
      const clients = kafka.clients(groupId, testConnection({ socketFactory: faults.factory }));
      const producer = await clients.fence(lock);
      await producer.commit({ records: [record(at, 'k', 'before')], positions: [{ ...at, offset: 1n }] });

      faults.always(api, fault);
      const error = await rejection(
        producer.commit({ records: [record(at, 'k', 'this')], positions: [{ ...at, offset: 2n }] }),
      );
      faults.clear();
      await producer.close();
      const next = await clients.fence(lock);

      expect(error.code).toBe('HOLDFAST_STREAM_BROKER');
      const values = async (): Promise<(string | undefined)[]> =>
        (await readAll(clients.reader, at)).records.map((line) => line.split('=')[1]);
      expect(await values()).toStrictEqual(stands ? ['before', 'this'] : ['before']);
      expect(await kafka.admin.committedOffsets(groupId, [at.topic])).toStrictEqual([
        { ...at, offset: stands ? 2n : 1n },
      ]);
      await next.commit({ records: [record(at, 'k', 'after')], positions: [{ ...at, offset: 3n }] });
      await clients.fence(lock);
      expect(await values()).toStrictEqual(stands ? ['before', 'this', 'after'] : ['before', 'after']);
    },
    60_000,
  );

  it.each(['Produce', 'TxnOffsetCommit'])(
    'should commit once when a single answer to %s is lost',
    async (api) => {
      const at = { topic: await kafka.topic(), partition: 0 };
      const groupId = kafka.name('group');
      const faults = new FaultSocket();
      const clients = kafka.clients(groupId, testConnection({ socketFactory: faults.factory }));
      const lock = kafka.name('lock');
      const producer = await clients.fence(lock);

      faults.once(api, 'answer lost');
      const outcome = await producer
        .commit({ records: [record(at, 'k', 'this')], positions: [{ ...at, offset: 2n }] })
        .then(
          () => 'committed',
          () => 'failed',
        );
      await clients.fence(lock);

      const { records } = await readAll(clients.reader, at);
      expect(records).toStrictEqual(outcome === 'committed' ? ['0 k=this'] : []);
    },
    60_000,
  );
});
