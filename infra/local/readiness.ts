import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HoldfastError } from '../errors.js';
import type { Supervision } from './supervision.js';

const POLL_MS = 50;
// Generous: a machine that builds something else at the same time takes a minute where an idle one takes two seconds.
const PATIENCE_MS = 180_000;
const LOG_LINES = 12;
const COMPLAINT = /\b(ERROR|FATAL)\b|^Caused by|^\S+(Exception|Error):/;

/**
 * Resolves when the probe succeeds.
 * @throws HoldfastError `HOLDFAST_BACKEND_START_FAILED`, with the end of the process's log, when the process ends
 * first or does not answer within three minutes.
 */
export async function whenReady(options: {
  readonly name: string;
  readonly supervision: Supervision;
  readonly logFile: string;
  readonly probe: () => Promise<boolean>;
}): Promise<void> {
  const { name, supervision, probe, logFile } = options;
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const exit = supervision.exitOf(name);
    if (exit !== undefined) throw await startFailed(`The local ${name} ended while it was starting (${exit})`, logFile);
    if (await probe()) return;
    if (performance.now() > deadline) {
      throw await startFailed(`The local ${name} runs but did not answer within ${PATIENCE_MS / 1000} s`, logFile);
    }
    await delay(POLL_MS);
  }
}

/** A broker that fails shuts down in order and at length, so its complaints stand far above the end of the log. */
async function startFailed(what: string, logFile: string): Promise<HoldfastError> {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  // Indented lines are dumps of the configuration; those of a stack trace begin with "at", and stay.
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !/^\s+(?!at )/.test(line));
  const complaints = lines.filter((line) => COMPLAINT.test(line)).slice(0, LOG_LINES);
  const name = `${basename(logFile)} in the backend's directory`;
  const excerpt =
    lines.length === 0
      ? `Its log (${name}) is empty.`
      : [`From its log (${name}):`, ...complaints, '…', ...lines.slice(-LOG_LINES)].join('\n');
  return new HoldfastError(`${what}. ${excerpt}`, { code: 'HOLDFAST_BACKEND_START_FAILED', retryable: true });
}
