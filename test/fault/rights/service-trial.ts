import { expect } from '@jest/globals';
import type { PartialConfig } from '../../../infra/config/config-source.js';
import { NotAuthorizedError } from '../../../infra/kafka/kafka-errors.js';
import type { Service } from '../../../services/ledger/ledger-service.js';
import type { Right } from '../../../services/rights/rights.js';
import type { Role } from '../../../services/roles.js';
import type { GuardedMesh } from './guarded-mesh.js';
import { sentencesOn } from './sentences.js';

const PATIENCE_MS = 30_000;

/** What one service is put through, and what it needs around it. */
export type ServiceTrial = {
  readonly role: Role;
  /** What its configuration says besides. */
  readonly config?: PartialConfig;
  /** Once, before the service is started for the first time. */
  readonly prepare: () => Promise<void>;
  /** Writes what the service uses each of its rights for. */
  readonly provoke: (right: Right) => Promise<void>;
  /** Resolves when all of it has been dealt with; asserts that it was, once. */
  readonly settled: () => Promise<void>;
};

/** A service with all of its rights, from which one after the other is taken. */
export class ServiceUnderTrial {
  readonly #mesh: GuardedMesh;
  readonly #trial: ServiceTrial;
  #service: Service | undefined;
  #hasServed = false;

  static async begin(mesh: GuardedMesh, trial: ServiceTrial): Promise<ServiceUnderTrial> {
    await mesh.kafka.grant(trial.role, mesh.rights(trial.role));
    await trial.prepare();
    const under = new ServiceUnderTrial(mesh, trial);
    under.#service = await mesh.start(trial.role, trial.config);
    return under;
  }

  private constructor(mesh: GuardedMesh, trial: ServiceTrial) {
    this.#mesh = mesh;
    this.#trial = trial;
  }

  /** Leaves the service running, or ends it. */
  async end(): Promise<void> {
    if (this.#service !== undefined) await this.#stop();
  }

  /** Ends while it runs, and ends again when it is started; nothing is lost. */
  async failsWithout(right: Right): Promise<void> {
    await this.#without(right, async () => {
      await this.#endsByItself(right);
      await this.#doesNotStart(right);
    });
  }

  /** Goes on where it runs, but does not start: the right is for that. */
  async doesNotStartWithout(right: Right): Promise<void> {
    await this.#without(right, async () => {
      await this.#trial.settled();
      await this.#stop();
      await this.#doesNotStart(right);
    });
  }

  /** Starts, and ends when it comes to what the right is for. */
  async endsLaterWithout(right: Right): Promise<void> {
    await this.#without(right, async () => {
      await this.#endsByItself(right);
      this.#service = await this.#mesh.start(this.#trial.role, this.#trial.config);
      await this.#endsByItself(right);
    });
  }

  async #without(right: Right, look: () => Promise<void>): Promise<void> {
    const { kafka } = this.#mesh;
    const { provoke, role, settled } = this.#trial;
    const lacking = this.#mesh.named(right);
    // A trial that failed has left it stopped.
    this.#service ??= await this.#mesh.start(role, this.#trial.config);
    await kafka.revoke(role, lacking);
    try {
      await provoke(right);
      await look();
    } finally {
      await kafka.grant(role, [lacking]);
    }
    this.#service = await this.#mesh.start(role, this.#trial.config);
    await settled();
  }

  async #endsByItself(right: Right): Promise<void> {
    const error = await this.#failure();
    await this.#stop();
    this.#isAbout(right, error);
  }

  /** Once in a process of its own, as its supervisor would start it: that it ends there is the same for every right. */
  async #doesNotStart(right: Right): Promise<void> {
    if (!this.#hasServed) await this.#doesNotServe(right);
    this.#hasServed = true;
    const { role, config } = this.#trial;
    let error: unknown;
    try {
      this.#service = await this.#mesh.start(role, config);
    } catch (refused) {
      error = refused;
    }
    if (this.#service !== undefined) return this.#endsByItself(right);
    this.#isAbout(right, error);
  }

  #isAbout(right: Right, error: unknown): void {
    expect(error).toBeInstanceOf(NotAuthorizedError);
    expect(sentencesOn(this.#trial.role, this.#mesh.named(right))).toContain((error as Error).message);
  }

  async #doesNotServe(right: Right): Promise<void> {
    const { role } = this.#trial;
    const { code, stderr } = await this.#mesh.run(role, ['serve', role], this.#trial.config);

    const sentences = sentencesOn(role, this.#mesh.named(right));
    expect(sentences.map((sentence) => `holdfast: ${sentence} [HOLDFAST_KAFKA_NOT_AUTHORIZED]\n`)).toContain(stderr);
    expect(code).toBe(2);
  }

  async #failure(): Promise<unknown> {
    const { failed } = this.#running();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<unknown>((resolve) => {
      timer = setTimeout(() => {
        resolve(new Error(`the ${this.#trial.role} did not end within ${PATIENCE_MS} ms`));
      }, PATIENCE_MS);
    });
    const error = await Promise.race([failed.catch((reason: unknown) => reason), patience]);
    clearTimeout(timer);
    return error;
  }

  async #stop(): Promise<void> {
    const service = this.#running();
    this.#service = undefined;
    await this.#mesh.stop(service);
  }

  #running(): Service {
    if (this.#service === undefined) throw new Error(`the ${this.#trial.role} does not run`);
    return this.#service;
  }
}
