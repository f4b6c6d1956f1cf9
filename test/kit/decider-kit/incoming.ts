/** Generated records as they are read from the topic: good ones, and what must be set aside (R56, R58, R59). */
import fc from 'fast-check';
import { NO_CONTRACTS } from '../../../topology/agent/contracts.js';
import { partitionOf } from '../../../topology/kit/partition.js';
import { recordKey, utf8 } from '../../../topology/kit/record-key.js';
import type { Incoming } from '../../../topology/kit/topology.js';
import { ledgerTopology } from '../../../topology/ledger.topology.js';
import type { Verdict } from '../../../topology/ledger-records.js';
import type { Observation } from '../../../topology/observation.js';
import { QUARANTINE_REASONS } from '../../../topology/vocabulary.js';
import { dispatched } from './builders.js';
import type { Tally } from './tally.js';

const PARTITIONS = 12;

type Kind = 'good' | 'no-key' | 'foreign-key' | 'misrouted' | 'tombstone' | 'failed';
export type Arrival = {
  readonly kind: Kind;
  readonly correlationId: string;
  readonly reason: (typeof QUARANTINE_REASONS)[number];
};

export const incomings: fc.Arbitrary<Arrival> = fc.record({
  kind: fc.constantFrom<Kind>('good', 'no-key', 'foreign-key', 'misrouted', 'tombstone', 'failed'),
  correlationId: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  reason: fc.constantFrom(...QUARANTINE_REASONS.filter((reason) => reason !== 'misrouted')),
});

const decodedOf = ({ kind, correlationId, reason }: Arrival): Incoming<Observation>['decoded'] => {
  if (kind === 'tombstone') return { kind: 'tombstone' };
  if (kind === 'failed') return { kind: 'failed', reason, detail: 'as the runtime says' };
  return { kind: 'value', value: dispatched('w1', { correlationId }) };
};

const EXPECTED: Readonly<Record<Kind, string>> = {
  good: 'accepted',
  'no-key': 'quarantined undecodable',
  'foreign-key': 'quarantined undecodable',
  misrouted: 'quarantined misrouted',
  tombstone: 'ignored',
  failed: 'quarantined',
};

/** Reads one record by the production processor and checks what is written about it. */
export const processed = (arrival: Arrival, tally: Tally): void => {
  const { kind, correlationId, reason } = arrival;
  const own = utf8(recordKey(undefined, correlationId));
  const key = kind === 'no-key' ? null : kind === 'foreign-key' ? utf8(recordKey('x', correlationId)) : own;
  const home = key === null ? 0 : partitionOf(key, PARTITIONS);
  const partition = kind === 'misrouted' ? (home + 1) % PARTITIONS : home;
  const bytes = kind === 'tombstone' ? null : utf8('the bytes');
  const { processor } = ledgerTopology;
  const { outputs, state } = processor.process(
    {
      coordinates: { topic: 'a2a.task-events.v1', partition, offset: 7n },
      time: 5,
      key,
      bytes,
      headers: { h: utf8('v') },
      sha256: 'sha',
      decoded: decodedOf(arrival),
    },
    null,
    { now: 6, partition, partitions: PARTITIONS, shared: { waits: new Map() }, global: NO_CONTRACTS },
  );
  const verdicts = outputs.filter(({ topic }) => topic.name === 'a2a.verdicts.v1').map(({ value }) => value as Verdict);
  const [verdict] = verdicts;
  if (verdict === undefined || verdicts.length > 1) throw new Error(`${verdicts.length} verdicts`);
  tally.add('verdict', verdict.verdict);
  if (verdict.quarantine !== undefined) tally.add('quarantine', verdict.quarantine);
  const said = [verdict.verdict, ...(verdict.quarantine === undefined ? [] : [verdict.quarantine])].join(' ');
  const expected = kind === 'failed' ? `quarantined ${reason}` : EXPECTED[kind];
  if (said !== expected) throw new Error(`${kind}: ${said} for ${expected}`);
  const letters = outputs.filter(({ topic }) => topic.name === 'a2a.dead-letters.v1').map(({ value }) => value);
  const letter = {
    type: 'DeadLetter',
    reason: verdict.quarantine,
    detail: verdict.reason,
    source: { topic: 'a2a.task-events.v1', partition, offset: 7n },
    sourceTime: 5,
    sourceSha256: 'sha',
    ...(key === null ? {} : { key }),
    ...(bytes === null ? {} : { value: bytes }),
    headers: [{ name: 'h', value: utf8('v') }],
    quarantinedAt: 6,
  };
  const whole = said.startsWith('quarantined') ? [letter] : [];
  if (!same(letters, whole)) throw new Error(`${kind}: the dead letter is not the record whole`);
  if ((state === null) !== (kind !== 'good')) throw new Error(`${kind}: the state`);
};

const same = (a: unknown, b: unknown): boolean => {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? `${inner.toString()}n` : inner instanceof Uint8Array ? [...inner] : inner,
    );
  return text(a) === text(b);
};
