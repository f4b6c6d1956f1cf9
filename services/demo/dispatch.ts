import { setTimeout as delay } from 'node:timers/promises';
import type { StreamResponse } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { heard } from './heard.js';
import { printLine } from './json-lines.js';
import type { OrchestratorOptions } from './orchestrator-options.js';
import { asked, completed, ended, refused, undecided, type Outcome } from './outcome.js';
import { refusalOf } from './refusal.js';
import { storeTask, type StoredTask } from './state-file.js';
import { userRequest } from './user-message.js';

const FOR_EVER_MS = 2 ** 31 - 1;

/** Phase `start`: sends the request and keeps what the stream says, until it asks something or ends. */
export const dispatch = async (client: Client, options: OrchestratorOptions): Promise<Outcome> => {
  let stored: StoredTask | undefined;
  try {
    for await (const event of client.sendMessageStream(userRequest(options))) {
      stored = await keep(event, stored, options);
    }
    if (stored === undefined) return undecided('the agent answered without a task');
    const { taskId, state } = stored;
    if (state === 'input-required') return asked(taskId);
    const task = await client.getTask({ tenant: '', id: taskId });
    if (state === 'completed') return completed(task);
    if (state === 'failed' || state === 'canceled' || state === 'rejected') return ended(task, state);
    return undecided(`the stream ended while the task was ${state ?? 'new'}`, taskId);
  } catch (error) {
    const { kind, text } = refusalOf(error);
    return kind === 'unreachable' ? undecided(text, stored?.taskId) : refused(text, stored?.taskId);
  }
};

/** The ID is stored with the first event that names it, each state as it comes. */
const keep = async (
  event: StreamResponse,
  stored: StoredTask | undefined,
  { stateFile, correlationId, holdBeforeStore }: OrchestratorOptions,
): Promise<StoredTask | undefined> => {
  const { line, task } = heard(event);
  printLine(line);
  if (task === undefined) return stored;
  const { state, ...ids } = task;
  const identity = { ...ids, correlationId };
  if (stored === undefined) await storeTask(stateFile, identity);
  if (state === undefined || state === stored?.state) return stored ?? identity;
  if (state === 'input-required') {
    printLine({ 'about-to-store': state });
    if (holdBeforeStore) await delay(FOR_EVER_MS);
  }
  const now = { ...identity, state };
  await storeTask(stateFile, now);
  printLine({ stored: state, taskId: now.taskId });
  return now;
};
