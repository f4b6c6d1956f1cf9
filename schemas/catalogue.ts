import { SCHEMAS, type RecordName } from './generated.js';

/** Namespace of every Avro type of Holdfast. A change that is not fully compatible needs a new one, and new topics. */
export const NAMESPACE = 'holdfast.v1';

/** Which records each topic carries. The same lists as in `topology/topics.ts`, which a test compares. */
export const RECORDS_BY_TOPIC = {
  'a2a.task-events.v1': [
    'DispatchObserved',
    'DispatchStarted',
    'DispatchFailed',
    'TaskStateObserved',
    'ArtifactObserved',
    'MessageObserved',
    'TaskNotFoundObserved',
    'ExchangeObserved',
    'StreamClosed',
    'CancelRequested',
    'OperatorDecided',
  ],
  'a2a.agents.v1': [
    'CardAccepted',
    'CardRevalidated',
    'CardRefused',
    'AgentVerified',
    'EvidenceFolded',
    'AgentConfigured',
    'AgentRemoved',
    'GapObserved',
    'PolicyChanged',
  ],
  'a2a.ledger.v1': ['LedgerEntry', 'LedgerPosition'],
  'a2a.verdicts.v1': ['Verdict'],
  'a2a.violations.v1': ['Violation'],
  'a2a.commands.v1': ['RedispatchTask', 'QueryTask', 'CancelSuperseded', 'RefreshCard'],
  'a2a.evidence.v1': ['Evidence'],
  'a2a.dead-letters.v1': ['DeadLetter'],
  'a2a.inputs.v1': ['TaskInput'],
} as const satisfies Readonly<Record<string, readonly RecordName[]>>;

/** The compatibility that every subject is set to: each version with every other, in both directions. */
export const COMPATIBILITY = 'FULL_TRANSITIVE';

/** A record as the registry knows it. */
export type Subject = {
  readonly record: RecordName;
  /** The topic as it is called in the cluster, with a prefix where one is configured. */
  readonly topic: string;
  /** The topic as the catalogue calls it. */
  readonly catalogueTopic: string;
  /** `<topic>-<namespace>.<record>`: the TopicRecordName strategy. */
  readonly subject: string;
  /** The Avro schema as JSON. */
  readonly schema: string;
};

/** The name of an Avro record with its namespace. */
export const fullNameOf = (record: string): string => `${NAMESPACE}.${record}`;

export const subjectOf = (topic: string, record: string): string => `${topic}-${fullNameOf(record)}`;

/** Every subject, in the order of the catalogue. `prefix` is put before the topic names where one is configured. */
export const subjects = (prefix = ''): readonly Subject[] =>
  Object.entries(RECORDS_BY_TOPIC).flatMap(([name, records]) =>
    records.map((record) => {
      const topic = `${prefix}${name}`;
      return { record, topic, catalogueTopic: name, subject: subjectOf(topic, record), schema: SCHEMAS[record] };
    }),
  );
