import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCloudEvent } from '../../infra/registry/cloud-event-headers.js';
import { recordSha256 } from '../../infra/streams/incoming.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { Observation } from '../../topology/observation.js';
import { AGENTS, INPUTS, TASK_EVENTS, TOPICS, VERDICTS } from '../../topology/topics.js';
import { eventually } from '../integration/kafka-fixture.js';
import { topicOf } from '../unit/schemas/arbitraries.js';
import { ForeignWorld, PARTITIONS, type Batch, type Read } from './foreign-world.js';
import { PUBLIC } from './golden.js';
import { LANGUAGES, run } from './languages.js';
import { valuesFor } from './values.js';

const INPUT_TOPICS: readonly Topic<unknown>[] = [TASK_EVENTS, AGENTS, INPUTS];
const BATCHES: readonly Batch[] = PUBLIC.map(({ record }) => ({ record, values: valuesFor(record, 1_000) }));
const isInput = ({ record }: Batch): boolean => INPUT_TOPICS.includes(topicOf(record));
const INPUT_BATCHES = BATCHES.filter(isInput);
const OUTPUT_BATCHES = BATCHES.filter((batch) => !isInput(batch));

/** Where the ledger runs, and a place without one for what only Holdfast writes there. */
const judged = new ForeignWorld();
const unjudged = new ForeignWorld();

beforeAll(async () => {
  await judged.start();
  await judged.startLedger();
  await unjudged.start();
}, 300_000);

afterAll(async () => {
  await judged.stop();
  await unjudged.stop();
}, 60_000);

const sourceOf = (name: string): string => `/foreign/${name}`;

/** What a source wrote on a topic, by event ID. */
const writtenBy = async (world: ForeignWorld, source: string, topic: Topic<unknown>) => {
  const found = new Map<string, Read<unknown>>();
  for (const read of await world.read(topic)) {
    const { headers } = read.record;
    const event = readCloudEvent(headers);
    if (event.kind === 'event' && event.event.source === source) found.set(event.event.id, read);
  }
  return found;
};

const expectWhole = async (world: ForeignWorld, source: string, batches: readonly Batch[]): Promise<void> => {
  for (const topic of TOPICS as readonly Topic<unknown>[]) {
    const wanted = batches
      .map((batch, index) => ({ ...batch, index }))
      .filter(({ record }) => topicOf(record) === topic);
    if (wanted.length === 0) continue;
    const found = await writtenBy(world, source, topic);
    expect(found.size).toBe(wanted.reduce((sum, { values }) => sum + values.length, 0));
    for (const { record, values, index } of wanted)
      expect(values.map((_, number) => found.get(`${index}-${record}-${number}`)?.value)).toStrictEqual(values);
  }
};

describe.each(LANGUAGES)('what a producer in $name writes', ({ name, ...language }) => {
  it('should be read whole, a thousand values of every public record and more', async () => {
    for (const [world, batches] of [
      [judged, INPUT_BATCHES],
      [unjudged, OUTPUT_BATCHES],
    ] as const) {
      const plan = world.plan(sourceOf(name), batches);
      const [said] = await run({ name, ...language }, 'produce', world.kafka, plan);
      const count = batches.reduce((sum, { values }) => sum + values.length, 0);
      expect(said).toStrictEqual({ written: count, failed: [] });
      await expectWhole(world, sourceOf(name), batches);
    }
  }, 300_000);

  it('should lie under its record key, in the partition of that key, and name its event', async () => {
    const found = await writtenBy(judged, sourceOf(name), TASK_EVENTS);

    const odd = [...found.values()].filter(({ record, value }) => {
      const { tenant, correlationId, type } = value as Observation;
      const key = utf8(recordKey(tenant, correlationId));
      const event = readCloudEvent(record.headers);
      return !(
        record.key !== null &&
        Buffer.from(key).equals(record.key) &&
        record.partition === partitionOf(key, PARTITIONS) &&
        event.kind === 'event' &&
        event.event.record === type &&
        event.event.time !== undefined
      );
    });
    expect(odd).toStrictEqual([]);
    expect(found.size).toBeGreaterThan(11_000);
  }, 60_000);

  it('should be judged by the ledger, every observation once, and none set aside', async () => {
    const found = await writtenBy(judged, sourceOf(name), TASK_EVENTS);
    const heard = new Map<string, string[]>();
    const more = judged.reading(VERDICTS);
    const verdicts = await eventually(
      async () => {
        for (const { value } of await more()) {
          const { trigger, verdict, cause, inputSha256 } = value;
          if (trigger !== 'observation' || cause === undefined) continue;
          const at = `${cause.partition}/${cause.offset.toString()}`;
          const words = `${verdict === 'quarantined' ? verdict : 'judged'} ${inputSha256}`;
          heard.set(at, [...(heard.get(at) ?? []), words]);
        }
        const all = [...found.values()].map(({ record }) =>
          heard.get(`${record.partition}/${record.offset.toString()}`),
        );
        return all.includes(undefined) ? undefined : all;
      },
      'a verdict on every observation',
      240_000,
    );

    expect(verdicts).toStrictEqual([...found.values()].map(({ record }) => [`judged ${recordSha256(record)}`]));
  }, 300_000);
});
