/** How far a store has applied its changelog; written in the same batch as what was applied (invariant 5). */
export type Checkpoint = {
  /** The changelog offset to read next. */
  readonly next: bigint;
  /** Offset of the last position record applied: reading again from there shows whether it is still the same log. */
  readonly positionAt: bigint | undefined;
  /** Wall clock of the last application, ms: an old store may hold keys whose tombstones are gone. */
  readonly appliedAt: number;
};

export const encodeCheckpoint = ({ next, positionAt, appliedAt }: Checkpoint): Uint8Array =>
  Buffer.from(`${next.toString()} ${positionAt?.toString() ?? '-'} ${appliedAt}`);

const FORM = /^(\d+) (\d+|-) (\d+)$/;

/** `undefined` where the bytes are no checkpoint. */
export const decodeCheckpoint = (bytes: Uint8Array): Checkpoint | undefined => {
  const [, next, positionAt, appliedAt] = FORM.exec(Buffer.from(bytes).toString()) ?? [];
  if (next === undefined || positionAt === undefined || appliedAt === undefined) return undefined;
  return {
    next: BigInt(next),
    positionAt: positionAt === '-' ? undefined : BigInt(positionAt),
    appliedAt: Number(appliedAt),
  };
};
