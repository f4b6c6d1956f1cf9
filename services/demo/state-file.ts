import { open, readFile, rename } from 'node:fs/promises';
import { parseLine } from './json-lines.js';

/** What an orchestrator keeps of a task. Its key is the server's task ID: that is the mistake this demo is about. */
export type StoredTask = {
  readonly taskId: string;
  readonly contextId: string;
  readonly correlationId: string;
  /** The last state that was stored; absent while only the ID is known. */
  readonly state?: string;
};

/** Replaces the file as a whole; after a crash it holds the old content or the new, never a part. */
export const storeTask = async (file: string, task: StoredTask): Promise<void> => {
  const draft = `${file}.${process.pid}.tmp`;
  const handle = await open(draft, 'w');
  try {
    await handle.writeFile(`${JSON.stringify(task)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
};

/** @throws Error where the file is missing, or is not what `storeTask` wrote. */
export const loadTask = async (file: string): Promise<StoredTask> => {
  const { taskId, contextId, correlationId, state } = parseLine(await readFile(file, 'utf8')) ?? {};
  if (typeof taskId !== 'string' || typeof contextId !== 'string' || typeof correlationId !== 'string') {
    throw new Error(`${file} holds no task`);
  }
  return { taskId, contextId, correlationId, ...(typeof state === 'string' ? { state } : {}) };
};
