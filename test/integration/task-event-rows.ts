import { expect } from '@jest/globals';
import { subjects } from '../../schemas/catalogue.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import { AGENTS, TASK_EVENTS } from '../../topology/topics.js';
import { dispatchOfLaterVersion } from '../fault/kit/foreign-schema.js';
import { cardOf } from '../kit/decider-kit/agents.js';
import { dispatched } from '../kit/decider-kit/builders.js';
import { eventually } from './kafka-fixture.js';
import { RUBBISH, withSchemaId } from './rubbish.js';
import type { Raw, TopicWorld } from './topic-world.js';

const SOURCE = utf8('/their/gateway');
const MADE_UP_ID = 2_000_000_000;

/** Single records among the task events. */
export const taskEventRows = (world: () => TopicWorld) => {
  /** Writes it, and shows what is made of it, its dead letter, and that the partition goes on. */
  const setAside = async (raw: Raw, said: { readonly quarantine: string; readonly reason: RegExp }): Promise<void> => {
    const at = await world().write(raw);
    const { verdict, quarantine, rule, reason } = await world().verdictAt(at);
    expect([verdict, quarantine, rule]).toStrictEqual(['quarantined', said.quarantine, 'R59']);
    expect(reason).toMatch(said.reason);
    const letter = await world().letterAt(at);
    expect([letter.reason, letter.detail, letter.source.offset]).toStrictEqual([quarantine, reason, at.offset]);
    if (raw.key !== undefined) expect(bytesOf(letter.key)).toStrictEqual(bytesOf(raw.key));
    if (raw.value !== undefined) expect(bytesOf(letter.value)).toStrictEqual(bytesOf(raw.value));
    expect(await world().next(at.partition)).toBe('accepted (R49)');
  };

  return {
    notAvro: () => setAside({ value: RUBBISH }, { quarantine: 'undecodable', reason: /the first byte is 255/ }),
    emptyValue: () => setAside({ value: new Uint8Array(0) }, { quarantine: 'undecodable', reason: /^0 bytes are no / }),
    tombstone: async () => {
      const { key, value } = world().dispatch(0);
      await world().verdictAt(await world().write({ key, value }));
      const { verdict, rule } = await world().verdictAt(await world().write({ key, value: null }));
      expect([verdict, rule]).toStrictEqual(['ignored', 'R56']);
      // The unit is still known: the same dispatch again is a repetition.
      const again = await world().verdictAt(await world().write({ key, value }));
      expect([again.verdict, again.rule]).toStrictEqual(['idempotent', 'R49']);
      expect(await world().next()).toBe('accepted (R49)');
    },
    noKey: () => setAside({ key: null }, { quarantine: 'undecodable', reason: /^the record has no key$/ }),
    otherKey: () =>
      setAside(
        { key: world().dispatch(0).key, value: world().dispatch(0).value },
        { quarantine: 'undecodable', reason: /^the key is not that of the unit/ },
      ),
    keyNotUtf8: () =>
      setAside(
        { key: notUtf8In(world(), 0), value: world().dispatch(0).value },
        { quarantine: 'undecodable', reason: /^the key is not that of the unit/ },
      ),
    unknownSchema: async () => {
      const before = await world().write({});
      const value = withSchemaId(world().dispatch(0).value, MADE_UP_ID);
      const at = await world().write({ value });
      // Of the same task group.
      const elsewhere = await world().next(2);
      const first = (await world().verdictAt(before)).verdict;
      expect([first, elsewhere, world().saidAt(at)]).toStrictEqual(['accepted', 'accepted (R49)', undefined]);
      const { verdict, quarantine, reason } = await world().verdictAt(at);
      expect([verdict, quarantine, reason]).toStrictEqual([
        'quarantined',
        'unknown-schema',
        `the registry has no schema ${MADE_UP_ID}`,
      ]);
      expect(bytesOf((await world().letterAt(at)).value)).toStrictEqual(bytesOf(value));
      expect(await world().next()).toBe('accepted (R49)');
    },
    foreignRecord: async () => {
      const order = {
        type: 'record',
        name: 'Order',
        namespace: 'com.example',
        fields: [{ name: 'id', type: 'string' }],
      };
      const value = Buffer.concat([Buffer.alloc(5), Buffer.from([6]), Buffer.from('o-1')]);
      await setAside(
        { value: withSchemaId(value, await world().register(order)) },
        { quarantine: 'undecodable', reason: /com\.example\.Order is no record of / },
      );
    },
    otherShape: async () => {
      const own = subjects(world().run.schemaPrefix).find(({ record }) => record === 'DispatchObserved');
      const id = await world().register(
        JSON.parse((own?.schema ?? '').replace('"inputKept"', '"keptInput"')) as object,
      );
      await setAside(
        { value: withSchemaId(world().dispatch(0).value, id) },
        { quarantine: 'undecodable', reason: /inputKept/ },
      );
    },
    laterVersion: async () => {
      const id = world().unitIn(0);
      const { key, value } = await dispatchOfLaterVersion(world().run, world().run.registryUrl, id);
      const { verdict, correlationId } = await world().verdictAt(await world().write({ key, value }));
      expect([verdict, correlationId]).toStrictEqual(['accepted', id]);
      expect(await world().next()).toBe('accepted (R49)');
    },
    trailingBytes: () => {
      const { key, value } = world().dispatch(0);
      const longer = Buffer.concat([value, Buffer.from([1, 2, 3])]);
      return setAside({ key, value: longer }, { quarantine: 'undecodable', reason: /3 bytes follow the record$/ });
    },
    otherTopicsRecord: () =>
      setAside(
        { value: world().serdes.serialize(AGENTS, 'CardAccepted', cardOf('w7')) },
        { quarantine: 'undecodable', reason: new RegExp(`^a CardAccepted does not belong on ${TASK_EVENTS.name}$`) },
      ),
    noEventHeaders: async () => {
      const { key, value } = world().dispatch(0);
      const words: string[] = [];
      for (const headers of [{}, { ce_id: utf8('e-1') }, { ce_source: SOURCE }]) {
        const { verdict, rule } = await world().verdictAt(await world().write({ key, value, headers }));
        words.push(`${verdict} (${rule})`);
      }
      // By the dispatch's own message ID, not as the same event (R17).
      expect(words).toStrictEqual(['accepted (R49)', 'idempotent (R49)', 'idempotent (R49)']);
    },
    sameEventTwice: async () => {
      const { key, value } = world().dispatch(0);
      const headers = { ce_id: utf8('event-twice'), ce_source: SOURCE };
      const words: string[] = [];
      for (let times = 0; times < 2; times += 1) {
        const { verdict, rule } = await world().verdictAt(await world().write({ key, value, headers }));
        words.push(`${verdict} (${rule})`);
      }
      expect(words).toStrictEqual(['accepted (R49)', 'idempotent (R17)']);
      expect(await world().next()).toBe('accepted (R49)');
    },
    sameIdOtherContent: async () => {
      const { id, key, value } = world().dispatch(0);
      const other = world().bytes(dispatched('w1', { correlationId: id, messageId: 'another' }));
      const headers = { ce_id: utf8('event-reused'), ce_source: SOURCE };
      await world().write({ key, value, headers });
      const { verdict, rule, attempt } = await world().verdictAt(await world().write({ key, value: other, headers }));
      expect([verdict, rule, attempt]).toStrictEqual(['accepted', 'R49', 2]);
      const conflicts = await eventually(async () => {
        const entry = await world().ledger.get(recordKey(undefined, id));
        return entry?.attempts.length === 2 ? entry.counts.eventIdConflicts : undefined;
      }, 'the entry with both attempts');
      expect(conflicts).toBe(1);
    },
    misrouted: async () => {
      const { id, key, value } = world().dispatch(1);
      const at = await world().write({ partition: 0, key, value });
      const { verdict, quarantine, rule, reason } = await world().verdictAt(at);
      expect([verdict, quarantine, rule, reason]).toStrictEqual([
        'quarantined',
        'misrouted',
        'R58',
        'murmur2 of the key is partition 1 of 3',
      ]);
      const home = await eventually(() => world().decidedOf(id)[0], 'the record where it belongs');
      expect([home.verdict, home.rule, home.cause?.partition]).toStrictEqual(['accepted', 'R49', 1]);
      expect(await world().next()).toBe('accepted (R49)');
    },
  };
};

const bytesOf = (bytes: Uint8Array | null | undefined): readonly number[] | undefined =>
  bytes === null || bytes === undefined ? undefined : [...bytes];

/** A key of the partition that is no text. */
const notUtf8In = (world: TopicWorld, partition: number): Uint8Array => {
  for (let last = 0; ; last += 1) {
    const key = Buffer.from([0x30, 0x3a, 0xff, 0xfe, last]);
    if (world.homeOf(key) === partition) return key;
  }
};
