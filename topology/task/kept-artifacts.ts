import { currentAttempt, type Artifact, type UnitRecord } from './unit.js';

/** A record is written whole with every change of it: without a bound, a task of n artifacts would cost n² bytes (R21). */
export const ARTIFACTS_KEPT = 500;

/** The attempt whose artifacts count: the one that decided the unit, else the current one (R24, R38). */
const isPreferred = (record: UnitRecord, number: number): boolean =>
  number === (record.decidedBy ?? currentAttempt(record)?.number);

/** The place that is given up for an artifact of the preferred attempt: the last one of any other attempt, or -1. */
const placeGivenUp = (record: UnitRecord, number: number): number =>
  isPreferred(record, number) ? record.artifacts.findLastIndex(({ attempt }) => !isPreferred(record, attempt)) : -1;

export const isFull = ({ artifacts }: UnitRecord): boolean => artifacts.length >= ARTIFACTS_KEPT;

/** Whether one more artifact of an attempt can be remembered. */
export const hasRoom = (record: UnitRecord, attempt: number): boolean =>
  !isFull(record) || placeGivenUp(record, attempt) >= 0;

/**
 * The first ones are remembered, with their seals: what was let go once could not be told from what was never seen. Only
 * artifacts of other attempts make room for those that count.
 */
export const keepArtifact = (record: UnitRecord, kept: Artifact): readonly Artifact[] => {
  const { artifacts } = record;
  const held = artifacts.findIndex((a) => a.attempt === kept.attempt && a.artifactId === kept.artifactId);
  if (held >= 0) return artifacts.with(held, kept);
  if (!isFull(record)) return [...artifacts, kept];
  const place = placeGivenUp(record, kept.attempt);
  return place < 0 ? artifacts : [...artifacts.toSpliced(place, 1), kept];
};
