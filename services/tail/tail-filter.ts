import type { DeadLetter } from '../../topology/ledger-records.js';
import { TASK_EVENTS } from '../../topology/topics.js';
import type { TailedRecord } from './tailed-record.js';
import { unitOfKey } from './unit-of-key.js';

/** What a record has to be about; what is absent does not matter. */
export type TailFilter = {
  readonly correlationId?: string;
  readonly agent?: string;
  readonly task?: string;
  readonly verdict?: string;
};

/** The fields by which records of every kind are found; each has some of them. */
type Fields = {
  readonly correlationId?: string;
  readonly agentId?: string;
  readonly agentIds?: readonly string[];
  readonly lostBy?: string;
  readonly serverTaskId?: string;
  readonly lostTaskIds?: readonly string[];
  readonly verdict?: string;
};

export const passes = ({ correlationId, agent, task, verdict }: TailFilter, record: TailedRecord): boolean => {
  const fields = fieldsOf(record);
  return (
    (correlationId === undefined || correlationIdOf(record) === correlationId) &&
    (agent === undefined || [fields.agentId, fields.lostBy, ...(fields.agentIds ?? [])].includes(agent)) &&
    (task === undefined || [fields.serverTaskId, ...(fields.lostTaskIds ?? [])].includes(task)) &&
    (verdict === undefined || fields.verdict === verdict)
  );
};

const fieldsOf = ({ content }: TailedRecord): Fields => (content.kind === 'value' ? (content.value as Fields) : {});

/** The unit that a record names; of one that cannot be read, and of a dead letter, the unit of its key. */
export const correlationIdOf = (record: TailedRecord): string | undefined => {
  const { content, kind, key } = record;
  const named = fieldsOf(record).correlationId;
  if (named !== undefined) return named;
  if (content.kind === 'value' && kind.name === 'dead-letters') {
    const letter = content.value as DeadLetter;
    return letter.key === undefined ? undefined : unitOfKey(letter.key)?.correlationId;
  }
  return kind.topic.name === TASK_EVENTS.name && key !== null ? unitOfKey(key)?.correlationId : undefined;
};
