import { kafkaTool } from '../../../infra/local/kafka-tool.js';
import { runCommand } from '../../../infra/local/run-command.js';
import { TASK_EVENTS } from '../../../topology/topics.js';
import type { FaultRun } from './fault-run.js';

/** The committed offset of each partition of the task events, as Kafka's own tool shows it. */
export const groupOffsets = async (run: FaultRun): Promise<ReadonlyMap<number, bigint>> => {
  const { args, command } = await kafkaTool('org.apache.kafka.tools.consumer.group.ConsumerGroupCommand', [
    ...['--bootstrap-server', run.config.kafka.brokers.join(',')],
    ...['--describe', '--group', run.groupId],
  ]);
  const { code, output } = await runCommand([command, ...args]);
  if (code !== 0) throw new Error(`the consumer group tool ended with ${code}: ${output}`);
  const offsets = new Map<number, bigint>();
  for (const line of output.split('\n')) {
    const [, topic, partition, offset = ''] = line.trim().split(/\s+/);
    if (topic === run.topic(TASK_EVENTS.name) && /^\d+$/.test(offset)) offsets.set(Number(partition), BigInt(offset));
  }
  return offsets;
};
