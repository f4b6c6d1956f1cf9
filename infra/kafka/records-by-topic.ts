import type { ProducerRecord, TopicMessages } from 'kafkajs';
import type { NewRecord } from '../streams/ports.js';
import { groupedBy } from './grouped.js';

/**
 * Records as kafkajs takes them, each topic named once: it merges what is named twice by copying. Its types know only
 * buffers; the corrected encoder takes any bytes.
 */
export function byTopic(records: readonly NewRecord[]): TopicMessages[] {
  return [...groupedBy(records, ({ topic }) => topic)].map(([topic, messages]) => ({
    topic,
    messages: messages as unknown as ProducerRecord['messages'],
  }));
}
