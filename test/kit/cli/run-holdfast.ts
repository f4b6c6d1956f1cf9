import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command as it was compiled. */
export const HOLDFAST = fileURLToPath(new URL('../../../services/cli/main.js', import.meta.url));

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs `holdfast` off a terminal. `env` is laid over this process's own; `undefined` takes a variable away. */
export const runHoldfast = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  command: readonly [string, ...string[]] = [process.execPath, HOLDFAST],
): Promise<Ran> =>
  new Promise((resolve) => {
    const [file, ...first] = command;
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(file, [...first, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });

export const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
