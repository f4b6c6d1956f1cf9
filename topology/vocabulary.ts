/** The words of RULES.md section 12. What is not listed here is never written. */

export const VERDICTS = [
  'accepted',
  'idempotent',
  'violation',
  'stale',
  'ignored',
  'deferred',
  'terminal-ok',
  'indeterminate',
  'trusted-terminal',
  'quarantined',
  'decided',
] as const;
export type VerdictWord = (typeof VERDICTS)[number];

export const CARD_VERDICTS = ['accepted', 'revalidated', 'rejected-card', 'ignored'] as const;
export type CardVerdict = (typeof CARD_VERDICTS)[number];

export const VIOLATION_CODES = [
  'state-not-advertised',
  'state-not-verified',
  'unknown-state',
  'state-missing',
  'terminal-change',
  'mode-not-advertised',
  'mode-not-verified',
  'mode-not-accepted',
  'media-type-malformed',
  'media-type-missing',
  'artifact-unknown',
  'artifact-sealed',
  'correlation-claimed',
  'correlation-reused',
  'task-identity-conflict',
] as const;
export type ViolationCode = (typeof VIOLATION_CODES)[number];

export const CONTRACT_ERRORS = ['no-capable-worker', 'attempts-exhausted', 'input-not-retained'] as const;
export type ContractErrorCode = (typeof CONTRACT_ERRORS)[number];

export const QUARANTINE_REASONS = ['undecodable', 'unknown-schema', 'misrouted', 'too-large'] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

/** Marks that call an operator (R35, R46). */
export const MARKS = ['stalled', 'no-candidate', 'needs-input', 'attempts-exhausted'] as const;
export type Mark = (typeof MARKS)[number];

export const COMMAND_TYPES = ['redispatch', 'query-task', 'refresh-card', 'cancel-superseded'] as const;
export type CommandType = (typeof COMMAND_TYPES)[number];
