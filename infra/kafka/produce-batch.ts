import type { ProducerBatch, ProducerRecord } from 'kafkajs';
import type { NewRecord } from '../streams/ports.js';
import { groupedBy } from './grouped.js';
import { REPLICATION_TIMEOUT_MS } from './kafka-config.js';

/**
 * Records as kafkajs takes them, acknowledged by all replicas, each topic named once: it merges what is named twice by
 * copying. Its types know only buffers; the corrected encoder takes any bytes.
 */
export function sending(records: readonly NewRecord[]): ProducerBatch {
  const topicMessages = [...groupedBy(records, ({ topic }) => topic)].map(([topic, messages]) => ({
    topic,
    messages: messages as unknown as ProducerRecord['messages'],
  }));
  return { acks: -1, timeout: REPLICATION_TIMEOUT_MS, topicMessages };
}
