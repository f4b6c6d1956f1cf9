import { TaskState, taskStateFromJSON, taskStateToJSON } from '@a2a-js/sdk';

const PREFIX = 'TASK_STATE_';

/** A task state in the words of the demo's output: `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
export const stateWord = (state: TaskState | undefined): string =>
  taskStateToJSON(state ?? TaskState.TASK_STATE_UNSPECIFIED)
    .replace(PREFIX, '')
    .toLowerCase()
    .replaceAll('_', '-');

/** The state of a word; `undefined` where A2A has no such state. */
export const stateOfWord = (word: string): TaskState | undefined => {
  const state = taskStateFromJSON(`${PREFIX}${word.toUpperCase().replaceAll('-', '_')}`);
  return state === TaskState.UNRECOGNIZED || state === TaskState.TASK_STATE_UNSPECIFIED ? undefined : state;
};
