import { recoveryOf } from '../../topology/reconciliation/candidates.js';
import { isTerminal, type TaskState } from '../../topology/task/task-state.js';
import type { LedgerEntry } from '../../topology/ledger-records.js';
import { closedAs, currentAttempt, serverTasksOf, type Attempt } from '../../topology/task/unit.js';
import { mayAsk, type KnownUnit } from './identity-map.js';
import type { ContractsSource } from './ports.js';
import { targetOf, type Target } from './unit-target.js';

/** What the ledger says about a unit that a client asks for, before any agent is asked. */
export type Standing =
  /** Nothing that the client may know about: its question goes where it was put, under its own identity. */
  | { readonly kind: 'stranger' }
  | { readonly kind: 'lost'; readonly agentId: string }
  /** Something other than an agent's word ended it (R53, R61): no agent can say so. */
  | { readonly kind: 'decided'; readonly state: TaskState; readonly at: number }
  | { readonly kind: 'open'; readonly target: Target };

/** The redispatch that is out and has not said a word yet: nobody can be asked about the unit. */
export const unspokenRedispatch = (entry: LedgerEntry): Attempt | undefined => {
  const attempt = currentAttempt(entry);
  const isWaiting = attempt?.by === 'holdfast' && !attempt.answered && serverTasksOf(entry, attempt).length === 0;
  return isWaiting && !isTerminal(entry.state) ? attempt : undefined;
};

/** Indeterminate (R2), or as good as it. */
export const isLost = (entry: LedgerEntry): boolean =>
  entry.loss !== undefined || unspokenRedispatch(entry) !== undefined;

type Asked = { readonly agentId: string; readonly taskId: string; readonly principal: string | undefined };

/** With recovery off nothing but the agents' own answers is passed on (R41). */
export const standingOf = (unit: KnownUnit | undefined, asked: Asked, contracts: ContractsSource): Standing => {
  if (unit === undefined || !mayAsk(unit, asked.principal)) return { kind: 'stranger' };
  const { entry } = unit;
  const here: Target = { agentId: asked.agentId, serverTaskId: asked.taskId, by: 'client' };
  if (entry === undefined) return { kind: 'open', target: here };
  const target = targetOf(entry, asked) ?? here;
  if (recoveryOf(contracts.current, entry.loss?.agentId ?? target.agentId) === 'off') return { kind: 'open', target };
  if (isLost(entry)) return { kind: 'lost', agentId: entry.loss?.agentId ?? target.agentId };
  const { cause, state, terminalAt } = entry;
  // A trusted TaskNotFound is the agent's own word and stays that (R42).
  if (cause !== undefined && cause !== 'task-not-found-trusted' && state !== null && isTerminal(state))
    return { kind: 'decided', state, at: terminalAt ?? entry.lastWordAt };
  return { kind: 'open', target };
};

/**
 * What became of a TaskNotFound, by the record after the ledger judged it: `passed` on as it is, where recovery is off, the
 * task had ended (R27, R48), or it was not for this client to count (R25); `moved`: another task speaks now; else `lost`.
 */
export const afterNotFound = (
  unit: KnownUnit | undefined,
  asked: Asked,
  met: Target,
  contracts: ContractsSource,
): 'passed' | 'moved' | 'lost' => {
  const standing = standingOf(unit, asked, contracts);
  if (standing.kind === 'stranger') return 'passed';
  if (standing.kind === 'lost') return 'lost';
  if (recoveryOf(contracts.current, met.agentId) === 'off') return 'passed';
  const entry = unit?.entry;
  if (entry === undefined) return 'lost';
  if (standing.kind === 'decided') return 'moved';
  const { agentId, serverTaskId } = standing.target;
  if (agentId !== met.agentId || serverTaskId !== met.serverTaskId) return 'moved';
  return isTerminal(entry.state) || closedAs(entry) !== null ? 'passed' : 'lost';
};
