import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dyingWithParent } from '../../../infra/local/run-command.js';
import { readSteps, type KillStep, type LoggedStep } from './step-log.js';

const compiled = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The command line of the product, as `npm run build` leaves it. */
const HOLDFAST = ['../../../services/cli/main.js', 'serve', 'ledger'] as const;

export type ChildOptions = {
  readonly instance: string;
  readonly start: number;
  readonly config: string;
  /** Where its log of steps lies. */
  readonly directory: string;
  /** The step at which it is sent `signal` (SIGKILL unless given) once `arm` was called. */
  readonly killAt?: KillStep;
  readonly signal?: 'SIGKILL' | 'SIGSTOP';
  /** Another program than `holdfast serve ledger`, with the same options: path from here, and its arguments. */
  readonly program?: readonly [path: string, ...args: string[]];
};

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** One start of one `holdfast serve ledger` process, watched on the wire. */
export class LedgerChild {
  readonly instance: string;
  readonly start: number;
  readonly ended: Promise<Ended>;
  readonly #stepsFile: string;
  readonly #process: ChildProcess;
  #stderr = '';
  #done = false;

  private constructor(options: ChildOptions, stepsFile: string, child: ChildProcess) {
    this.instance = options.instance;
    this.start = options.start;
    this.#stepsFile = stepsFile;
    this.#process = child;
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#done = true;
        resolve({ code, signal });
      });
    });
  }

  static async start(options: ChildOptions): Promise<LedgerChild> {
    const stepsFile = join(options.directory, `${options.instance}.${options.start}.steps`);
    const [path, ...args] = options.program ?? HOLDFAST;
    const [command = '', ...words] = await dyingWithParent([
      process.execPath,
      '--import',
      compiled('./wire-steps.js'),
      compiled(path),
      ...args,
      '--config',
      options.config,
      '--instance',
      options.instance,
    ]);
    const child = spawn(command, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...environment(),
        KIT_STEPS_FILE: stepsFile,
        KIT_KILL_AT: options.killAt ?? '',
        KIT_SIGNAL: options.signal ?? 'SIGKILL',
      },
    });
    return new LedgerChild(options, stepsFile, child);
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  get alive(): boolean {
    return !this.#done;
  }

  /** What it wrote on standard error. */
  get said(): string {
    return this.#stderr;
  }

  steps(): readonly LoggedStep[] {
    return readSteps(this.#stepsFile, this.instance, this.start);
  }

  /** From now on it dies at its step. */
  arm(): void {
    this.#process.kill('SIGUSR2');
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends it in whatever way is left. */
  async kill(): Promise<void> {
    if (!this.alive) return;
    this.#process.kill('SIGKILL');
    await this.ended;
  }
}

/** The configuration file says all; the test's own environment would win over it. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_') && name !== 'NODE_OPTIONS'),
  );
