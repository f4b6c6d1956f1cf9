import { outcomeTable } from './outcome.js';

/** What producers can put on the topics. */
export const TOPIC_OUTCOMES = outcomeTable('Records on the topics', {
  notAvro: {
    given: 'bytes that are no Avro in Confluent framing',
    outcome: 'verdict `quarantined` (`undecodable`), the record whole as a dead letter; the partition goes on',
  },
  emptyValue: { given: 'an empty value', outcome: '`quarantined` (`undecodable`), dead letter' },
  tombstone: { given: 'a tombstone among the task events', outcome: '`ignored`: it says nothing and erases nothing' },
  noKey: { given: 'no key', outcome: '`quarantined` (`undecodable`), dead letter' },
  otherKey: {
    given: "a key that is not that of the value's unit",
    outcome: '`quarantined` (`undecodable`), dead letter',
  },
  keyNotUtf8: {
    given: 'a key that is not UTF-8',
    outcome: '`quarantined` (`undecodable`), dead letter with its bytes',
  },
  unknownSchema: {
    given: 'a schema ID that the registry does not know',
    outcome:
      'its own partition waits `schemaWaitMs`, behind what came before it, and the others go on; then `quarantined` (`unknown-schema`)',
  },
  foreignRecord: {
    given: 'a record that somebody registered under another subject',
    outcome: '`quarantined` (`undecodable`), dead letter: it is no record of Holdfast',
  },
  otherShape: {
    given: 'a record of our name with a field renamed, registered under another subject',
    outcome: '`quarantined` (`undecodable`), dead letter that names the field',
  },
  laterVersion: { given: 'a later, compatible version of the schema', outcome: 'judged; what it adds is not seen' },
  trailingBytes: { given: 'bytes behind the Avro value', outcome: '`quarantined` (`undecodable`), dead letter' },
  otherTopicsRecord: {
    given: 'a record that belongs on another topic',
    outcome: '`quarantined` (`undecodable`), dead letter: it does not belong there',
  },
  noEventHeaders: {
    given: 'no `ce_id` or no `ce_source`',
    outcome: 'judged, each time: without both nothing tells a repetition',
  },
  sameEventTwice: { given: 'the same event twice', outcome: 'the second is `idempotent`' },
  sameIdOtherContent: { given: 'an event ID again with other content', outcome: 'judged as what it says, and counted' },
  misrouted: {
    given: "a record in another partition than its key's",
    outcome: '`quarantined` (`misrouted`); the dispatcher writes it once more where it belongs, and there it is judged',
  },
  gzip: { given: 'batches compressed with gzip', outcome: 'read and judged' },
  snappy: { given: 'batches compressed with Snappy', outcome: 'read and judged' },
  lz4: { given: 'batches compressed with LZ4', outcome: 'read and judged' },
  zstd: { given: 'batches compressed with Zstandard', outcome: 'read and judged' },
  large: { given: 'a record of 2 MB', outcome: 'judged; set aside it is a dead letter of that size' },
  bomb: {
    given: 'a compressed batch that becomes more than 32 MiB',
    outcome: 'each of its offsets `quarantined` (`too-large`), undecompressed; the partition goes on',
  },
  bombOfOne: {
    given: 'a record of more than 4 MiB, which only a compressed batch can hold',
    outcome: '`quarantined` (`too-large`); the dead letter names its place and digest, without the content',
  },
  outputTooLarge: {
    given: 'something that makes an output larger than its topic takes',
    outcome:
      'the task group waits and names the topic, the others go on; it goes on by itself once `max.message.bytes` is raised',
  },
  damagedBatch: {
    given: 'a batch whose compressed bytes are damaged under a right checksum',
    outcome: 'refused by the broker; where one lies on the log, each of its offsets is `quarantined` (`undecodable`)',
  },
  abortedTransactions: { given: 'ten thousand aborted transactions in a row', outcome: 'passed over' },
  onAgents: {
    given: 'any of these on `a2a.agents.v1`, which every task reads',
    outcome: 'passed over by every task and every view of it; what is in force stays in force',
  },
  onCommands: {
    given: 'the same on `a2a.commands.v1`',
    outcome: 'the dispatcher passes it over and executes the next',
  },
  onEvidence: { given: 'the same on `a2a.evidence.v1`', outcome: 'the verifier passes it over and folds the next' },
  onInputs: {
    given: 'the same on `a2a.inputs.v1`, under the key of a kept input',
    outcome: 'passed over: the input kept before stays',
  },
  onLedger: {
    given: 'the same on `a2a.ledger.v1`, under the key of a unit',
    outcome: 'gateway and dispatcher pass it over and keep the entry that they have',
  },
});
