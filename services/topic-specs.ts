import type { HoldfastConfig } from '../infra/config/config.js';
import type { TopicSpec } from '../infra/kafka/topic-spec.js';
import { MAX_RECORD_BYTES } from '../topology/quarantine.js';
import { AGENTS, INPUTS, LEDGER, TASK_EVENTS, TOPICS } from '../topology/topics.js';

const MAX_INPUT_BYTES = String(MAX_RECORD_BYTES);
const MAX_OUTPUT_BYTES = String(16 * 1024 * 1024);
const DAY_MS = 24 * 60 * 60 * 1000;

/** What every topic of Holdfast has to be on the broker: partitions, clean-up, and whose clock its records carry. */
export const topicSpecs = (
  { kafka }: HoldfastConfig,
  overrides: Readonly<Record<string, string>> = {},
): readonly TopicSpec[] =>
  TOPICS.map(({ name, partitioning, cleanup }) => ({
    name: `${kafka.topicPrefix}${name}`,
    partitions: partitioning === 'single' ? 1 : kafka.partitions,
    replicationFactor: kafka.replicationFactor,
    config: {
      'cleanup.policy': cleanup,
      // Order and time are the log's: senders' clocks are data (R16).
      'message.timestamp.type': 'LogAppendTime',
      // What is written about a record may be larger than the record: a dead letter holds it whole, a unit's entry grows.
      'max.message.bytes': name === TASK_EVENTS.name ? MAX_INPUT_BYTES : MAX_OUTPUT_BYTES,
      // A store that was not written for longer than half of it is restored from the beginning.
      ...(name === LEDGER.name || name === INPUTS.name ? { 'delete.retention.ms': String(DAY_MS) } : {}),
      // Every task reads the agents topic from its beginning, always.
      ...(name === AGENTS.name ? { 'retention.ms': '-1' } : {}),
      ...overrides,
    },
  }));
