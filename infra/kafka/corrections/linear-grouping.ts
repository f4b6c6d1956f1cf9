import { replaceModule } from './replace-module.js';

type Message = object;
type Grouping = (options: {
  readonly topic: string;
  readonly partitionMetadata: readonly unknown[];
  readonly messages: readonly Message[];
  readonly partitioner: (options: { topic: string; partitionMetadata: readonly unknown[]; message: Message }) => number;
}) => Record<number, Message[]>;

/** Groups messages by partition in one pass. */
export const groupPerPartition: Grouping = ({ topic, partitionMetadata, messages, partitioner }) => {
  const groups: Record<number, Message[]> = {};
  if (partitionMetadata.length === 0) return groups;
  for (const message of messages) {
    (groups[partitioner({ topic, partitionMetadata, message })] ??= []).push(message);
  }
  return groups;
};

/** kafkajs copies a partition's whole array for every message it adds: quadratic, a tenth of its time under load. */
export function correctGrouping(require: NodeJS.Require): void {
  replaceModule(require, 'kafkajs/src/producer/groupMessagesPerPartition', groupPerPartition);
}
