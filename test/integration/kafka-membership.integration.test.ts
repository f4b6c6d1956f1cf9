import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { corrected } from '../../infra/kafka/corrected-kafkajs.js';
import { kafkaConfig } from '../../infra/kafka/kafka-config.js';
import { assignGroups } from '../../infra/kafka/group-assignment.js';
import type { Membership, StreamClients } from '../../infra/streams/ports.js';
import { FaultSocket } from './kafka-fault-socket.js';
import { eventually, KafkaFixture, readable, record, silent, testConnection } from './kafka-fixture.js';

const kafka = new KafkaFixture();
beforeAll(() => plainAdmin.connect());
afterAll(async () => {
  await plainAdmin.disconnect();
  await kafka.clean();
}, 60_000);

const PARTITIONS = 8;
const GROUPS = 4;
const ALL = [0, 1, 2, 3];

/** A member that keeps what it is told. */
class Member {
  readonly events: string[] = [];
  readonly failures: Error[] = [];
  assigned: readonly number[] | undefined;
  membership: Membership | undefined;
  onRecords: () => Promise<void> = () => Promise.resolve();

  static async join(clients: StreamClients, source: string, groupId: string, instanceId: string): Promise<Member> {
    const member = new Member();
    const subscription = { groupId, source, partitions: PARTITIONS, groups: GROUPS, instanceId };
    member.membership = await clients.join(subscription, {
      onAssigned: (groups) => {
        member.assigned = groups;
        member.events.push(`assigned ${groups.join(',')}`);
      },
      onFetched: async ({ partition, records }) => {
        member.events.push(...records.map((one) => `${partition}: ${readable(one)}`));
        await member.onRecords();
      },
      onFailed: (error) => {
        member.failures.push(error);
      },
    });
    return member;
  }

  run(source: string, partition: number, offset: bigint): void {
    this.membership?.run({ topic: source, partition }, offset);
  }
}

const { kafkajs } = corrected();
const plainAdmin = new kafkajs.Kafka(kafkaConfig(testConnection(), silent)).admin();

const rebalancing = async (groupId: string): Promise<boolean> =>
  (await plainAdmin.describeGroups([groupId])).groups[0]?.state === 'PreparingRebalance';

const shares = (...members: Member[]): (readonly number[] | undefined)[] => members.map(({ assigned }) => assigned);

const together = (...members: Member[]): boolean =>
  members
    .flatMap(({ assigned }) => assigned ?? [])
    .toSorted()
    .join() === ALL.join();

describe('membership', () => {
  it('should assign before it delivers, deliver what is run from the offset named, and nothing else', async () => {
    const source = await kafka.topic(PARTITIONS);
    const clients = kafka.clients(kafka.name('group'));
    const producer = await clients.fence(kafka.name('lock'));
    const written = [0, 1, 2].flatMap((round) =>
      [3, 5].map((partition) => record({ topic: source, partition }, 'k', `${round}`)),
    );
    await producer.commit({ records: written, positions: [] });

    const member = await Member.join(clients, source, kafka.name('group'), 'one');
    await eventually(() => member.assigned, 'an assignment');
    member.run(source, 5, 1n);
    await eventually(() => (member.events.length === 3 ? true : undefined), 'two records');

    expect(member.events).toStrictEqual(['assigned 0,1,2,3', '5: 1 k=1', '5: 2 k=2']);
    member.run(source, 5, 0n);
    await eventually(() => (member.events.length === 6 ? true : undefined), 'three records again');
    expect(member.events.slice(3)).toStrictEqual(['5: 0 k=0', '5: 1 k=1', '5: 2 k=2']);
    await member.membership?.leave();
    expect(member.failures).toStrictEqual([]);
  }, 60_000);

  it('should stop delivering a paused partition', async () => {
    const source = await kafka.topic(PARTITIONS);
    const clients = kafka.clients(kafka.name('group'));
    const lock = kafka.name('lock');
    const producer = await clients.fence(lock);
    const member = await Member.join(clients, source, kafka.name('group'), 'one');
    await eventually(() => member.assigned, 'an assignment');
    for (const partition of [0, 1]) member.run(source, partition, 0n);
    const write = (value: string): Promise<unknown> =>
      producer.commit({
        records: [0, 1].map((partition) => record({ topic: source, partition }, 'k', value)),
        positions: [],
      });

    await write('1');
    await eventually(() => (member.events.length === 3 ? true : undefined), 'the first of both');
    member.membership?.pause({ topic: source, partition: 0 });
    await write('2');
    await eventually(() => (member.events.includes('1: 2 k=2') ? true : undefined), 'the second of one');
    await member.membership?.leave();

    expect(member.events).not.toContain('0: 2 k=2');
  }, 60_000);

  it('should share whole task groups over members that come and go, moving few', async () => {
    const source = await kafka.topic(PARTITIONS);
    const groupId = kafka.name('group');
    const join = (instanceId: string): Promise<Member> =>
      Member.join(kafka.clients(groupId), source, groupId, instanceId);

    const one = await join('one');
    await eventually(() => (together(one) ? true : undefined), 'all for the first');
    const two = await join('two');
    await eventually(() => (two.assigned?.length === 2 && together(one, two) ? true : undefined), 'halves');
    expect(shares(one, two)).toStrictEqual([
      [0, 1],
      [2, 3],
    ]);
    const three = await join('three');
    await eventually(() => (three.assigned?.length === 1 && together(one, two, three) ? true : undefined), 'thirds');
    // Ties are broken by name: "one" keeps both.
    expect(shares(one, two, three)).toStrictEqual([[0, 1], [2], [3]]);
    await two.membership?.leave();
    await eventually(() => (together(one, three) ? true : undefined), 'halves again');

    expect(shares(one, three)).toStrictEqual([
      [0, 1],
      [2, 3],
    ]);
    await Promise.all([one.membership?.leave(), three.membership?.leave()]);
    expect([one, two, three].flatMap(({ failures }) => failures)).toStrictEqual([]);
  }, 90_000);

  it('should drop what an old generation had under way, and wait for the runtime to name positions anew', async () => {
    const source = await kafka.topic(PARTITIONS);
    const groupId = kafka.name('group');
    const clients = kafka.clients(groupId);
    const producer = await clients.fence(kafka.name('lock'));
    const one = await Member.join(clients, source, groupId, 'one');
    await eventually(() => one.assigned, 'an assignment');
    let release: () => void = () => undefined;
    one.onRecords = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    one.run(source, 0, 0n);
    await producer.commit({ records: [record({ topic: source, partition: 0 }, 'k', '1')], positions: [] });
    await eventually(() => (one.events.length === 2 ? true : undefined), 'the first record');

    // The call of the old generation is still under way when the new one begins, and returns in it.
    one.run(source, 2, 0n);
    const two = await Member.join(kafka.clients(groupId), source, groupId, 'two');
    await eventually(() => (together(one, two) && two.assigned?.length === 2 ? true : undefined), 'halves');
    two.run(source, 2, 0n);
    await producer.commit({
      records: [0, 2].map((partition) => record({ topic: source, partition }, 'k', '2')),
      positions: [],
    });
    release();
    one.onRecords = () => Promise.resolve();
    await eventually(() => (two.events.includes('2: 0 k=2') ? true : undefined), 'the record of the other');
    one.run(source, 0, 2n);
    // Not its partition any more: a run of it is nobody's.
    one.run(source, 2, 0n);
    await eventually(() => (one.events.includes('0: 2 k=2') ? true : undefined), 'the second record');
    await producer.commit({ records: [record({ topic: source, partition: 0 }, 'k', '3')], positions: [] });
    await eventually(() => (one.events.includes('0: 4 k=3') ? true : undefined), 'the third record');

    expect(one.events).toStrictEqual(['assigned 0,1,2,3', '0: 0 k=1', 'assigned 0,1', '0: 2 k=2', '0: 4 k=3']);
    await Promise.all([one.membership?.leave(), two.membership?.leave()]);
  }, 90_000);

  it('should confirm itself by a heartbeat sent after it was asked, and not in the next generation', async () => {
    const source = await kafka.topic(PARTITIONS);
    const groupId = kafka.name('group');
    const faults = new FaultSocket();
    const connection = testConnection({ socketFactory: faults.factory });
    const one = await Member.join(kafka.clients(groupId, connection), source, groupId, 'one');
    await eventually(() => one.assigned, 'an assignment');
    const beats = (): number => faults.requests.filter((request) => request === 'Heartbeat').length;

    const before = beats();
    await one.membership?.confirm?.();
    expect(beats()).toBeGreaterThan(before);

    // The group is told to rebalance while the question is open: the new assignment is the answer.
    let confirmed = false;
    let second: Promise<Member> | undefined;
    const held = faults.holdNext('Heartbeat', async () => {
      second = Member.join(kafka.clients(groupId), source, groupId, 'two');
      await second;
      await eventually(async () => ((await rebalancing(groupId)) ? true : undefined), 'the rebalance');
    });
    void one.membership?.confirm?.().then(() => {
      confirmed = true;
    });
    await held;
    const two = await second;
    await eventually(() => (two?.assigned?.length === 2 ? true : undefined), 'halves');
    await one.membership?.confirm?.();

    expect(confirmed).toBe(false);
    await Promise.all([one.membership?.leave(), two?.membership?.leave()]);
  }, 60_000);

  it('should fail when the taker fails', async () => {
    const source = await kafka.topic(PARTITIONS);
    const clients = kafka.clients(kafka.name('group'));
    const producer = await clients.fence(kafka.name('lock'));
    const member = await Member.join(clients, source, kafka.name('group'), 'one');
    await eventually(() => member.assigned, 'an assignment');
    member.onRecords = () => Promise.reject(new Error('cannot take it'));
    member.run(source, 0, 0n);

    await producer.commit({ records: [record({ topic: source, partition: 0 }, 'k', '1')], positions: [] });
    const failure = await eventually(() => member.failures[0], 'the failure');

    expect((failure as { code?: string }).code).toBe('HOLDFAST_STREAM_MEMBERSHIP_LOST');
    expect(failure.cause).toStrictEqual(new Error('cannot take it'));
  }, 60_000);
});

describe('the division of task groups', () => {
  const member = (name: string, owned: number[] = []) => ({ memberId: `${name}-id`, instanceId: name, owned });

  it('should be balanced, complete, deterministic and sticky for any members', () => {
    for (let groups = 1; groups <= 9; groups += 1) {
      for (let count = 1; count <= 5; count += 1) {
        let members = Array.from({ length: count }, (_, index) => member(`m${index}`));
        const first = assignGroups(members, groups);
        members = members.map((one) => ({ ...one, owned: [...(first.get(one.memberId) ?? [])] }));
        const again = assignGroups(members.toReversed(), groups);
        const joined = assignGroups([...members, member('a-new-one')], groups);

        const sizes = [...first.values()].map((share) => share.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect([...first.values()].flat().toSorted()).toStrictEqual(
          Array.from({ length: groups }, (_, group) => group),
        );
        expect(new Map([...again].toSorted())).toStrictEqual(new Map([...first].toSorted()));
        const moved = members.flatMap(({ memberId, owned }) =>
          owned.filter((group) => !joined.get(memberId)?.includes(group)),
        );
        expect(moved.length).toBe(joined.get('a-new-one-id')?.length);
      }
    }
  });

  it('should give a group that two members claim to one of them', () => {
    expect(assignGroups([member('b', [0, 1]), member('a', [1, 0])], 2)).toStrictEqual(
      new Map([
        ['a-id', [0]],
        ['b-id', [1]],
      ]),
    );
    expect(assignGroups([], 4)).toStrictEqual(new Map());
  });
});
