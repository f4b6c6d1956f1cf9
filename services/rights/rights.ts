import { ledgerTopology } from '../../topology/ledger.topology.js';
import {
  AGENTS,
  COMMANDS,
  DEAD_LETTERS,
  EVIDENCE,
  INPUTS,
  LEDGER,
  TASK_EVENTS,
  TOPICS,
  VERDICTS,
  VIOLATIONS,
} from '../../topology/topics.js';
import { groupNameOf } from '../mesh/group-name.js';

export type Operation = 'Read' | 'Write' | 'Create' | 'Describe' | 'DescribeConfigs';

/** An ACL that a role needs on the brokers, in the words of Kafka's own tools. */
export type Right = {
  readonly operation: Operation;
  readonly resource: 'Topic' | 'Group' | 'TransactionalId';
  readonly name: string;
  /** `Prefixed`: everything whose name begins so. */
  readonly pattern: 'Literal' | 'Prefixed';
  /** What comes of it, or what it is for. */
  readonly why: string;
};

/** Who talks to the brokers: the services, whoever runs commands, and programs of others. */
export const RIGHTS_ROLES = [
  'ledger',
  'verifier',
  'dispatcher',
  'gateway',
  'reader',
  'operator',
  'admin',
  'producer',
  'consumer',
] as const;
export type RightsRole = (typeof RIGHTS_ROLES)[number];

/** What each role is, where its name does not say it. */
export const ROLE_NOTES: Readonly<Record<RightsRole, string>> = {
  ledger: 'holdfast serve ledger',
  verifier: 'holdfast serve verifier',
  dispatcher: 'holdfast serve dispatcher',
  gateway: 'holdfast serve gateway',
  reader: 'commands that only look: tasks, agents, tail, reconcile list, dead-letters list and show',
  operator:
    'reconcile approve, void, redispatch, resolve, dead-letters replay; what it looks at before is the reader’s',
  admin: 'holdfast topics create and check',
  producer: 'a program of others that writes observations',
  consumer: 'a program of others that reads what the ledger concludes',
};

type Named = { readonly name: string };

const topic =
  (operation: Operation) =>
  ({ name }: Named, why: string): Right => ({ operation, resource: 'Topic', name, pattern: 'Literal', why });
const read = topic('Read');
const write = topic('Write');

const group = (name: string, why: string): Right => ({
  operation: 'Read',
  resource: 'Group',
  name,
  pattern: 'Literal',
  why,
});

/** The transactional IDs of a group are `<group>.g0`, `<group>.g1` and so on: as many as `kafka.groups`. */
const locks = (name: string, why: string): Right => ({
  operation: 'Write',
  resource: 'TransactionalId',
  name: `${name}.g`,
  pattern: 'Prefixed',
  why,
});

/** What the names of all topics begin with. */
const FAMILY = 'a2a.';
const strangers = TOPICS.filter(({ name }) => !name.startsWith(FAMILY));
if (strangers.length > 0) throw new Error(`not one of ${FAMILY}*: ${strangers.map(({ name }) => name).join(', ')}`);

const allTopics = (operation: Operation, why: string): Right => ({
  operation,
  resource: 'Topic',
  name: FAMILY,
  pattern: 'Prefixed',
  why,
});

/** A group of others has a name of their own, which `holdfast rights list --group` says. */
export const ANY_GROUP = 'my-consumers';

const LEDGER_GROUP = ledgerTopology.applicationId;
const DISPATCHER_GROUP = groupNameOf('dispatcher');

/**
 * The ACLs of each role, none too many: a test takes each away and shows what comes of it. Describe is not listed beside
 * Read or Write, which imply it; IdempotentWrite on the cluster has followed from Write on a topic since Kafka 3.0.
 * Services need neither create nor alter anything.
 */
export const RIGHTS: Readonly<Record<RightsRole, readonly Right[]>> = {
  ledger: [
    read(TASK_EVENTS, 'the observations that it judges'),
    read(AGENTS, 'cards, verifications and the policy that it judges by'),
    read(LEDGER, 'restores its stores from it'),
    write(LEDGER, 'keeps the record of every unit'),
    write(VERDICTS, 'one record for every decision'),
    write(VIOLATIONS, 'broken promises'),
    write(COMMANDS, 'what is to be done about lost units'),
    write(EVIDENCE, 'what traffic says about agents'),
    write(DEAD_LETTERS, 'records that it sets aside'),
    write(INPUTS, 'deletes the input of a unit that has ended'),
    group(LEDGER_GROUP, 'its instances share the partitions'),
    locks(LEDGER_GROUP, 'its transactions, and the lock on each task group'),
  ],
  verifier: [
    read(AGENTS, 'what it found out before'),
    write(AGENTS, 'cards, verifications, configuration'),
    read(COMMANDS, 'requests for a fresh card'),
    read(EVIDENCE, 'what traffic says about agents'),
  ],
  dispatcher: [
    read(COMMANDS, 'what it is to do'),
    read(DEAD_LETTERS, 'misrouted records, which it writes once more'),
    read(LEDGER, 'the record of a unit, right before it is sent'),
    read(INPUTS, 'what the client sent'),
    read(AGENTS, 'the contract of the agent that it is sent to'),
    read(VERDICTS, 'whether a task that was lost counts as back'),
    write(TASK_EVENTS, 'what it sent and heard'),
    group(DISPATCHER_GROUP, 'its instances share the partitions'),
    locks(DISPATCHER_GROUP, 'commits how far it has come, and the lock on that'),
  ],
  gateway: [
    read(LEDGER, 'whose task an ID is, and what became of it'),
    read(AGENTS, 'which agents are verified'),
    write(TASK_EVENTS, 'what it saw, before it passes it on'),
    write(INPUTS, 'what a client sent, for a redispatch'),
  ],
  reader: [
    read(LEDGER, 'what is on record of every unit of work'),
    read(VERDICTS, 'why a unit is where it is'),
    read(COMMANDS, 'what was done about it'),
    read(AGENTS, 'the contracts, and those in force when a verdict fell'),
    read(TASK_EVENTS, 'what was observed, for tail; where dead letters were written again'),
    read(VIOLATIONS, 'broken promises, for tail'),
    read(EVIDENCE, 'what traffic said about agents, for tail'),
    read(DEAD_LETTERS, 'records that were set aside'),
  ],
  operator: [
    read(LEDGER, 'which unit is meant'),
    read(VERDICTS, 'what the ledger concludes'),
    read(DEAD_LETTERS, 'the record that is to be replayed'),
    read(TASK_EVENTS, 'whether it was written again before'),
    write(TASK_EVENTS, 'the word itself, and what is replayed'),
  ],
  admin: [
    allTopics('Create', 'creates those that do not exist'),
    allTopics('Describe', 'sees whether they exist, and waits for their leaders'),
    allTopics('DescribeConfigs', 'compares their settings with those wanted'),
  ],
  producer: [write(TASK_EVENTS, 'its observations')],
  consumer: [
    read(VERDICTS, 'every decision'),
    read(VIOLATIONS, 'broken promises, to alert on'),
    group(ANY_GROUP, 'its instances share the partitions'),
  ],
};

export type RightsNaming = {
  /** Before the names of topics, and of groups and transactional IDs of Holdfast. */
  readonly topicPrefix: string;
  /** The group of the consumer, as it stands. */
  readonly consumerGroup?: string;
};

/** The rights of a role under the names of one installation. */
export const rightsOf = (
  role: RightsRole,
  { topicPrefix, consumerGroup = ANY_GROUP }: RightsNaming,
): readonly Right[] =>
  RIGHTS[role].map((right) => ({
    ...right,
    name: role === 'consumer' && right.resource === 'Group' ? consumerGroup : `${topicPrefix}${right.name}`,
  }));
