/** The digest that the first record of a chained partition carries. */
export const FIRST_DIGEST = '';

/**
 * Where a task is. Lies under `!position` on the changelog, written in every transaction as the last changelog record,
 * so that position, state and outputs are committed or aborted together (algorithm A6).
 */
export type TaskPosition<Shared> = {
  /** Offset of the source record to be processed next; what lies before is decided, whoever delivers it again (R17). */
  readonly source: bigint;
  /** Offset of the global record to be folded next. */
  readonly global: bigint;
  /** Present: the global record at `global` is folded for the keys up to here; a walk may span transactions. */
  readonly walk?: Walk;
  /** Stream time, ms (R16). */
  readonly now: number;
  readonly shared: Shared;
  /** SHA-256, as hex, of the value last written to the chained topic. */
  readonly digest: string;
  /** Made up once for each life of the changelog: tells a store that the topic was deleted and created again. */
  readonly incarnation: string;
};

/** How far a walk over the affected indexes has come. */
export type Walk = {
  readonly offset: bigint;
  /** Number of the index among those affected. */
  readonly index: number;
  /** The last key looked at. */
  readonly after: string;
  readonly rank: number;
};
