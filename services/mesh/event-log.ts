import { randomUUID } from 'node:crypto';
import { HoldfastError } from '../../infra/errors.js';
import { cloudEventHeaders } from '../../infra/registry/cloud-event-headers.js';
import type { PlainProducer, PlainRecord } from '../../infra/kafka/plain-producer.js';
import type { Serdes } from '../../infra/streams/serdes.js';
import type { AgentRecord } from '../../topology/agent/agent-records.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import { recordKey, utf8 } from '../../topology/kit/record-key.js';
import type { Topic } from '../../topology/kit/topology.js';
import type { Observation } from '../../topology/observation.js';
import type { Rewritten } from '../../topology/rewritten.js';
import { AGENTS, INPUTS, TASK_EVENTS, type TaskInput } from '../../topology/topics.js';

export type EventLogOptions = {
  readonly producer: PlainProducer;
  readonly serdes: Serdes;
  readonly topicPrefix: string;
  /** What a failure is called by whoever writes. */
  readonly explain?: (error: unknown) => unknown;
  /** `ce_source`: names the observer; event IDs are unique within it (R17). */
  readonly source: string;
  /** How long an unknown outcome is written again before the caller is told, ms. */
  readonly patienceMs: number;
};

/**
 * Writes facts, acknowledged by all replicas before the call resolves. An unknown outcome is written again under the same
 * event ID, which the ledger knows for one observation (R17).
 */
export class EventLog {
  readonly #options: EventLogOptions;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** @throws HoldfastError the log could not be reached within `patienceMs` */
  async observe(observations: readonly Observation[]): Promise<readonly Coordinates[]> {
    return this.#send(
      TASK_EVENTS,
      observations.map((value) => ({ key: recordKey(value.tenant, value.correlationId), value })),
    );
  }

  async publishAgent(record: AgentRecord): Promise<Coordinates> {
    const key = 'agentId' in record ? record.agentId : record.type;
    const [coordinates] = await this.#send(AGENTS, [{ key, value: record, partition: 0 }]);
    return coordinates ?? { topic: AGENTS.name, partition: 0, offset: -1n };
  }

  /** Keeps what a client sent, for a redispatch (R34). */
  async keepInput(input: TaskInput): Promise<void> {
    await this.#send(INPUTS, [{ key: recordKey(input.tenant, input.correlationId), value: input }]);
  }

  /**
   * Writes records that were set aside once more among the task events, those of one partition in their order. Without a
   * `partition`, into that of the key (R58).
   */
  async writeAgain(records: readonly (Rewritten & { readonly partition?: number })[]): Promise<readonly Coordinates[]> {
    const topic = `${this.#options.topicPrefix}${TASK_EVENTS.name}`;
    const positions = await this.#produce(records.map((record) => ({ ...record, topic })));
    return positions.map(({ partition, offset }) => ({ topic: TASK_EVENTS.name, partition, offset }));
  }

  async #send<Value extends { readonly type: string }>(
    topic: Topic<Value>,
    facts: readonly { readonly key: string; readonly value: Value; readonly partition?: number }[],
  ): Promise<readonly Coordinates[]> {
    const { serdes, source, topicPrefix } = this.#options;
    const positions = await this.#produce(
      facts.map(({ key, value, partition }) => ({
        topic: `${topicPrefix}${topic.name}`,
        ...(partition === undefined ? {} : { partition }),
        key: utf8(key),
        value: serdes.serialize(topic, value.type, value),
        headers: cloudEventHeaders({ id: randomUUID(), source, record: value.type }),
      })),
    );
    return positions.map(({ partition, offset }) => ({ topic: topic.name, partition, offset }));
  }

  async #produce(records: readonly PlainRecord[]) {
    const { producer, patienceMs, explain = (error: unknown) => error } = this.#options;
    const giveUpAt = performance.now() + patienceMs;
    for (;;) {
      try {
        return await producer.send(records);
      } catch (error) {
        const again = error instanceof HoldfastError && error.retryable && performance.now() < giveUpAt;
        if (!again) throw explain(error);
      }
    }
  }
}
