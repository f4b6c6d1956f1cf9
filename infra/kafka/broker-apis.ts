import { corrected } from './corrected-kafkajs.js';
import { FETCH_VERSION } from './fetch-protocol.js';
import type { ApiVersions } from './kafkajs-internals.js';

/** What the services ask brokers for, by kafkajs's names. */
const NEEDED = {
  Produce: 0,
  Fetch: 1,
  ListOffsets: 2,
  Metadata: 3,
  OffsetFetch: 9,
  GroupCoordinator: 10,
  JoinGroup: 11,
  Heartbeat: 12,
  LeaveGroup: 13,
  SyncGroup: 14,
  InitProducerId: 22,
  AddPartitionsToTxn: 24,
  AddOffsetsToTxn: 25,
  EndTxn: 26,
  TxnOffsetCommit: 28,
} as const;

/** The requests that this program and the broker have no version of in common, by name. */
export const missingApis = (apis: ApiVersions): readonly string[] =>
  Object.entries(NEEDED)
    .filter(([name, key]) => {
      const { minVersion, maxVersion } = apis[key] ?? { minVersion: 0, maxVersion: -1 };
      return !versionsOf(name).some((version) => version >= minVersion && version <= maxVersion);
    })
    .map(([name]) => name);

const versionsOf = (name: string): readonly number[] => {
  if (name === 'Fetch') return [FETCH_VERSION];
  const table: Readonly<Record<string, { readonly versions: readonly string[] } | undefined>> = {
    ...corrected().internals.requests,
  };
  return (table[name]?.versions ?? []).map(Number);
};

/** The releases of Kafka that a broker may be of, as well as its Fetch versions tell: brokers do not say. */
export const releaseOf = (apis: ApiVersions): string => {
  const { minVersion, maxVersion } = apis[NEEDED.Fetch] ?? { minVersion: 0, maxVersion: 0 };
  if (minVersion >= 4) return 'Kafka 4.0 or later';
  if (maxVersion >= 15) return 'Kafka 3.5 or later';
  if (maxVersion >= 13) return 'Kafka 3.1 or later';
  if (maxVersion >= 12) return 'Kafka 2.7 or later';
  return maxVersion >= FETCH_VERSION ? 'Kafka 2.4 or later' : 'older than Kafka 2.4';
};
