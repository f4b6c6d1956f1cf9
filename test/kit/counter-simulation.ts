import { HoldfastError } from '../../infra/errors.js';
import type { Step } from '../../infra/streams/stream-context.js';
import { faultsOf } from './counter-oracle.js';
import { added, bonus, type CounterDriver } from './counter-scenario.js';
import { ADDITIONS, BONUSES, counterTopology } from './counter-topology.js';
import type { CommitFault } from '../../infra/memory/memory-log.js';
import { Random } from './random.js';
import type { Sabotage } from '../../infra/memory/sabotage.js';
import { SimulatedCrash } from '../../infra/memory/test-instance.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';
import { Turnstile } from './turnstile.js';

/** What a run did, to see that it did something, and what was wrong after it. */
export type SimulationReport = {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly inputs: number;
  readonly disturbances: Readonly<Record<string, number>>;
};

export type SimulationOptions = { readonly steps?: number; readonly sabotage?: Sabotage };

const STEPS: readonly Step[] = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7'];
const COMMIT_FAULTS: readonly CommitFault[] = ['abort', 'fence', 'lose-answer', 'lose-request'];
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
const TEAMS = ['red', 'blue'];
const MOST_TURNS = 100_000;
/** Half of what would be delete.retention.ms. */
const STORE_MAX_AGE_MS = 100;

type Instance = CounterDriver['cluster']['instances'][number];

/**
 * One run of the counters under chance: inputs, bonuses and time against crashes at every step, aborted and lost commits,
 * pauses, members that come and go, and the log cleaner. Then the disturbances end, everything is drained, and the oracle
 * is asked. A run is its seed.
 */
export const simulate = async (
  seed: number,
  { sabotage, steps = 60 }: SimulationOptions = {},
): Promise<SimulationReport> => {
  const random = new Random(seed);
  const turnstile = new Turnstile(random);
  const partitions = 1 + random.below(4);
  const driver = new TopologyTestDriver(counterTopology, {
    partitions,
    groups: 1 + random.below(partitions),
    members: 1 + random.below(3),
    client: { turn: turnstile.turn, fetchSize: 1 + random.below(8) },
    ...(sabotage === undefined ? {} : { sabotage }),
    limits: {
      transaction: { inputs: 1 + random.below(6), outputBytes: 200 + random.below(2_000) },
      storeMaxAgeMs: STORE_MAX_AGE_MS,
      cachedKeys: 2 + random.below(8),
      timers: 1 + random.below(8),
      queue: { records: 1 + random.below(20), bytes: 10_000 },
    },
  });
  const run = new Run(driver, random, turnstile);
  for (let step = 0; step < steps; step += 1) await run.step();
  await run.drain();
  return { seed, faults: await turnstile.runUntil(faultsOf(driver), MOST_TURNS), ...run.done };
};

class Run {
  readonly #driver: CounterDriver;
  readonly #random: Random;
  readonly #turnstile: Turnstile;
  readonly #disturbances = new Map<string, number>();
  readonly #failed = new Map<Instance, Error>();
  readonly #watched = new WeakSet<Instance>();
  #inputs = 0;
  #paused: Instance | undefined;

  constructor(driver: CounterDriver, random: Random, turnstile: Turnstile) {
    this.#driver = driver;
    this.#random = random;
    this.#turnstile = turnstile;
    driver.cluster.start();
  }

  get done(): Pick<SimulationReport, 'inputs' | 'disturbances'> {
    return { inputs: this.#inputs, disturbances: Object.fromEntries(this.#disturbances) };
  }

  async step(): Promise<void> {
    if (this.#random.oneIn(3)) await this.#disturb();
    else this.#feed();
    for (let turn = this.#random.below(60); turn > 0; turn -= 1) await this.#turnstile.letOneThrough();
    await this.#restartFailed();
  }

  /** Ends the disturbances and processes what is left. */
  async drain(): Promise<void> {
    this.#driver.log.faults.length = 0;
    for (const instance of this.#driver.cluster.instances) instance.crashAt(undefined);
    await this.#resume();
    for (;;) {
      await this.#restartFailed();
      try {
        await this.#turnstile.runUntil(this.#driver.settle(), MOST_TURNS);
        return;
      } catch (error) {
        if (this.#failed.size === 0) throw error;
      }
    }
  }

  #feed(): void {
    const { cluster } = this.#driver;
    const key = this.#random.pick(KEYS);
    const time = Math.max(0, cluster.clock.now() - 5 + this.#random.below(20));
    switch (this.#random.below(8)) {
      case 0:
        this.#driver.append(BONUSES, null, bonus(this.#random.pick(TEAMS), this.#random.below(100)), { time });
        return;
      case 1:
        cluster.moveClock(cluster.clock.now() + this.#random.below(60));
        return;
      case 2:
        this.#driver.append(ADDITIONS, key, this.#random.oneIn(2) ? null : Buffer.from('{'), { time });
        break;
      default:
        this.#driver.append(
          ADDITIONS,
          key,
          added(this.#random.below(10), {
            ...(this.#random.oneIn(3) ? { wakeAfter: this.#random.below(50) } : {}),
            ...(this.#random.oneIn(3) ? { team: this.#random.pick(TEAMS) } : {}),
            ...(this.#random.oneIn(8) ? { remove: true } : {}),
          }),
          { time },
        );
    }
    this.#inputs += 1;
  }

  async #disturb(): Promise<void> {
    const { cluster, log } = this.#driver;
    const instance = this.#random.pick(cluster.instances);
    switch (this.#random.below(8)) {
      case 0:
      case 1: {
        const step = this.#random.pick(STEPS);
        instance.crashAt({ step, nth: 1 + this.#random.below(3) });
        this.#note(`crash after ${step}`);
        return;
      }
      case 2:
      case 3: {
        const fault = this.#random.pick(COMMIT_FAULTS);
        log.faults.push(fault);
        this.#note(fault);
        return;
      }
      case 4:
        if (this.#paused === undefined && !instance.dead) {
          this.#paused = instance;
          cluster.pause(instance);
          this.#note('pause');
        } else await this.#resume();
        return;
      case 5:
        if (cluster.instances.length < 4) cluster.add();
        this.#note('join');
        return;
      case 6:
        if (cluster.instances.length > 1 && instance !== this.#paused && !instance.dead) {
          await this.#turnstile.runUntil(
            cluster.remove(instance).catch(() => undefined),
            MOST_TURNS,
          );
          this.#note('leave');
        }
        return;
      default:
        for (const partition of log.topic('counters')) partition.compact(log.time - 2 * STORE_MAX_AGE_MS);
        this.#note('compaction');
    }
  }

  async #resume(): Promise<void> {
    const paused = this.#paused;
    this.#paused = undefined;
    if (paused !== undefined) await this.#turnstile.runUntil(this.#driver.cluster.resume(paused), MOST_TURNS);
  }

  async #restartFailed(): Promise<void> {
    const { cluster } = this.#driver;
    for (const instance of cluster.instances) {
      if (!this.#watched.has(instance)) {
        this.#watched.add(instance);
        instance.application.failed.catch((error: unknown) => {
          this.#failed.set(instance, error instanceof Error ? error : new Error(String(error)));
        });
      }
      const error = this.#failed.get(instance);
      if (error === undefined) continue;
      // Fenced twice in one generation ends an instance, rightly; anything else is a fault of the runtime.
      const expected =
        error instanceof SimulatedCrash ||
        (error instanceof HoldfastError && error.code === 'HOLDFAST_STREAM_REPEATEDLY_FENCED');
      if (!expected) throw error;
      this.#failed.delete(instance);
      this.#note('restart');
      if (instance === this.#paused) this.#paused = undefined;
      await this.#turnstile.runUntil(
        cluster.restart(instance, { store: this.#random.oneIn(3) ? 'wiped' : 'kept' }),
        MOST_TURNS,
      );
    }
  }

  #note(what: string): void {
    this.#disturbances.set(what, (this.#disturbances.get(what) ?? 0) + 1);
  }
}
