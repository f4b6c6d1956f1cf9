import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '../../infra/errors.js';
import { dyingWithParent } from '../../infra/local/run-command.js';
import { parseLine, type JsonLine } from './json-lines.js';

/** How a process ended. */
export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A flag without its dashes, in camel case; `true` is a flag without a value. */
export type Flags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const LINE_PATIENCE_MS = 30_000;
const LOG_LINES = 20;

/** All that run. What `dyingWithParent` does by the kernel, where it can, this does for an orderly exit elsewhere. */
const running = new Set<ChildProcessByStdio<Writable, Readable, Readable>>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A demo process: its output as it came, and its end. It does not outlive the process that started it. */
export class DemoProcess {
  readonly #name: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: JsonLine[] = [];
  readonly #log: string[] = [];
  readonly #watchers = new Set<() => void>();
  #ended: Ended | undefined;
  /** Settled once the process has ended and all it said has been read. */
  readonly ended: Promise<Ended>;

  /** Starts `dist/services/demo/<program>.js`. */
  static async start(program: 'worker' | 'orchestrator', flags: Flags): Promise<DemoProcess> {
    const script = fileURLToPath(new URL(`./${program}.js`, import.meta.url));
    const command = await dyingWithParent([process.execPath, script, ...commandLine(flags)]);
    return new DemoProcess(program, command);
  }

  private constructor(name: string, [file = '', ...args]: readonly string[]) {
    this.#name = name;
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    running.add(child);
    createInterface({ input: child.stdout }).on('line', (text) => {
      this.#lines.push(parseLine(text) ?? { unreadable: text });
      this.#notify();
    });
    createInterface({ input: child.stderr }).on('line', (text) => {
      this.#log.push(text);
      if (this.#log.length > LOG_LINES) this.#log.shift();
    });
    // A process that has ended takes no more lines; its end is told by `ended`.
    child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        running.delete(child);
        this.#ended = { code, signal };
        this.#notify();
        resolve(this.#ended);
      };
      child.once('close', end);
      child.once('error', (error) => {
        this.#log.push(error.message);
        if (child.pid === undefined) end(null, null);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** All it has printed so far. */
  get lines(): readonly JsonLine[] {
    return [...this.#lines];
  }

  /**
   * The first line from position `from` on that is as wanted, once it is there.
   * @throws HoldfastError `HOLDFAST_DEMO_PROCESS_ENDED` when the process ends without it, `HOLDFAST_DEMO_LINE_MISSING`
   * when it does not come within half a minute.
   */
  async line(wanted: (line: JsonLine) => boolean, from = 0): Promise<JsonLine> {
    return new Promise((resolve, reject) => {
      const settle = (conclude: () => void): void => {
        this.#watchers.delete(look);
        clearTimeout(timer);
        conclude();
      };
      const look = (): void => {
        const line = this.#lines.slice(from).find(wanted);
        if (line !== undefined) {
          settle(() => {
            resolve(line);
          });
        } else if (this.#ended !== undefined) {
          const { code, signal } = this.#ended;
          this.#fail('HOLDFAST_DEMO_PROCESS_ENDED', `ended (${signal ?? `code ${code ?? '?'}`})`, settle, reject);
        }
      };
      const timer = setTimeout(() => {
        this.#fail('HOLDFAST_DEMO_LINE_MISSING', 'did not print what was expected', settle, reject);
      }, LINE_PATIENCE_MS);
      this.#watchers.add(look);
      look();
    });
  }

  /** Writes one line to its standard input. */
  tell(line: JsonLine): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  /** Sends the signal and waits for the end; nothing when it has ended. */
  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #fail(
    code: 'HOLDFAST_DEMO_LINE_MISSING' | 'HOLDFAST_DEMO_PROCESS_ENDED',
    what: string,
    settle: (conclude: () => void) => void,
    reject: (error: HoldfastError) => void,
  ): void {
    const said = [...this.#lines.map((line) => JSON.stringify(line)), ...this.#log].join('\n');
    settle(() => {
      reject(new HoldfastError(`The ${this.#name} ${what}. It said:\n${said}`, { code, retryable: false }));
    });
  }
}

const commandLine = (flags: Flags): readonly string[] =>
  Object.entries(flags).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (typeof value === 'boolean') return value ? [flag] : [];
    return [flag, typeof value === 'object' ? value.join(',') : String(value)];
  });
