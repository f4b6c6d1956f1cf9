import type { Task } from '@a2a-js/sdk';
import { artifactLines, textOf } from './heard.js';
import type { JsonLine } from './json-lines.js';

/** How a phase of the orchestrator ended: its last line, and the exit code. */
export type Outcome = { readonly line: JsonLine; readonly exitCode: number };

const DONE = 0;
const FAILED = 1;
const UNDECIDED = 3;

/** The task's result is there. */
export const completed = (task: Task): Outcome => ({
  line: { outcome: 'completed', taskId: task.id, artifacts: artifactLines(task) },
  exitCode: DONE,
});

/** The first phase is over: the agent asks something. */
export const asked = (taskId: string): Outcome => ({ line: { outcome: 'input-required', taskId }, exitCode: DONE });

/** The agent ended the task without a result. */
export const ended = (task: Task, state: string): Outcome => ({
  line: {
    outcome: state,
    taskId: task.id,
    blames: 'agent',
    text: textOf(task.status?.message) ?? `task ${task.id} is ${state}`,
  },
  exitCode: FAILED,
});

/**
 * What orchestrators make of a task the agent does not know any more: a task that waited for an answer is gone, so the
 * answer must have been missing. It is wrong, and it is the failure this demo shows.
 */
export const lost = (taskId: string): Outcome => ({
  line: {
    outcome: 'failed',
    taskId,
    blames: 'client',
    text: `task ${taskId} failed: the client did not provide the requested input`,
  },
  exitCode: FAILED,
});

/** The agent refused a request. */
export const refused = (text: string, taskId?: string): Outcome => ({
  line: { outcome: 'failed', ...(taskId === undefined ? {} : { taskId }), blames: 'agent', text },
  exitCode: FAILED,
});

/** Nobody knows how the task ends: the connection broke, or the time was up. */
export const undecided = (text: string, taskId?: string): Outcome => ({
  line: { outcome: 'undecided', ...(taskId === undefined ? {} : { taskId }), text },
  exitCode: UNDECIDED,
});
