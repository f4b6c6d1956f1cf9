import type { QuarantineReason } from '../../topology/vocabulary.js';
import type { Coordinates } from '../../topology/kit/coordinates.js';
import type { TailKind } from './tail-kinds.js';

/** A record as it was read. `time`: append time, ms. */
export type TailedRecord = {
  readonly kind: TailKind;
  readonly at: Coordinates;
  readonly time: number;
  readonly key: Uint8Array | null;
  readonly content:
    | { readonly kind: 'value'; readonly value: unknown }
    | { readonly kind: 'tombstone' }
    | { readonly kind: 'failed'; readonly reason: QuarantineReason; readonly detail: string; readonly bytes: number };
};

/** By append time; records of the same moment by what follows from what, then as they lie. */
export const compareTailed = (a: TailedRecord, b: TailedRecord, kinds: readonly TailKind[]): number =>
  a.time - b.time ||
  kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
  a.at.partition - b.at.partition ||
  (a.at.offset < b.at.offset ? -1 : a.at.offset > b.at.offset ? 1 : 0);
