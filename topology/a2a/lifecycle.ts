import { id, omitAbsent, own, subjectId, text } from './json.js';

/** URI of the lifecycle extension; its metadata lies under this key (RULES.md section 2). */
export const LIFECYCLE_EXTENSION = 'urn:holdfast:a2a-lifecycle:v1';

/** The lifecycle metadata on a message, a task or a status. What is not of the declared type is absent. */
export type Lifecycle = {
  /** Opaque: as it stands, never trimmed or folded. The empty text is no key. */
  readonly correlationId?: string;
  readonly skillId?: string;
  readonly attempt?: number;
  readonly probe?: boolean;
  readonly phase?: string;
  readonly reason?: string;
};

const readOne = (metadata: unknown): Lifecycle => {
  const ours = own(metadata, LIFECYCLE_EXTENSION);
  const attempt = own(ours, 'attempt');
  const probe = own(ours, 'probe');
  return omitAbsent({
    correlationId: subjectId(own(ours, 'correlationId')),
    skillId: id(own(ours, 'skillId')),
    attempt: typeof attempt === 'number' && Number.isSafeInteger(attempt) && attempt > 0 ? attempt : undefined,
    probe: typeof probe === 'boolean' ? probe : undefined,
    phase: id(own(ours, 'phase')),
    reason: text(own(ours, 'reason')),
  });
};

/** Lifecycle metadata out of the places that may carry it; where two say a thing, the first counts. */
export const readLifecycle = (...metadata: readonly unknown[]): Lifecycle =>
  metadata.reduceRight<Lifecycle>((later, place) => ({ ...later, ...readOne(place) }), {});
