import type { Considered } from '../../topology/command.js';
import { formatCoordinates, type Coordinates } from '../../topology/kit/coordinates.js';
import type { CommandRecord, Verdict } from '../../topology/ledger-records.js';
import type { Placed } from './verdict-log.js';
import { timeText } from './unit-view.js';

type UnitCommand = Exclude<CommandRecord, { type: 'RefreshCard' }>;

/** One thing that was concluded or commanded, as a sentence with the places that prove it (R45). */
export type Sentence = {
  /** When it was decided, ms. */
  readonly at: number;
  readonly text: string;
  readonly rule?: string;
  readonly verdict?: Verdict['verdict'];
  readonly agentId?: string;
  readonly attempt?: number;
  /** Who was considered, and what those who were refused lack (R33). */
  readonly considered?: readonly Considered[];
  /** Nothing followed from it: told only to those who want all. */
  readonly isMinor: boolean;
  /** The record itself, and the observation that it is about. */
  readonly places: readonly Coordinates[];
};

export type WhySources = {
  /** Of one unit, in the order of the log. */
  readonly verdicts: readonly Placed<Verdict>[];
  readonly commands: readonly Placed<UnitCommand>[];
  /** Who was considered where nobody could be commanded: the ledger writes that down with commands only. */
  readonly considered: (verdict: Verdict) => readonly Considered[];
};

/** The story of a unit, from its verdicts and the commands that they issued. Pure. */
export const explain = ({ verdicts, commands, considered }: WhySources): readonly Sentence[] => {
  const unexplained = [...commands];
  return verdicts.flatMap(({ value, at }) => [
    ofVerdict(value, at, considered),
    // An ID that is issued again is named by more than one verdict: each takes the first that is left.
    ...value.commandIds.flatMap((commandId) => {
      const index = unexplained.findIndex((command) => command.value.commandId === commandId);
      return index < 0 ? [] : unexplained.splice(index, 1).map(ofCommand);
    }),
  ]);
};

const ofVerdict = (value: Verdict, at: Coordinates, considered: WhySources['considered']): Sentence => ({
  at: value.decidedAt,
  text: sentenceOf(value),
  rule: value.rule,
  verdict: value.verdict,
  ...(value.agentId === undefined ? {} : { agentId: value.agentId }),
  ...(value.attempt === undefined ? {} : { attempt: value.attempt }),
  ...(value.contractError === 'no-capable-worker' ? { considered: considered(value) } : {}),
  isMinor: value.verdict === 'idempotent',
  places: [at, ...(value.cause === undefined ? [] : [value.cause])],
});

/** The reason is a sentence already; what the verdict's word adds is said around it. */
const sentenceOf = (verdict: Verdict): string => {
  const { reason, contractError, requiredState } = verdict;
  const error =
    contractError === undefined ? '' : `; ${CONTRACT_ERRORS[contractError](requiredState ?? 'its last valid state')}`;
  return `${wordOf(verdict)}${reason}${error}.`;
};

const wordOf = ({ verdict, code, quarantine, trigger, timer, attempt, rule }: Verdict): string => {
  switch (verdict) {
    case 'violation':
      return `Refused as ${code ?? 'a violation'}: `;
    case 'indeterminate':
      return 'Lost, not failed: ';
    case 'stale':
      return rule === 'R38' ? `A late word of superseded attempt ${attempt ?? '?'}: ` : 'Without effect: ';
    case 'ignored':
      return 'No evidence: ';
    case 'idempotent':
      return 'Nothing new: ';
    case 'deferred':
      return 'Put off: ';
    case 'quarantined':
      return `Set aside as ${quarantine ?? 'unreadable'}: `;
    case 'decided':
      return trigger === 'timer' ? `Time was up (${timer ?? 'timer'}): ` : 'An agent changed: ';
    case 'terminal-ok':
      return 'No loss: ';
    case 'trusted-terminal':
      return 'Taken for failed, as configured: ';
    case 'accepted':
      return '';
  }
};

const CONTRACT_ERRORS: Readonly<Record<NonNullable<Verdict['contractError']>, (state: string) => string>> = {
  'no-capable-worker': (state) => `nobody who could take it over has verified ${state}`,
  'attempts-exhausted': () => 'no attempts are left, so an operator has to decide',
  'input-not-retained': () => 'no input is kept that could be sent again, so an operator has to decide',
};

const ofCommand = ({ value, at }: Placed<UnitCommand>): Sentence => ({
  at: value.issuedAt,
  text: commandSentence(value),
  agentId: value.agentId,
  ...('attempt' in value ? { attempt: value.attempt } : {}),
  ...(value.type === 'RedispatchTask' ? { considered: value.considered } : {}),
  isMinor: false,
  places: [at],
});

const QUERY_REASONS: Readonly<Record<(UnitCommand & { type: 'QueryTask' })['reason'], string>> = {
  'stream-closed': 'its stream ended before the task did',
  silence: 'nothing was heard of it for long',
  'live-sibling': 'another task of the same attempt was lost',
  'send-outcome-unknown': 'nobody knows whether the message arrived',
};

const commandSentence = (command: UnitCommand): string => {
  switch (command.type) {
    case 'RedispatchTask': {
      const { again, agentId, attempt, awaits, requiredState } = command;
      const how = { no: '', approved: ', released by the operator', unanswered: ' once more, for nobody answered' }[
        again
      ];
      const wait = awaits === undefined ? '' : '; it waits for an operator to approve it';
      return `To be sent to ${agentId} as attempt ${attempt}${how}, which needs ${requiredState} verified${wait}.`;
    }
    case 'QueryTask':
      return `${command.agentId} is asked for ${command.serverTaskId === undefined ? `tasks of context ${command.contextId ?? '?'}` : `task ${command.serverTaskId}`}: ${QUERY_REASONS[command.reason]}.`;
    case 'CancelSuperseded':
      return `${command.agentId} is told to stop task ${command.serverTaskId}: attempt ${command.attempt} counts no more.`;
  }
};

/** Sentences as text, each with the places that prove it. */
export const whyLines = (sentences: readonly Sentence[]): readonly string[] =>
  sentences.flatMap(({ at, text, rule, considered, places }) => [
    `${timeText(at)}  ${text}${rule === undefined ? '' : ` (${rule})`}  [${places.map(formatCoordinates).join(' ')}]`,
    ...(considered ?? []).map(({ agentId, lacks }) =>
      lacks.length === 0 ? `    ${agentId} can take it over` : `    ${agentId} cannot: ${lacks.join(', ')}`,
    ),
  ]);
