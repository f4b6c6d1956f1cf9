import type { LedgerEntry } from '../../topology/ledger-records.js';
import {
  attemptNumbered,
  contextOf,
  currentAttempt,
  serverTasksOf,
  type Attempt,
  type ServerTask,
} from '../../topology/task/unit.js';
import type { Asker } from '../../topology/observation.js';

/** The IDs under which a client knows its unit, whoever works at it now: the first ones (R41). */
export type PublicNames = { readonly taskId?: string; readonly contextId?: string };

/** Where the words about a unit are to be asked for now. */
export type Target = {
  readonly agentId: string;
  readonly serverTaskId: string;
  /** Its context there, where known. */
  readonly contextId?: string;
  /** Under whose identity the task was begun, and so has to be asked for (R25). */
  readonly by: Asker;
};

export const publicNamesOf = (entry: LedgerEntry): PublicNames => {
  const [first] = entry.serverTasks;
  if (first === undefined) return {};
  const attempt = attemptNumbered(entry, first.attempt);
  const contextId = first.contextId ?? (attempt && contextOf(entry, attempt));
  return { taskId: first.id, ...(contextId === undefined ? {} : { contextId }) };
};

/**
 * The server task that speaks for the unit now: of the attempt that decided it, else of the current one; of several of one
 * attempt, which speak with equal right, the one that was asked for, else the latest that is not lost. `undefined`: no
 * attempt has a task yet.
 */
export const targetOf = (entry: LedgerEntry, asked: { agentId: string; taskId: string }): Target | undefined => {
  const deciding = entry.decidedBy === undefined ? undefined : attemptNumbered(entry, entry.decidedBy);
  const spoken = (attempt: Attempt): boolean => serverTasksOf(entry, attempt).length > 0;
  // A dispatch that is out but has not spoken names no task: the one before it goes on being asked.
  const attempt =
    deciding ??
    [currentAttempt(entry), entry.attempts.findLast(({ status }) => status === 'bound')].find(
      (one) => one !== undefined && spoken(one),
    ) ??
    entry.attempts.findLast(spoken);
  if (attempt === undefined) return undefined;
  const tasks = serverTasksOf(entry, attempt);
  const task = pick(tasks, asked);
  return (
    task && {
      agentId: task.agentId,
      serverTaskId: task.id,
      by: attempt.by === 'holdfast' ? 'holdfast' : 'client',
      ...contextField(task.contextId ?? contextOf(entry, attempt)),
    }
  );
};

const contextField = (contextId: string | undefined) => (contextId === undefined ? {} : { contextId });

const pick = (tasks: readonly ServerTask[], asked: { agentId: string; taskId: string }): ServerTask | undefined => {
  const live = tasks.filter(({ lost }) => !lost);
  const named = live.find(({ agentId, id }) => agentId === asked.agentId && id === asked.taskId);
  return named ?? live.at(-1) ?? tasks.at(-1);
};
