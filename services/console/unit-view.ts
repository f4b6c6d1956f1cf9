import type { LedgerEntry } from '../../topology/ledger-records.js';
import { canonicalArtifacts, closedAs, currentAttempt, isIndeterminate } from '../../topology/task/unit.js';
import { nameOf } from './find-units.js';

/** The phase that is shown of a unit: `indeterminate` is the ledger's own, and no task state (R2). */
export const phaseOf = (entry: LedgerEntry): string =>
  isIndeterminate(entry) ? 'indeterminate' : (closedAs(entry) ?? entry.state ?? 'dispatched');

/** A unit in one line of a list. */
export const unitRow = (entry: LedgerEntry) => ({
  id: nameOf(entry),
  phase: phaseOf(entry),
  state: entry.state,
  agentId: currentAttempt(entry)?.agentId ?? null,
  attempts: entry.attempts.length,
  losses: entry.losses,
  violations: entry.counts.violations,
  marks: entry.marks,
  newsAt: timeText(entry.newsAt),
});

/** All that is known of a unit, in sentences short enough to be read at once. */
export const unitLines = (entry: LedgerEntry): readonly string[] => {
  const { loss, attempts, serverTasks, marks, counts, violations } = entry;
  return [
    `${nameOf(entry)}: ${phaseOf(entry)}${loss === undefined ? '' : `, last valid state ${entry.state ?? 'none'}`}`,
    ...(entry.cause === undefined ? [] : [`  decided by ${entry.cause}`]),
    ...(entry.skillId === undefined ? [] : [`  skill ${entry.skillId}`]),
    ...(loss === undefined
      ? []
      : [
          `  lost by ${loss.agentId} (attempt ${loss.attempt}) at ${timeText(loss.at)}; a worker must have verified ${loss.requiredState}`,
          ...loss.contractErrors.map((code) => `  ${code}`),
          ...(loss.redispatch === undefined
            ? []
            : [
                `  redispatch to ${loss.redispatch.agentId} as attempt ${loss.redispatch.attempt}${loss.redispatch.awaitsApproval ? ', waits for approval' : ''}`,
              ]),
          ...(loss.held ? ['  in the hands of the operator'] : []),
        ]),
    ...marks.map((mark) => `  marked ${mark}`),
    ...attempts.map(({ number, agentId, status, state, by }) => {
      const tasks = serverTasks
        .filter(({ attempt }) => attempt === number)
        .map(({ id, lost }) => `${id}${lost ? ' (lost)' : ''}`);
      return `  attempt ${number}: ${agentId}, by ${by}, ${status}, ${state ?? 'no state'}${tasks.length === 0 ? '' : `, task ${tasks.join(', ')}`}`;
    }),
    ...canonicalArtifacts(entry).map(
      ({ artifactId, mediaTypes, length, attempt, late }) =>
        `  artifact ${artifactId}: ${mediaTypes.join(', ')}, ${length} bytes, of attempt ${attempt}${late ? ', late' : ''}`,
    ),
    ...(counts.violations === 0
      ? []
      : [`  ${counts.violations} violations, the last: ${violations.at(-1)?.code ?? 'not kept'}`]),
  ];
};

export const timeText = (ms: number): string => new Date(ms).toISOString();
