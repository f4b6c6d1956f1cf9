import type { Decision } from '../decision.js';
import type { ArtifactObserved } from '../observation.js';
import { deferOr } from '../task/deferral.js';
import type { Draft } from '../task/draft.js';
import { bindSpeaker, identify, isDecidedByOther, stopSpeaker } from '../task/speaker.js';
import { ARTIFACTS_KEPT, hasRoom, isFull } from '../task/kept-artifacts.js';
import { isTerminal } from '../task/task-state.js';
import { currentAttempt, type Artifact, type Attempt } from '../task/unit.js';
import type { Judgement } from '../verdict.js';
import type { ViolationCode } from '../vocabulary.js';
import { judgeParts, mediaTypeOf } from './output-modes.js';

/** Chunk digests remembered of one artifact: enough to know a repeated chunk after the last one (R21). */
const CHUNK_DIGESTS_KEPT = 100;

/**
 * Judges artifact content at emission (RULES.md section 12, order 4): identity, each part's type, the attempt's own
 * sequence, other attempts. A refused update leaves what was accepted as it was (R18).
 */
export const decideArtifact = (draft: Draft, seen: ArtifactObserved, final: boolean): Decision => {
  const about = { agentId: seen.agentId, serverTaskId: seen.serverTaskId };
  const speaker = identify(draft.record, draft.key, seen);
  if (speaker.kind === 'conflict') {
    draft.violate('task-identity-conflict');
    const judgement = {
      word: 'violation',
      code: 'task-identity-conflict',
      rule: 'R54',
      reason: speaker.reason,
    } as const;
    return draft.conclude({ ...judgement, ...about });
  }
  const attempt = bindSpeaker(draft, seen, speaker.attempt);
  // An artifact is a word as well: who wrote it still works.
  if (attempt.status === 'void' || isDecidedByOther(draft.record, attempt)) stopSpeaker(draft, attempt);
  const { skillId, acceptedOutputModes } = draft.record;
  const agent = draft.agent(seen.agentId);
  const { refused, ...types } = judgeParts(seen.parts, agent, skillId, acceptedOutputModes);
  const conclude = (judgement: Omit<Judgement, 'contractError'>): Decision =>
    draft.conclude({ ...about, attempt: attempt.number, ...types, ...judgement });
  if (refused !== undefined) {
    const deferred = deferOr(draft, seen.agentId, refused.code, final);
    if (deferred !== undefined) return deferred;
    const reason = `artifact ${seen.artifactId} of ${seen.agentId} has a part of type ${refused.mediaType}`;
    return refuse(draft, seen, attempt, { word: 'violation', code: refused.code, rule: 'R18', reason }, conclude);
  }
  const outcome = nextInSequence(draft, seen, attempt);
  if (outcome.kind === 'refused') {
    const { code, reason } = outcome;
    return refuse(draft, seen, attempt, { word: 'violation', code, rule: 'R21', reason }, conclude);
  }
  if (outcome.kind === 'unremembered') return passBy(draft, seen, attempt, conclude);
  if (outcome.kind !== 'kept') return conclude({ word: outcome.kind, rule: 'R21', reason: outcome.reason });
  return keep(draft, attempt, outcome.artifact, conclude);
};

type Conclude = (judgement: Omit<Judgement, 'contractError'>) => Decision;

/**
 * A violation, once: a task that is asked again shows what was refused again, and that is a sample, no new emission
 * (R47). Known again by its digest only.
 */
const refuse = (
  draft: Draft,
  seen: ArtifactObserved,
  attempt: Attempt,
  violation: Omit<Judgement, 'contractError'> & { readonly code: ViolationCode },
  conclude: Conclude,
): Decision => {
  const digest = seen.assembled ?? seen.digest;
  const mark = digest === undefined ? undefined : `r:${digest}:${seen.artifactId}`;
  if (mark !== undefined && isWhole(seen) && attempt.seen.includes(mark)) {
    const reason = `the same content of artifact ${seen.artifactId} was refused before`;
    return conclude({ word: 'idempotent', rule: 'R47', reason });
  }
  draft.violate(violation.code);
  if (mark !== undefined && !attempt.seen.includes(mark))
    draft.apply({ type: 'MarkRemembered', number: attempt.number, mark });
  return conclude(violation);
};

type Outcome =
  | { readonly kind: 'kept'; readonly artifact: Artifact }
  | { readonly kind: 'unremembered' }
  | { readonly kind: 'idempotent' | 'stale'; readonly reason: string }
  | { readonly kind: 'refused'; readonly code: 'artifact-unknown' | 'artifact-sealed'; readonly reason: string };

/** Roads that show the artifact whole, as the task then holds it (R21). */
const isWhole = ({ via }: ArtifactObserved): boolean => via !== 'status-update' && via !== 'push';

const lengthOf = ({ parts }: ArtifactObserved): number => parts.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);

/** The attempt's own sequence: begin, append, replace, seal (R21). Other attempts' chunks are never mixed in (R24). */
const nextInSequence = (draft: Draft, seen: ArtifactObserved, attempt: Attempt): Outcome => {
  const held = draft.record.artifacts.find(
    (artifact) => artifact.attempt === attempt.number && artifact.artifactId === seen.artifactId,
  );
  const appends = seen.append && !isWhole(seen);
  if (held === undefined) {
    // It may have been begun when there was no room for it.
    if (appends ? isFull(draft.record) : !hasRoom(draft.record, attempt.number)) return { kind: 'unremembered' };
    if (!appends) return { kind: 'kept', artifact: begun(draft, seen, attempt) };
    const reason = `nothing of artifact ${seen.artifactId} was begun by this attempt`;
    return { kind: 'refused', code: 'artifact-unknown', reason };
  }
  if (held.sealed) {
    return isSameContent(seen, held)
      ? { kind: 'idempotent', reason: `the same content of artifact ${seen.artifactId} again` }
      : { kind: 'refused', code: 'artifact-sealed', reason: `artifact ${seen.artifactId} had its last chunk` };
  }
  if (appends) return { kind: 'kept', artifact: appended(draft, seen, held) };
  return isWhole(seen) ? compareWhole(draft, seen, attempt, held) : restarted(draft, seen, attempt, held);
};

const isSameContent = (seen: ArtifactObserved, held: Artifact): boolean => {
  const { digest } = seen;
  const assembled = seen.assembled ?? digest;
  if (assembled !== undefined && assembled === held.digest) return true;
  return !isWhole(seen) && digest !== undefined && held.chunkDigests.includes(digest);
};

/** A snapshot longer than an unsealed artifact replaces it, a shorter one is older than it (R21). */
const compareWhole = (draft: Draft, seen: ArtifactObserved, attempt: Attempt, held: Artifact): Outcome => {
  const length = lengthOf(seen);
  const digest = seen.assembled ?? seen.digest;
  // Where both digests are known they tell; else the length has to do.
  const same = digest === undefined || held.digest === undefined ? length === held.length : digest === held.digest;
  if (same) {
    if (seen.lastChunk) return { kind: 'kept', artifact: { ...held, sealed: true } };
    return { kind: 'idempotent', reason: `the snapshot shows artifact ${seen.artifactId} as it is known` };
  }
  if (length < held.length)
    return { kind: 'stale', reason: `the snapshot of artifact ${seen.artifactId} is shorter than what was seen` };
  return { kind: 'kept', artifact: begun(draft, seen, attempt) };
};

/** Sent anew from its beginning: the same content changes nothing, other content replaces it. */
const restarted = (draft: Draft, seen: ArtifactObserved, attempt: Attempt, held: Artifact): Outcome => {
  const same = seen.digest !== undefined && seen.digest === held.digest;
  if (!same) return { kind: 'kept', artifact: begun(draft, seen, attempt) };
  return seen.lastChunk
    ? { kind: 'kept', artifact: { ...held, sealed: true } }
    : { kind: 'idempotent', reason: `the same content of artifact ${seen.artifactId} again` };
};

const begun = (draft: Draft, seen: ArtifactObserved, attempt: Attempt): Artifact => {
  const digest = seen.assembled ?? seen.digest;
  return {
    attempt: attempt.number,
    artifactId: seen.artifactId,
    mediaTypes: [...new Set(seen.parts.map(mediaTypeOf))],
    chunks: seen.chunks,
    length: lengthOf(seen),
    ...(digest === undefined ? {} : { digest }),
    chunkDigests: seen.digest === undefined ? [] : [seen.digest],
    sealed: seen.lastChunk,
    late: isTerminal(draft.record.state),
  };
};

const appended = (draft: Draft, seen: ArtifactObserved, { digest: _, ...held }: Artifact): Artifact => ({
  ...held,
  mediaTypes: [...new Set([...held.mediaTypes, ...seen.parts.map(mediaTypeOf)])],
  chunks: held.chunks + seen.chunks,
  length: held.length + lengthOf(seen),
  // Without the running digest the whole is not known any more.
  ...(seen.assembled === undefined ? {} : { digest: seen.assembled }),
  chunkDigests:
    seen.digest === undefined ? held.chunkDigests : [...held.chunkDigests, seen.digest].slice(-CHUNK_DIGESTS_KEPT),
  sealed: seen.lastChunk,
  late: held.late || isTerminal(draft.record.state),
});

/**
 * Inside the contract, of a unit that has more artifacts than its record holds: nothing about its sequence can be said.
 * A chunk is news; an artifact in a snapshot may be the same at every look, and then it is none (R46, R47).
 */
const passBy = (draft: Draft, seen: ArtifactObserved, attempt: Attempt, conclude: Conclude): Decision => {
  if (!isWhole(seen) && currentAttempt(draft.record)?.number === attempt.number)
    draft.apply({ type: 'NewsSeen', at: draft.observedAt });
  const rule = isTerminal(draft.record.state) ? 'R22' : 'R18';
  const reason = `artifact ${seen.artifactId} is inside the contract; not remembered beside ${ARTIFACTS_KEPT} others`;
  return conclude({ word: 'accepted', rule, reason });
};

/** Kept for its attempt; where another attempt has the very same artifact, nothing new was learned (R24). */
const keep = (draft: Draft, attempt: Attempt, artifact: Artifact, conclude: Conclude): Decision => {
  const twin = draft.record.artifacts.find(
    (other) =>
      other.attempt !== attempt.number &&
      other.artifactId === artifact.artifactId &&
      other.digest !== undefined &&
      other.digest === artifact.digest,
  );
  draft.apply({ type: 'ArtifactKept', artifact });
  if (twin !== undefined) {
    const reason = `attempt ${twin.attempt} wrote the same artifact ${artifact.artifactId}`;
    return conclude({ word: 'idempotent', rule: 'R24', reason });
  }
  if (currentAttempt(draft.record)?.number === attempt.number) draft.apply({ type: 'NewsSeen', at: draft.observedAt });
  return artifact.late
    ? conclude({ word: 'accepted', rule: 'R22', reason: `artifact ${artifact.artifactId} came after the end` })
    : conclude({ word: 'accepted', rule: 'R18', reason: `artifact ${artifact.artifactId} is inside the contract` });
};
