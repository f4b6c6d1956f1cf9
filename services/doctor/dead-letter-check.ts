import { DEAD_LETTERS } from '../../topology/topics.js';
import { readTopic } from '../console/read-topic.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

/** Records that were set aside and are still on the topic, by reason. Misrouted ones were written once more already (R58). */
export const deadLettersFound = async (around: Surroundings): Promise<Found> => {
  const source = await around.source();
  const { topicPrefix } = (await around.config()).config.kafka;
  const count = (await around.cluster()).topics.get(`${topicPrefix}${DEAD_LETTERS.name}`)?.partitions ?? 0;
  const byReason = new Map<string, number>();
  const partitions = Array.from({ length: count }, (_, partition) => partition);
  await readTopic(source, DEAD_LETTERS, partitions, ({ value }) => {
    if (value !== undefined) byReason.set(value.reason, (byReason.get(value.reason) ?? 0) + 1);
  });
  const waiting = [...byReason].filter(([reason]) => reason !== 'misrouted').toSorted(([a], [b]) => (a < b ? -1 : 1));
  const sum = waiting.reduce((total, [, of]) => total + of, 0);
  if (sum === 0) return ok('none');
  return {
    status: 'warning',
    said: `records set aside: ${sum}`,
    details: waiting.map(([reason, of]) => `${reason}: ${of}`),
    ways: ['"holdfast dead-letters list" shows them'],
  };
};
