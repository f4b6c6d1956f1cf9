import type { RECORDS_BY_TOPIC } from '../../schemas/catalogue.js';

export type TopicName = keyof typeof RECORDS_BY_TOPIC;

/** What a reader of the document has to know of a topic beside its records. */
export type ChannelText = {
  /** `receive`: others write it and Holdfast reads; `send`: the other way round. */
  readonly action: 'receive' | 'send';
  /** Name of the operation. */
  readonly operation: string;
  readonly description: string;
  /** Kafka's key. */
  readonly key: string;
};

const RECORD_KEY =
  'Record key of the unit of work: `<byte length of tenant>:<tenant><correlation ID>`, without a tenant `0:<correlation ID>`; UTF-8.';
const OWN_PARTITION = 'Written to the partition that has the number of the one it was decided in.';

export const CHANNEL_TEXTS: Readonly<Record<TopicName, ChannelText>> = {
  'a2a.task-events.v1': {
    action: 'receive',
    operation: 'observe',
    description:
      'What observers saw of tasks: the only topic that a producer outside Holdfast writes to. The partition is murmur2 of the key (R58). A record is judged once; one that cannot be judged is set aside on the dead letters, and the partition goes on (R59).',
    key: RECORD_KEY,
  },
  'a2a.agents.v1': {
    action: 'send',
    operation: 'publishAgents',
    description:
      'Cards, verifications, policy, removals and gaps, kept for ever and read whole by every task of the ledger. One partition. Written by the verifier alone.',
    key: 'Agent ID; for what is about no agent the name of the record.',
  },
  'a2a.ledger.v1': {
    action: 'send',
    operation: 'publishLedger',
    description: `The current record of every unit of work: the changelog of the ledger and its public view in one. Keys that begin with \`!\` are internal: pass over them. ${OWN_PARTITION} Read it committed.`,
    key: RECORD_KEY,
  },
  'a2a.verdicts.v1': {
    action: 'send',
    operation: 'publishVerdicts',
    description: `One record for every decision, chained by digest: the audit trail. ${OWN_PARTITION} Read it committed.`,
    key: `${RECORD_KEY} Absent where the record that was judged names no unit.`,
  },
  'a2a.violations.v1': {
    action: 'send',
    operation: 'publishViolations',
    description: `Broken promises and contract errors, to alert on. ${OWN_PARTITION} Read it committed.`,
    key: RECORD_KEY,
  },
  'a2a.commands.v1': {
    action: 'send',
    operation: 'publishCommands',
    description: `What dispatcher and verifier are to do. ${OWN_PARTITION}`,
    key: `${RECORD_KEY} Of a RefreshCard the agent ID.`,
  },
  'a2a.evidence.v1': {
    action: 'send',
    operation: 'publishEvidence',
    description: `What traffic says about agents, for the verifier. ${OWN_PARTITION}`,
    key: 'Agent ID.',
  },
  'a2a.dead-letters.v1': {
    action: 'send',
    operation: 'publishDeadLetters',
    description: `Records that could not be judged, whole, with coordinates and reason. ${OWN_PARTITION} Read it committed.`,
    key: 'None.',
  },
  'a2a.inputs.v1': {
    action: 'send',
    operation: 'keepInputs',
    description:
      'What clients sent, for a redispatch (R34). Written by the gateway, tombstoned by the ledger. It holds user content.',
    key: RECORD_KEY,
  },
};
