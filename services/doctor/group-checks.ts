import type { GroupSurvey } from '../../infra/kafka/cluster-survey.js';
import { groupsOf } from '../../infra/kafka/group-assignment.js';
import { ledgerTopology } from '../../topology/ledger.topology.js';
import { COMMANDS, DEAD_LETTERS, TASK_EVENTS } from '../../topology/topics.js';
import { groupNameOf } from '../mesh/group-name.js';
import { ok, type Found } from './check.js';
import type { Surroundings } from './surroundings.js';

type Role = {
  readonly role: 'ledger' | 'dispatcher';
  /** Consumer group, without the prefix. */
  readonly groupId: string;
  /** What its members are assigned partitions of, and everything that they read by these. */
  readonly source: string;
  readonly topics: readonly string[];
};

const LEDGER: Role = {
  role: 'ledger',
  groupId: ledgerTopology.applicationId,
  source: TASK_EVENTS.name,
  topics: [TASK_EVENTS.name],
};
const DISPATCHER: Role = {
  role: 'dispatcher',
  groupId: groupNameOf('dispatcher'),
  source: COMMANDS.name,
  topics: [COMMANDS.name, DEAD_LETTERS.name],
};

export const ledgerFound = (around: Surroundings): Promise<Found> => groupFound(around, LEDGER);
export const dispatcherFound = (around: Surroundings): Promise<Found> => groupFound(around, DISPATCHER);

/** Whether instances of a role run, share all of the work, and how far they are behind. */
const groupFound = async (around: Surroundings, { role, groupId, source, topics }: Role): Promise<Found> => {
  const { kafka } = (await around.config()).config;
  const prefixed = (name: string): string => `${kafka.topicPrefix}${name}`;
  const group = await (await around.surveyor()).group(prefixed(groupId));
  if (group.kind === 'refused')
    return {
      status: 'failure',
      said: `one may not see the consumer group ${prefixed(groupId)}`,
      ways: [`grant Describe on it; "holdfast rights list --role ${role}" has all that the ${role} needs`],
    };
  const admin = await around.admin();
  const ends = await admin.describeOffsets(topics.map(prefixed));
  const committed = await admin.committedOffsets(prefixed(groupId), topics.map(prefixed));
  const behind = ends.reduce((sum, { topic, partition, low, end }) => {
    const position = committed.find((at) => at.topic === topic && at.partition === partition)?.offset ?? low;
    return sum + (end > position ? end - position : 0n);
  }, 0n);
  const partitions = ends.filter(({ topic }) => topic === prefixed(source)).map(({ partition }) => partition);
  const unassigned = partitions.filter((partition) => !assigned(group, prefixed(source)).has(partition));
  // Offsets count the ends of transactions too, which nobody reads.
  const lag = `at most ${behind} records behind`;
  const start = `start one: "holdfast serve ${role}"`;
  if (group.members.length === 0) return { status: 'warning', said: `no instance runs; ${lag}`, ways: [start] };
  const names = group.members.map(({ clientId, clientHost }) => `${clientId} (${clientHost.replace(/^\//, '')})`);
  if (unassigned.length > 0)
    return {
      status: 'warning',
      said: `task groups ${groupsOf(unassigned, Math.min(kafka.groups, partitions.length)).join(', ')} have no instance; ${lag}`,
      details: [`members: ${names.join(', ')}; the group is ${group.state}`],
      ways: [
        'wait until the group has divided the work (it is Stable then), and look again',
        'if it stays so, all instances have to be started with the same kafka.groups',
      ],
    };
  return ok(`${group.members.length === 1 ? 'one instance' : `${group.members.length} instances`}, ${lag}`, names);
};

const assigned = ({ members }: Extract<GroupSurvey, { kind: 'group' }>, source: string): ReadonlySet<number> =>
  new Set(members.flatMap(({ partitions }) => partitions.get(source) ?? []));
