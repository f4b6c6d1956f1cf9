import { DemoProcess, type Ended } from './child.js';
import type { EmittedType } from './offer.js';
import type { WorkerOptions } from './worker-options.js';

/** A worker in a process of its own. Its address stays the same over restarts. */
export class WorkerProcess {
  #options: Partial<WorkerOptions>;
  #process: DemoProcess;
  readonly url: string;
  readonly cardUrl: string;

  /**
   * Resolves when it listens.
   * @throws HoldfastError `HOLDFAST_DEMO_PROCESS_ENDED` when it does not, with what it said.
   */
  static async start(options: Partial<WorkerOptions>): Promise<WorkerProcess> {
    const { process, url, cardUrl } = await launch(options);
    return new WorkerProcess({ ...options, port: Number(new URL(url).port) }, process, url, cardUrl);
  }

  private constructor(options: Partial<WorkerOptions>, process: DemoProcess, url: string, cardUrl: string) {
    this.#options = options;
    this.#process = process;
    this.url = url;
    this.cardUrl = cardUrl;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** SIGKILL, unless told otherwise: it forgets everything. */
  kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<Ended> {
    return this.#process.kill(signal);
  }

  /**
   * Kills it where it still runs, and starts it again on the same port, with these options changed.
   * @throws HoldfastError as `start`.
   */
  async restart(changes: Partial<Omit<WorkerOptions, 'port'>> = {}): Promise<void> {
    await this.kill();
    this.#options = { ...this.#options, ...changes };
    this.#process = (await launch(this.#options)).process;
  }

  /** Changes the media type of its artifacts while it runs, tasks in flight included; the card stays. */
  async emit(type: EmittedType): Promise<void> {
    const from = this.#process.lines.length;
    this.#process.tell({ emit: type });
    await this.#process.line(({ emit }) => emit === type, from);
  }
}

const launch = async (
  options: Partial<WorkerOptions>,
): Promise<{ readonly process: DemoProcess; readonly url: string; readonly cardUrl: string }> => {
  const process = await DemoProcess.start('worker', options);
  try {
    const { url, cardUrl } = await process.line(({ ready }) => ready === true);
    return { process, url: String(url), cardUrl: String(cardUrl) };
  } catch (error) {
    await process.kill('SIGKILL');
    throw error;
  }
};
