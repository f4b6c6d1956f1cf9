import { randomUUID } from 'node:crypto';
import { corrected } from '../../infra/kafka/corrected-kafkajs.js';
import { kafkaConfig } from '../../infra/kafka/kafka-config.js';
import { topicSpecs } from '../../services/topic-specs.js';
import { openRegistryClient } from '../../infra/registry/registry-client.js';
import { openRegistrySerdes } from '../../infra/registry/registry-serdes.js';
import type { Fetched, PartitionRef } from '../../infra/streams/ports.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { AgentConfig } from '../../infra/config/config.js';
import { startDispatcher } from '../../services/dispatcher/dispatcher-service.js';
import { startVerifier } from '../../services/verifier/verifier.js';
import type { TopicTable } from '../../services/mesh/topic-table.js';
import type { Logger } from '../../infra/telemetry/logger.js';
import { startLedger, type Service } from '../../services/ledger/ledger-service.js';
import { Mesh } from '../../services/mesh/mesh.js';
import { partitionOf } from '../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { DeadLetter, LedgerEntry, Verdict } from '../../topology/ledger-records.js';
import type { Observation } from '../../topology/observation.js';
import { AGENTS, DEAD_LETTERS, TASK_EVENTS, VERDICTS } from '../../topology/topics.js';
import { FaultRun, required } from '../fault/kit/fault-run.js';
import { agent } from '../kit/decider-kit/agents.js';
import { dispatched } from '../kit/decider-kit/builders.js';
import { eventually, silent, testBrokers, testConnection } from './kafka-fixture.js';

export type At = { readonly partition: number; readonly offset: bigint };

/** Part of a record as it is written; the rest is that of a good one. */
export type Raw = {
  readonly partition?: number;
  readonly key?: Uint8Array | null;
  readonly value?: Uint8Array | null;
  readonly headers?: Readonly<Record<string, Uint8Array>>;
};

/** Of two task groups: 0 and 2 are one, 1 is the other. */
export const PARTITIONS = 3;
/** Long beside what a verdict takes in another partition. */
const SCHEMA_WAIT_MS = 5_000;

/** One ledger on the real broker, registry and RocksDB, and all it has said. */
export class TopicWorld {
  readonly run: FaultRun;
  readonly serdes: Serdes;
  /** Reads what the services read; tells what it passes over. */
  readonly mesh: Mesh;
  readonly ledger: TopicTable<LedgerEntry>;
  /** What the ledger warned of. */
  readonly troubles: readonly Readonly<Record<string, unknown>>[];
  readonly #services: readonly Service[];
  readonly #passedOver: ReadonlyMap<string, readonly string[]>;
  readonly #loggerOf: (role: string) => Logger;
  readonly #verdicts = new Map<string, Verdict>();
  readonly #decided: Verdict[] = [];
  readonly #letters = new Map<string, DeadLetter>();
  readonly #reading = new AbortController();
  #units = 0;

  static async open(): Promise<TopicWorld> {
    const registryUrl = required('HOLDFAST_REGISTRY_URL');
    const run = await FaultRun.open({ brokers: testBrokers(), registryUrl, partitions: PARTITIONS, groups: 2 });
    const { topicPrefix } = run.config.kafka;
    const serdes = await openRegistrySerdes({ url: registryUrl, topicPrefix, schemaWaitMs: SCHEMA_WAIT_MS });
    const troubles: Readonly<Record<string, unknown>>[] = [];
    const passedOver = new Map<string, string[]>();
    const loggerOf = (role: string): Logger => ({
      ...silent,
      error: ({ record }) => {
        if (typeof record === 'string') passedOver.set(role, [...(passedOver.get(role) ?? []), record]);
      },
    });
    const mesh = new Mesh('test', run.config, serdes, loggerOf('test'));
    const services = [
      await startLedger(run.config, serdes, { ...silent, warn: (fields) => troubles.push(fields) }),
      await startDispatcher(new Mesh('dispatcher', run.config, serdes, loggerOf('dispatcher'))),
    ];
    const world = new TopicWorld(
      { run, serdes, mesh, ledger: await mesh.openLedger(), troubles },
      services,
      passedOver,
      loggerOf,
    );
    for (const record of agent('w1', { durable: true })) await world.publish(AGENTS, 0, record);
    return world;
  }

  private constructor(
    parts: Pick<TopicWorld, 'run' | 'serdes' | 'mesh' | 'ledger' | 'troubles'>,
    services: readonly Service[],
    passedOver: ReadonlyMap<string, readonly string[]>,
    loggerOf: (role: string) => Logger,
  ) {
    ({ run: this.run, serdes: this.serdes, mesh: this.mesh, ledger: this.ledger, troubles: this.troubles } = parts);
    this.#services = services;
    this.#passedOver = passedOver;
    this.#loggerOf = loggerOf;
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      this.#follow(VERDICTS, partition, (verdict) => {
        this.#decided.push(verdict);
        if (verdict.cause !== undefined) this.#verdicts.set(placeOf(verdict.cause), verdict);
      });
      this.#follow(DEAD_LETTERS, partition, (letter) => this.#letters.set(placeOf(letter.source), letter));
    }
  }

  /** Resolves once `role` has passed over the records at these places; gives the places, in order. */
  async passedOver(role: string, topic: Topic<unknown>, places: readonly At[]): Promise<readonly string[]> {
    const wanted = new Set(places.map((at) => `${topic.name}/${placeOf(at)}`));
    return eventually(
      () => {
        const told = (this.#passedOver.get(role) ?? []).filter((place) => wanted.has(place));
        return told.length >= wanted.size ? told : undefined;
      },
      `${role} to pass over ${[...wanted].join(' ')}`,
    );
  }

  /** A verifier of these agents. */
  verifier(agents: readonly AgentConfig[]): Promise<Service> {
    return startVerifier(new Mesh('verifier', { ...this.run.config, agents }, this.serdes, this.#loggerOf('verifier')));
  }

  /** What was concluded about a unit. */
  decidedOf(id: string): readonly Verdict[] {
    return this.#decided.filter(({ correlationId }) => correlationId === id);
  }

  async close(): Promise<void> {
    this.#reading.abort();
    for (const service of this.#services) await service.stop();
    await this.mesh.close();
    await this.run.close();
  }

  /** A correlation ID that nobody used, whose records belong into the partition. */
  unitIn(partition: number): string {
    for (;;) {
      this.#units += 1;
      const id = `unit-${this.#units}`;
      if (partitionOf(utf8(recordKey(undefined, id)), PARTITIONS) === partition) return id;
    }
  }

  /** A dispatch of a new unit, as bytes of its own. */
  dispatch(partition: number): { readonly id: string; readonly key: Uint8Array; readonly value: Uint8Array } {
    const id = this.unitIn(partition);
    return { id, key: utf8(recordKey(undefined, id)), value: this.bytes(dispatched('w1', { correlationId: id })) };
  }

  bytes(observation: Observation): Uint8Array {
    return this.serdes.serialize(TASK_EVENTS, observation.type, observation);
  }

  /** Writes what is given of a task event, into partition 0 where nothing else is said. */
  async write({ partition = 0, key, value, headers = {} }: Raw): Promise<At> {
    const good = this.dispatch(partition);
    return this.#send(TASK_EVENTS, {
      ...{ partition, headers },
      key: key === undefined ? good.key : key,
      value: value === undefined ? good.value : value,
    });
  }

  /** Writes a record of ours to another topic. */
  publish<Value extends { readonly type: string }>(
    topic: Topic<Value>,
    partition: number,
    value: Value,
    key: string | null = null,
  ): Promise<At> {
    const bytes = this.serdes.serialize(topic, value.type, value);
    return this.#send(topic, { partition, key: key === null ? null : utf8(key), value: bytes, headers: {} });
  }

  /** Writes anything to another topic. */
  writeTo(topic: Topic<unknown>, raw: Raw): Promise<At> {
    const { partition = 0, key = null, value = null, headers = {} } = raw;
    return this.#send(topic, { partition, key, value, headers });
  }

  source(partition: number): PartitionRef {
    return { topic: this.run.topic(TASK_EVENTS.name), partition };
  }

  verdictAt(at: At): Promise<Verdict> {
    return eventually(() => this.#verdicts.get(placeOf(at)), `a verdict on ${placeOf(at)}`, 60_000);
  }

  /** `undefined` as long as there is none. */
  saidAt(at: At): Verdict | undefined {
    return this.#verdicts.get(placeOf(at));
  }

  letterAt(at: At): Promise<DeadLetter> {
    return eventually(() => this.#letters.get(placeOf(at)), `a dead letter of ${placeOf(at)}`);
  }

  /** Writes a good record behind whatever is in the partition, and gives what is concluded from it. */
  async next(partition = 0): Promise<string> {
    const { verdict, rule } = await this.verdictAt(await this.write({ partition }));
    return `${verdict} (${rule})`;
  }

  /** Changes what the dead-letters topic takes. */
  async limitDeadLetters(bytes: string): Promise<void> {
    const { kafkajs } = corrected();
    const admin = new kafkajs.Kafka(kafkaConfig(testConnection(), silent)).admin();
    await admin.connect();
    const name = this.run.topic(DEAD_LETTERS.name);
    const spec = topicSpecs(this.run.config).find((one) => one.name === name);
    const config = { ...spec?.config, 'max.message.bytes': bytes };
    const configEntries = Object.entries(config).map(([setting, value]) => ({ name: setting, value }));
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries }],
    });
    await admin.disconnect();
  }

  /** Registers a schema as somebody else may, under a subject of theirs. Gives its ID. */
  async register(schema: object): Promise<number> {
    const client = openRegistryClient({ url: this.run.registryUrl });
    return client.register(`${this.run.topic('theirs')}-${randomUUID()}`, JSON.stringify(schema));
  }

  async #send(topic: Topic<unknown>, record: Required<Raw>): Promise<At> {
    const [position] = await this.run.producer.send([{ topic: this.run.topic(topic.name), ...record }]);
    if (position === undefined) throw new Error('nothing was acknowledged');
    return position;
  }

  /** The partition in which a key belongs. */
  homeOf(key: Uint8Array): number {
    return partitionOf(key, PARTITIONS);
  }

  #follow<Value>(topic: Topic<Value>, partition: number, take: (value: Value) => void): void {
    const onFetched = async ({ records }: Fetched): Promise<void> => {
      const values = records.flatMap(({ value }) => (value === null ? [] : [value]));
      await this.serdes.prepare(topic, values);
      for (const value of values) {
        const read = this.serdes.deserialize(topic, value);
        if (read.kind === 'failed') throw new Error(`${topic.name}: ${read.detail}`);
        take(read.value);
      }
    };
    const reading = this.mesh.clients.reader.read(
      { topic: topic.name, partition },
      { from: 0n },
      onFetched,
      this.#reading.signal,
    );
    reading.catch((error: unknown) => {
      process.stderr.write(`topic-world: ${String(error)}\n`);
    });
  }
}

const placeOf = ({ partition, offset }: At): string => `${partition}/${offset.toString()}`;
