import type { Artifact, Message, StreamResponse, Task } from '@a2a-js/sdk';
import type { JsonLine } from './json-lines.js';
import { stateWord } from './state-words.js';

/** What one event of a stream says of a task. */
export type Heard = {
  /** The event as a line of output. */
  readonly line: JsonLine;
  readonly task?: { readonly taskId: string; readonly contextId: string; readonly state?: string };
};

/** An event of a stream in the orchestrator's words. */
export const heard = ({ payload }: StreamResponse): Heard => {
  switch (payload?.$case) {
    case 'task': {
      const { id: taskId, contextId, status } = payload.value;
      const state = stateWord(status?.state);
      return {
        line: { event: 'task', taskId, state, ...textField(status?.message), ...artifactsField(payload.value) },
        task: { taskId, contextId, state },
      };
    }
    case 'statusUpdate': {
      const { taskId, contextId, status } = payload.value;
      const state = stateWord(status?.state);
      return {
        line: { event: 'state', taskId, state, ...textField(status?.message) },
        task: { taskId, contextId, state },
      };
    }
    case 'artifactUpdate': {
      const { taskId, contextId, artifact, append, lastChunk } = payload.value;
      const what = artifact === undefined ? {} : artifactLine(artifact);
      return { line: { event: 'artifact', taskId, ...what, append, lastChunk }, task: { taskId, contextId } };
    }
    case 'message':
      return { line: { event: 'message', ...textField(payload.value) } };
    case undefined:
      return { line: { event: 'unknown' } };
  }
};

/** IDs and media types of a task's artifacts. */
export const artifactLines = ({ artifacts }: Task): readonly JsonLine[] => artifacts.map(artifactLine);

/** The text of a message; `undefined` where it has none. */
export const textOf = (message: Message | undefined): string | undefined => {
  const texts = (message?.parts ?? []).flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  return texts.length === 0 ? undefined : texts.join(' ');
};

const artifactLine = ({ artifactId, parts }: Artifact): JsonLine => ({
  artifactId,
  mediaTypes: [...new Set(parts.map(({ mediaType }) => mediaType))],
});

const artifactsField = (task: Task): JsonLine =>
  task.artifacts.length === 0 ? {} : { artifacts: artifactLines(task) };

const textField = (message: Message | undefined): JsonLine => {
  const text = textOf(message);
  return text === undefined ? {} : { text };
};
