import type { CardTerms } from '../agent/agent-records.js';
import type { AgentContract } from '../agent/contracts.js';
import type { PartObserved } from '../observation.js';
import type { ViolationCode } from '../vocabulary.js';
import { isInside, isWildcard, parseMediaType, takesInferred, type Inferred, type MediaType } from './media-type.js';

/** Output modes in force for a skill, and whether the card knows the skill (R5, R18). */
export type ModesInForce = { readonly modes: readonly string[]; readonly skillKnown: boolean };

/**
 * A skill's non-empty list replaces the default, an empty or absent one falls back to it (R5). Unknown skill: the union
 * of the defaults and of all skills' modes (R18).
 */
export const modesInForce = (terms: CardTerms, skillId: string | undefined): ModesInForce => {
  const skill = skillId === undefined ? undefined : terms.skills.find(({ id }) => id === skillId);
  if (skill !== undefined) {
    const own = skill.outputModes ?? [];
    return { modes: own.length > 0 ? own : terms.defaultOutputModes, skillKnown: true };
  }
  const union = [...terms.defaultOutputModes, ...terms.skills.flatMap(({ outputModes }) => outputModes ?? [])];
  return { modes: [...new Set(union)], skillKnown: false };
};

const parseAll = (modes: readonly string[]): readonly MediaType[] =>
  modes.map(parseMediaType).filter((mode) => mode !== undefined);

type Content = { readonly kind: 'declared'; readonly media: MediaType } | { readonly kind: Inferred };

const contentOf = ({ kind, mediaType }: PartObserved): Content | ViolationCode => {
  if (mediaType === undefined || mediaType === '') {
    if (kind === 'text') return { kind: 'any-text' };
    return kind === 'data' ? { kind: 'any-json' } : 'media-type-missing';
  }
  const media = parseMediaType(mediaType);
  return media === undefined || isWildcard(media) ? 'media-type-malformed' : { kind: 'declared', media };
};

const isCovered = (content: Content, modes: readonly MediaType[]): boolean =>
  modes.some((mode) =>
    content.kind === 'declared' ? isInside(content.media, mode) : takesInferred(content.kind, mode),
  );

/** How an inferred or declared type is shown in texts and kept in the record. */
export const mediaTypeOf = (part: PartObserved): string =>
  part.mediaType ?? (part.kind === 'text' ? 'text/plain' : part.kind === 'data' ? 'application/json' : part.kind);

export type PartsJudgement = {
  readonly mediaTypes: 'declared' | 'inferred';
  readonly skillKnown: boolean;
  /** The first part outside, and why; absent: all inside. */
  readonly refused?: { readonly code: ViolationCode; readonly mediaType: string };
};

/**
 * Judges every part of a chunk, in order: type missing or malformed, then advertised, verified, accepted (R18-R20).
 * Without a card nothing is promised and nothing can be broken; without a verification the advertised counts (R12).
 */
export const judgeParts = (
  parts: readonly PartObserved[],
  agent: AgentContract,
  skillId: string | undefined,
  acceptedOutputModes: readonly string[],
): PartsJudgement => {
  const inForce = agent.card && modesInForce(agent.card.terms, skillId);
  const advertised = inForce && parseAll(inForce.modes);
  // Verified modes are concrete (R19): a range among them verifies nothing.
  const verified = agent.verification && parseAll(agent.verification.modes).filter((mode) => !isWildcard(mode));
  const accepted = acceptedOutputModes.length > 0 ? parseAll(acceptedOutputModes) : undefined;
  const inferred = parts.some(({ kind, mediaType }) => !mediaType && (kind === 'text' || kind === 'data'));
  const outcome = { mediaTypes: inferred ? 'inferred' : 'declared', skillKnown: inForce?.skillKnown ?? false } as const;
  for (const part of parts) {
    const code = refusal(contentOf(part), advertised, verified, accepted);
    if (code !== undefined) return { ...outcome, refused: { code, mediaType: mediaTypeOf(part) } };
  }
  return outcome;
};

const refusal = (
  content: Content | ViolationCode,
  advertised: readonly MediaType[] | undefined,
  verified: readonly MediaType[] | undefined,
  accepted: readonly MediaType[] | undefined,
): ViolationCode | undefined => {
  if (typeof content === 'string') return content;
  if (advertised !== undefined && !isCovered(content, advertised)) return 'mode-not-advertised';
  if (verified !== undefined && !isCovered(content, verified)) return 'mode-not-verified';
  return accepted !== undefined && !isCovered(content, accepted) ? 'mode-not-accepted' : undefined;
};

/**
 * Whether an agent can emit something the client takes: a verified mode that the card in force gives the skill and that
 * lies inside an accepted one (R33). Nothing named by the client: anything will do.
 */
export const meetsAcceptedModes = (
  agent: AgentContract,
  skillId: string | undefined,
  acceptedOutputModes: readonly string[],
): 'meets' | 'not-verified' | 'denied-by-card' => {
  if (acceptedOutputModes.length === 0) return 'meets';
  const accepted = parseAll(acceptedOutputModes);
  const takes = (modes: readonly MediaType[], mode: MediaType): boolean => modes.some((m) => isInside(mode, m));
  const able = parseAll(agent.verification?.modes ?? []).filter((mode) => !isWildcard(mode) && takes(accepted, mode));
  if (able.length === 0) return 'not-verified';
  const advertised = agent.card ? parseAll(modesInForce(agent.card.terms, skillId).modes) : [];
  return able.some((mode) => takes(advertised, mode)) ? 'meets' : 'denied-by-card';
};
