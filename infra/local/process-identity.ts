import { readFile } from 'node:fs/promises';
import { runCommand } from './run-command.js';

/**
 * Whether the process of this ID runs and carries the token on its command line. A bare process ID proves nothing:
 * the system gives it to another process once the first has ended.
 */
export async function isProcessOf(pid: number, token: string): Promise<boolean> {
  return (await commandLine(pid)).includes(token);
}

/** Empty when there is no such process, or only the remains of one nobody has waited for. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const { code, output } = await runCommand(['ps', '-o', 'command=', '-p', String(pid)]);
  return code === 0 ? output : '';
}
