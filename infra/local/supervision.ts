import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '../errors.js';
import { isReport, type ProcessSpec, type SupervisorOrder } from './supervisor-protocol.js';

/**
 * The parent's end of a supervisor: processes started here end with this process, even when it is killed with SIGKILL.
 * It does not keep this process alive.
 */
export class Supervision {
  readonly #supervisor: ChildProcess;
  readonly #directory: string;
  readonly #pids = new Map<string, number>();
  readonly #exits = new Map<string, string>();
  readonly #reports = new EventEmitter();
  readonly #ended: Promise<unknown>;
  #holders = 0;
  #stopping: Promise<void> | undefined;

  /** `directory` belongs to the backend and is removed with it; `token` marks the supervisor's command line. */
  constructor(directory: string, token: string) {
    this.#directory = directory;
    this.#supervisor = fork(fileURLToPath(new URL('./supervisor.js', import.meta.url)), [token, directory], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      env: withoutNodeOptions(process.env),
    });
    this.#supervisor.on('message', (message) => {
      this.#receive(message);
    });
    this.#ended = new Promise((resolve) => {
      this.#supervisor.on('exit', resolve);
      // Without a process ID it never ran; any other error is an order to one that has died, and `exit` tells.
      this.#supervisor.on('error', () => {
        if (this.#supervisor.pid === undefined) resolve(undefined);
      });
    });
    this.#supervisor.unref();
    this.#supervisor.channel?.unref();
  }

  /** Process ID of the supervisor. */
  get pid(): number {
    return this.#supervisor.pid ?? 0;
  }

  /**
   * Starts a process and returns its ID.
   * @throws HoldfastError `HOLDFAST_BACKEND_START_FAILED` when the system refuses.
   */
  async start(spec: ProcessSpec): Promise<number> {
    this.#exits.delete(spec.name);
    this.#pids.delete(spec.name);
    this.#order({ type: 'start', spec });
    await this.#until(() => this.#pids.has(spec.name) || this.#exits.has(spec.name));
    const pid = this.#pids.get(spec.name);
    if (pid !== undefined) return pid;
    throw failed(`${spec.name} could not be started: ${this.#exits.get(spec.name) ?? 'the supervisor ended'}`);
  }

  /** How the process of this name ended ("exit code 1", "SIGKILL"), or undefined while it runs. */
  exitOf(name: string): string | undefined {
    return this.#running ? this.#exits.get(name) : 'the supervisor ended';
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#order({ type: 'signal', name, signal });
  }

  /** Resolves when the process of this name has ended. */
  async exited(name: string): Promise<void> {
    await this.#until(() => this.exitOf(name) !== undefined);
  }

  /**
   * From now on everything stays when this process ends; this process lets go of it.
   * @throws HoldfastError `HOLDFAST_BACKEND_START_FAILED` when the supervisor has ended.
   */
  async keep(): Promise<void> {
    this.#order({ type: 'keep' });
    const kept = once(this.#reports, 'kept').then(() => true);
    if (!(await this.#holding(Promise.race([kept, this.#ended.then(() => false)])))) {
      throw failed('the supervisor of the local backend ended');
    }
    this.#supervisor.disconnect();
  }

  /** Kills all processes, removes the directory, and resolves when both are done. May be called again. */
  end(): Promise<void> {
    this.#stopping ??= this.#holding(this.#finish());
    return this.#stopping;
  }

  async #finish(): Promise<void> {
    this.#order({ type: 'end' });
    await this.#ended;
    if (this.#supervisor.exitCode === 0) return;
    // The supervisor was killed: do its work.
    for (const [name, pid] of this.#pids) {
      if (!this.#exits.has(name)) kill(pid);
    }
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 3 });
  }

  #order(order: SupervisorOrder): void {
    if (this.#supervisor.connected) this.#supervisor.send(order, () => undefined);
  }

  #receive(message: unknown): void {
    if (!isReport(message)) return;
    if (message.type === 'started') this.#pids.set(message.name, message.pid);
    if (message.type === 'exited') this.#exits.set(message.name, message.how);
    this.#reports.emit(message.type);
    this.#reports.emit('any');
  }

  get #running(): boolean {
    return this.#supervisor.exitCode === null && this.#supervisor.signalCode === null;
  }

  async #until(condition: () => boolean): Promise<void> {
    const wait = async (): Promise<void> => {
      while (!condition() && this.#running) await Promise.race([once(this.#reports, 'any'), this.#ended]);
    };
    await this.#holding(wait());
  }

  /** While something is awaited from the supervisor, this process must not end for want of other work. */
  async #holding<T>(work: Promise<T>): Promise<T> {
    this.#holders += 1;
    this.#supervisor.ref();
    this.#supervisor.channel?.ref();
    try {
      return await work;
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) {
        this.#supervisor.unref();
        this.#supervisor.channel?.unref();
      }
    }
  }
}

/** The supervisor is a plain program: loaders, inspectors or heap limits of its parent are not for it. */
function withoutNodeOptions(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'NODE_OPTIONS'));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function failed(message: string): HoldfastError {
  return new HoldfastError(message, { code: 'HOLDFAST_BACKEND_START_FAILED', retryable: true });
}
