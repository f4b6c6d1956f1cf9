import { taskPath } from '../../topology/a2a/http-path.js';
import { formatCoordinates } from '../../topology/kit/coordinates.js';
import type { CommandRecord, LedgerEntry, Verdict, Violation } from '../../topology/ledger-records.js';
import { DEFAULT_POLICY } from '../../topology/policy.js';
import { canonicalArtifacts, closedAs } from '../../topology/task/unit.js';
import { CONTRACT_ERRORS } from '../../topology/vocabulary.js';
import type { Attributed, Outcome, UnitNamed } from './simulator.js';
import type { Conclusion, StoryCommand, StoryUnit } from './story.js';

/** One command as concluded; `early`: it may be claimed by the event before as well. */
export type ConcludedCommand = StoryCommand & {
  readonly early: boolean;
  /** An approved redispatch that was released: the same command again, by the operator's word. */
  readonly released: boolean;
  readonly commandId: string;
  /** Order is kept within a partition only. */
  readonly partition: number;
};

export type Concluded = Required<Omit<Conclusion, 'commands' | 'contractErrors'>> & {
  readonly commands: readonly ConcludedCommand[];
  readonly contractErrors: readonly (NonNullable<Conclusion['contractErrors']>[number] & { readonly early: boolean })[];
};

/**
 * The conclusion as a story would write it down: without what only the comparison needs, and without the release of an
 * approved redispatch, which is no new command.
 */
export const asConclusion = ({ commands, contractErrors, ...rest }: Concluded): Required<Conclusion> => ({
  ...rest,
  contractErrors: contractErrors.map(({ early: _, ...error }) => error),
  commands: commands
    .filter(({ released }) => !released)
    .map(({ early: _e, released: _r, commandId: _c, partition: _p, ...command }) => command),
});

const isContractError = ({ code }: Violation): boolean => CONTRACT_ERRORS.some((known) => known === code);

/** Puts an outcome into the words of a story's `then`. `deferTimeoutMs`: how long the verifier merges card requests. */
export const conclude = (outcome: Outcome, deferTimeoutMs = DEFAULT_POLICY.deferTimeoutMs): Concluded => ({
  verdicts: [...outcome.verdicts].sort(([a], [b]) => a - b).map(([seq, word]) => ({ seq, ...word })),
  violations: outcome.violations
    .filter(({ value }) => !isContractError(value))
    .map(({ value: { cause, correlationId, code } }) => ({
      seq: (cause && outcome.seqOf.get(formatCoordinates(cause))) ?? 0,
      correlationId,
      code,
    }))
    .sort((a, b) => a.seq - b.seq),
  contractErrors: outcome.violations
    .filter(({ value }) => isContractError(value))
    .map(({ value: { correlationId, code, requiredState }, after, early }) => ({
      seq: after,
      correlationId,
      code,
      ...(code === 'no-capable-worker' && requiredState !== undefined ? { requiredState } : {}),
      early,
    })),
  quarantined: outcome.decided.filter(({ value }: Attributed<Verdict>) => value.verdict === 'quarantined').length,
  commands: mergeRefreshes(outcome.commands, deferTimeoutMs).map(commandOf),
  ledger: Object.fromEntries([
    ...outcome.units.map((unit): [string, null] => [unitName(unit), null]),
    ...[...outcome.ledger.values()].map((entry): [string, StoryUnit] => [unitName(entry), unitOf(entry)]),
  ]),
});

/** As the verifier does: a request about an agent that another partition's request has asked about already is merged. */
const mergeRefreshes = (commands: Outcome['commands'], within: number): Outcome['commands'] =>
  commands.filter(
    (command, index) => !commands.slice(0, index).some((earlier) => isSameQuestion(earlier, command, within)),
  );

const isSameQuestion = (
  earlier: Attributed<CommandRecord>,
  later: Attributed<CommandRecord>,
  within: number,
): boolean =>
  earlier.value.type === 'RefreshCard' &&
  later.value.type === 'RefreshCard' &&
  earlier.value.agentId === later.value.agentId &&
  earlier.partition !== later.partition &&
  later.value.issuedAt - earlier.value.issuedAt < within;

const commandOf = ({ value, partition, after, early }: Attributed<CommandRecord>): ConcludedCommand => {
  const common = { after, early, partition, commandId: value.commandId, released: false };
  switch (value.type) {
    case 'RedispatchTask':
      return {
        ...common,
        type: 'redispatch',
        correlationId: value.correlationId,
        to: value.agentId,
        toAnyOf: value.considered.filter(({ lacks }) => lacks.length === 0).map(({ agentId }) => agentId),
        requiredState: value.requiredState,
        ...(value.awaits === undefined ? {} : { awaits: value.awaits }),
        ...(value.again === 'no' ? {} : { again: true }),
        released: value.again === 'approved',
      };
    case 'QueryTask':
      return {
        ...common,
        type: 'query-task',
        correlationId: value.correlationId,
        agentId: value.agentId,
        ...(value.serverTaskId === undefined
          ? {}
          : { serverTaskId: value.serverTaskId, path: taskPath(value.serverTaskId) }),
      };
    case 'CancelSuperseded':
      return {
        ...common,
        type: 'cancel-superseded',
        correlationId: value.correlationId,
        agentId: value.agentId,
        serverTaskId: value.serverTaskId,
      };
    case 'RefreshCard':
      return { ...common, type: 'refresh-card', agentId: value.agentId };
  }
};

const unitName = ({ tenant, correlationId }: UnitNamed): string =>
  tenant === undefined ? correlationId : `${tenant}/${correlationId}`;

const unitOf = (entry: LedgerEntry): StoryUnit => ({
  state: entry.loss === undefined ? entry.state : 'indeterminate',
  lastValidState: entry.state,
  serverTaskIds: [...new Set(entry.serverTasks.map(({ id }) => id))],
  artifacts: Object.fromEntries(
    canonicalArtifacts(entry).map(({ artifactId, chunks, attempt, late }) => [artifactId, { chunks, attempt, late }]),
  ),
  violations: entry.counts.violations,
  redispatches: entry.counts.redispatches,
  stalled: entry.marks.length > 0,
  closed: closedAs(entry),
});
