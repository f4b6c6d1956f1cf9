/**
 * The entry point of the process that stands between a parent and its backend (`supervisor.js <token> <directory>`).
 * It holds a channel to the parent. When the channel closes, because the parent stopped, threw or was killed, it kills
 * the backend and removes its directory. In a session of its own, so that a Ctrl-C in the terminal reaches only the
 * parent. The token is there to be found in the list of processes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dyingWithParent } from './run-command.js';
import { isOrder, type ProcessSpec, type SupervisorReport } from './supervisor-protocol.js';

const [, , , directory = ''] = process.argv;
const running = new Map<string, ChildProcess>();
let kept = false;
let ending = false;

function report(message: SupervisorReport): void {
  // The parent may be gone at any moment; `disconnect` then ends this process.
  if (process.connected) process.send?.(message, () => undefined);
}

async function start(spec: ProcessSpec): Promise<void> {
  const [file = '', ...args] = await dyingWithParent(spec.command);
  if (ending) return;
  const log = openSync(spec.logFile, 'a');
  const child = spawn(file, args, { cwd: spec.cwd, stdio: ['ignore', log, log] });
  closeSync(log);
  running.set(spec.name, child);
  const gone = (how: string): void => {
    running.delete(spec.name);
    report({ type: 'exited', name: spec.name, how });
    // Half a backend that nobody watches helps nobody.
    if (kept) void end();
  };
  child.on('error', (error) => {
    gone(error.message);
  });
  child.on('exit', (code, signal) => {
    gone(signal ?? `exit code ${code ?? 'unknown'}`);
  });
  if (child.pid !== undefined) report({ type: 'started', name: spec.name, pid: child.pid });
}

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  // Killed, not asked: the data goes with the processes, so there is nothing to close in order.
  await Promise.all(
    [...running.values()].map(
      (child) =>
        new Promise((resolve) => {
          child.once('exit', resolve);
          child.once('error', resolve);
          child.kill('SIGKILL');
        }),
    ),
  );
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
}

process.on('message', (order) => {
  if (!isOrder(order)) return;
  switch (order.type) {
    case 'start':
      void start(order.spec);
      break;
    case 'signal':
      running.get(order.name)?.kill(order.signal);
      break;
    case 'keep':
      kept = true;
      report({ type: 'kept' });
      break;
    case 'end':
      void end();
      break;
  }
});
process.on('disconnect', () => {
  if (!kept) void end();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
// A parent that died while this process was starting has closed the channel before anyone listened.
if (!process.connected) void end();
