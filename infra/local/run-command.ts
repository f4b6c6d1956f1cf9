import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export type CommandResult = {
  /** Exit code; 1 when a signal ended it. */
  readonly code: number;
  /** Standard output and error, interleaved as they came. */
  readonly output: string;
};

/** The first executable file of this name on the PATH, or undefined. */
export async function findExecutable(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const directory of (env.PATH ?? '').split(delimiter)) {
    if (directory === '') continue;
    const candidate = join(directory, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

/** Whether the file exists and may be executed. */
export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Wraps a command so that the kernel kills it when the process that started it dies, however it dies. Where the
 * `setpriv` tool is missing (not Linux) the command comes back unchanged.
 */
export async function dyingWithParent(command: readonly string[]): Promise<readonly string[]> {
  if (process.platform !== 'linux') return command;
  const setpriv = await findExecutable('setpriv', process.env);
  return setpriv === undefined ? command : [setpriv, '--pdeathsig', 'KILL', ...command];
}

/** Runs a command to its end, without input. Rejects only when it cannot be started. */
export async function runCommand(
  command: readonly string[],
  options: { readonly cwd?: string; readonly onOutput?: (chunk: string) => void } = {},
): Promise<CommandResult> {
  const [file = '', ...args] = await dyingWithParent(command);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: options.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      const text = chunk.toString('utf8');
      output += text;
      options.onOutput?.(text);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}
