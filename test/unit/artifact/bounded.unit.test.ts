import { expect, test } from '@jest/globals';
import { evolve, openUnit } from '../../../topology/task/evolve.js';
import { ARTIFACTS_KEPT } from '../../../topology/task/kept-artifacts.js';
import type { Artifact, UnitRecord } from '../../../topology/task/unit.js';

const artifact = (number: number, sealed: boolean): Artifact => ({
  attempt: 1,
  artifactId: `a-${number}`,
  mediaTypes: ['text/plain'],
  chunks: 1,
  length: 1,
  chunkDigests: [],
  sealed,
  late: false,
});

const opened = openUnit({
  type: 'UnitOpened',
  correlationId: 'c-1',
  born: '0/0',
  acceptedOutputModes: [],
  inputKept: true,
  continues: false,
  at: 0,
});

const keep = (record: UnitRecord, kept: Artifact): UnitRecord =>
  evolve(record, { type: 'ArtifactKept', artifact: kept });

const ids = (record: UnitRecord): readonly string[] =>
  record.artifacts.map(({ attempt, artifactId }) => `${attempt}:${artifactId}`);

const bound = (record: UnitRecord, number: number): UnitRecord =>
  evolve(record, {
    type: 'AttemptBegun',
    attempt: {
      number,
      agentId: `agent-${number}`,
      by: 'client',
      status: 'bound',
      dispatchedAt: 0,
      messageIds: [],
      state: null,
      ended: null,
      answered: false,
      closedByViolation: false,
      cancelAsked: false,
      seen: [],
      seenAt: 0,
    },
  });

const filled = (record: UnitRecord, attempt: number, count: number): UnitRecord => {
  let full = record;
  for (let number = 0; number < count; number += 1) full = keep(full, { ...artifact(number, true), attempt });
  return full;
};

test('should keep the first artifacts of a unit, with their seals, and write on those alone', () => {
  const full = filled(bound(opened, 1), 1, ARTIFACTS_KEPT);

  expect(keep(full, artifact(ARTIFACTS_KEPT, false))).toStrictEqual(full);
  expect(keep(full, { ...artifact(2, true), chunks: 2 }).artifacts).toStrictEqual(
    full.artifacts.with(2, { ...artifact(2, true), chunks: 2 }),
  );
});

test('should let artifacts of a superseded attempt go for those of the current one, never the other way', () => {
  const superseded = bound(filled(bound(opened, 1), 1, ARTIFACTS_KEPT), 2);
  const taken = keep(superseded, { ...artifact(0, true), attempt: 2 });

  expect(ids(taken)).toStrictEqual([...ids(superseded).slice(0, -1), '2:a-0']);
  expect(keep(taken, artifact(ARTIFACTS_KEPT + 1, true))).toStrictEqual(taken);
});
