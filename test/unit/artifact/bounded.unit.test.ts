import { expect, test } from '@jest/globals';
import { ARTIFACTS_KEPT, evolve, openUnit } from '../../../topology/task/evolve.js';
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

test('should keep so many artifacts of a unit, and let the oldest complete one go first', () => {
  // The first one is still being written.
  let record = keep(opened, artifact(0, false));
  for (let number = 1; number < ARTIFACTS_KEPT + 100; number += 1) record = keep(record, artifact(number, true));

  const kept = record.artifacts.map(({ artifactId }) => artifactId);

  expect(kept.length).toBe(ARTIFACTS_KEPT);
  expect([kept[0], kept[1], kept.at(-1)]).toStrictEqual(['a-0', 'a-101', `a-${ARTIFACTS_KEPT + 99}`]);
});

test('should let the oldest go where none is complete, and replace in its place what is written on', () => {
  let record = opened;
  for (let number = 0; number <= ARTIFACTS_KEPT; number += 1) record = keep(record, artifact(number, false));
  record = keep(record, { ...artifact(2, false), chunks: 2 });

  expect(record.artifacts.length).toBe(ARTIFACTS_KEPT);
  expect(record.artifacts.slice(0, 2).map(({ artifactId, chunks }) => [artifactId, chunks])).toStrictEqual([
    ['a-1', 1],
    ['a-2', 2],
  ]);
});
