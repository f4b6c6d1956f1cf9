import { MAX_ID_LENGTH } from './a2a/json.js';
import type { Contracts } from './agent/contracts.js';
import { partitionOf } from './kit/partition.js';
import { recordKey, utf8 } from './kit/record-key.js';
import type { Incoming, Outgoing, Surroundings } from './kit/topology.js';
import type { DeadLetter, Verdict } from './ledger-records.js';
import type { Observation } from './observation.js';
import { DEAD_LETTERS, VERDICTS } from './topics.js';
import type { QuarantineReason } from './vocabulary.js';

type Around = Surroundings<unknown, Contracts>;

/** The record key of the unit that an input names, as text; `null`: it names none. */
export const unitKeyOf = (incoming: Incoming<Observation>): string | null => {
  if (incoming.decoded.kind !== 'value') return null;
  const { tenant, correlationId } = incoming.decoded.value;
  return recordKey(tenant, correlationId);
};

export type Quarantine = { readonly reason: QuarantineReason; readonly detail: string };

/** Why a record is set aside before anything is concluded from it (RULES.md section 12, order 1). */
export const quarantine = (
  incoming: Incoming<Observation>,
  { partition, partitions }: Pick<Around, 'partition' | 'partitions'>,
): Quarantine | undefined => {
  const { decoded, key } = incoming;
  // Brokers take no larger one: only a compressed batch can hold it, and what is written about it would not fit.
  const size = sizeOf(incoming);
  if (size > MAX_RECORD_BYTES)
    return { reason: 'too-large', detail: `${size} bytes of key, value and headers are more than ${MAX_RECORD_BYTES}` };
  if (decoded.kind === 'failed') return decoded;
  if (key === null) return { reason: 'undecodable', detail: 'the record has no key' };
  const home = partitionOf(key, partitions);
  if (home !== partition)
    return { reason: 'misrouted', detail: `murmur2 of the key is partition ${home} of ${partitions}` };
  const long = decoded.kind === 'value' ? overlongField(decoded.value) : undefined;
  if (long !== undefined)
    return { reason: 'too-large', detail: `${long} is longer than ${MAX_ID_LENGTH} characters: no ID is` };
  const expected = unitKeyOf(incoming);
  if (expected !== null && !sameBytes(key, utf8(expected)))
    return { reason: 'undecodable', detail: 'the key is not that of the unit which the value names' };
  return undefined;
};

/** Records keep IDs for as long as the unit lives; one that fills a record would stop the partition for good (R59). */
const IDS: ReadonlySet<string> = new Set([
  ...['tenant', 'correlationId', 'agentId', 'serverTaskId', 'messageId', 'contextId', 'artifactId', 'principal'],
  ...['skillId', 'commandId', 'boundTo', 'state', 'digest', 'assembled', 'metadataCorrelationId', 'reason'],
]);

const overlongField = (observation: Observation): string | undefined =>
  Object.entries(observation).find(
    ([name, value]) => IDS.has(name) && typeof value === 'string' && value.length > MAX_ID_LENGTH,
  )?.[0];

/** What a topic of Holdfast takes of task events, uncompressed (`max.message.bytes`). */
export const MAX_RECORD_BYTES = 4 * 1024 * 1024;

const sizeOf = ({ key, bytes, headers }: Incoming<Observation>): number =>
  Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    (key?.length ?? 0) + (bytes?.length ?? 0),
  );

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

const WITHOUT_CONTENT = { key: null, bytes: null, headers: {} } as const;

/** What is written about a record that is set aside: its verdict, and the record whole (R58, R59). */
export const setAside = (
  incoming: Incoming<Observation>,
  { reason, detail }: Quarantine,
  around: Around,
): readonly Outgoing[] => {
  const { coordinates, time, sha256 } = incoming;
  // Without its content where that would make it as large: it still says which record it was, and that by its digest.
  const { key, bytes, headers } = sizeOf(incoming) > MAX_RECORD_BYTES ? WITHOUT_CONTENT : incoming;
  const letter: DeadLetter = {
    type: 'DeadLetter',
    reason,
    detail,
    source: coordinates,
    sourceTime: time,
    sourceSha256: sha256,
    ...(key === null ? {} : { key }),
    ...(bytes === null ? {} : { value: bytes }),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    quarantinedAt: around.now,
  };
  const verdict = bareVerdict(incoming, around, {
    verdict: 'quarantined',
    quarantine: reason,
    rule: reason === 'misrouted' ? 'R58' : 'R59',
    reason: detail,
  });
  return [
    { topic: VERDICTS, key: null, value: verdict },
    { topic: DEAD_LETTERS, key: null, value: letter },
  ];
};

/** A tombstone on an input topic is no observation and erases nothing (R56). */
export const ignoreTombstone = (incoming: Incoming<Observation>, around: Around): readonly Outgoing[] => {
  const reason = 'a record without a value says nothing';
  return [
    { topic: VERDICTS, key: null, value: bareVerdict(incoming, around, { verdict: 'ignored', rule: 'R56', reason }) },
  ];
};

const bareVerdict = (
  { coordinates, sha256 }: Incoming<Observation>,
  { global, now }: Around,
  said: Pick<Verdict, 'verdict' | 'rule' | 'reason'> & { readonly quarantine?: QuarantineReason },
): Verdict => ({
  type: 'Verdict',
  ...said,
  indeterminate: false,
  commandIds: [],
  trigger: 'observation',
  cause: coordinates,
  inputSha256: sha256,
  agentsOffset: global.offset,
  policyVersion: global.policyVersion,
  decidedAt: now,
  previousDigest: '',
});
