import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../integration/kafka-fixture.js';
import { describeKill, evidenceOf, groupsOwnedBy, ownersOf, waitingIn, type Kill } from './kit/evidence.js';
import { FaultRun, required } from './kit/fault-run.js';
import { Feeder } from './kit/feeder.js';
import type { LedgerChild } from './kit/ledger-child.js';
import { DEFER_MS } from './kit/mesh.js';
import { judge } from './kit/oracle.js';
import { commitsOf, sharesOf, type KillStep } from './kit/step-log.js';

const PARTITIONS = 8;
/** Of two partitions each: every transaction spans partitions, and each of the two processes runs several groups. */
const GROUPS = 4;
const INPUTS = Number(process.env.HOLDFAST_TEST_FAULT_INPUTS ?? 60_000);
const LEAST_WAITING = 1_000;
/** Inputs that wait when the victim is armed: some are decided before it reaches its step. */
const BACKLOG = 1_750;

/**
 * Where the process dies, one start after the other. P3 and P4 leave the transaction open: ten of them. Once the commit
 * was asked for without an answer, and once right after the answer, before the store was written.
 */
const KILLS: readonly KillStep[] = [
  ...(['P3', 'P4', 'P3', 'P4', 'P5-asked', 'P3', 'P4', 'P3', 'P4', 'P5', 'P3', 'P4'] as const),
];
const OPEN: readonly KillStep[] = ['P3', 'P4'];
/** Restarts after which the stores are gone. */
const WIPED = [3, 8];
/** Kills after which the other process has taken everything over before the dead one is started again. */
const TAKEN_OVER = [1, 4, 7, 8];

const report = (line: string): void => {
  process.stderr.write(`ledger-sigkill: ${line}\n`);
};

describe('the ledger under SIGKILL', () => {
  let run: FaultRun;

  beforeAll(async () => {
    run = await FaultRun.open({
      brokers: required('HOLDFAST_KAFKA_BROKERS').split(','),
      registryUrl: required('HOLDFAST_REGISTRY_URL'),
      partitions: PARTITIONS,
      groups: GROUPS,
    });
  }, 120_000);

  afterAll(async () => {
    await run.close();
  }, 60_000);

  /** Every group is held by a process that lives, and each of them holds some. */
  const settled = (children: readonly LedgerChild[]): Promise<true> =>
    eventually(
      () => {
        const dead = children.find((child) => !child.alive);
        if (dead !== undefined) throw new Error(`${dead.instance}/${dead.start} ended by itself: ${dead.said}`);
        const steps = run.steps();
        const owned = children.map((child) => groupsOwnedBy(steps, child).length);
        const all = owned.reduce((sum, count) => sum + count, 0) === GROUPS;
        return ownersOf(steps).size === GROUPS && all && owned.every((count) => count > 0) ? true : undefined;
      },
      'every group to be run by one of the two processes',
      60_000,
    );

  const takenOver = (survivor: LedgerChild): Promise<true> =>
    eventually(
      () => (groupsOwnedBy(run.steps(), survivor).length === GROUPS ? true : undefined),
      'the other process to take every group over',
      60_000,
    );

  /** Writes a burst, faster than it can be decided, and lets the victim die at its next step. */
  const killUnderLoad = async (victim: LedgerChild, step: KillStep, feeder: Feeder, burst: number): Promise<Kill> => {
    const groups = groupsOwnedBy(run.steps(), victim);
    await eventually(async () => {
      await feeder.feed(burst);
      return (await waitingIn(run, groups)) >= BACKLOG ? true : undefined;
    }, 'a backlog');
    victim.arm();
    await eventually(() => (victim.alive ? undefined : true), 'the victim to reach its step');
    const { signal } = await victim.ended;
    expect(signal).toBe('SIGKILL');
    return evidenceOf(run, victim, step);
  };

  it('should decide every input once and for all, killed over and over with transactions open', async () => {
    const perKill = Math.ceil(INPUTS / KILLS.length);
    const feeder = new Feeder(run, 20_260_101);
    await feeder.introduceMesh();
    const serve = (instance: string, start: number): Promise<LedgerChild> => {
      // The two die in turn: the n-th start of `a` is the victim of kill 2n - 1, that of `b` of kill 2n.
      const killAt = KILLS[2 * (start - 1) + (instance === 'a' ? 0 : 1)];
      return run.serve(instance, killAt === undefined ? {} : { killAt });
    };
    let [next, other] = [await serve('a', 1), await serve('b', 1)];
    const kills: Kill[] = [];
    for (const [index, step] of KILLS.entries()) {
      await settled([next, other]);
      const kill = await killUnderLoad(next, step, feeder, Math.ceil(perKill * 0.8));
      kills.push(kill);
      report(describeKill(kill, kills.length));
      if (WIPED.includes(index)) await run.wipeStores(next.instance);
      if (TAKEN_OVER.includes(index)) await takenOver(other);
      const restarted = await serve(next.instance, next.start + 1);
      [next, other] = [other, restarted];
      if (index % 3 === 0) await feeder.changeMesh();
      await feeder.feed(Math.max(0, perKill * (index + 1) - feeder.written));
    }
    await settled([next, other]);
    await eventually(
      async () => ((await waitingIn(run, [0, 1, 2, 3])) === 0 ? true : undefined),
      'everything to be decided',
      90_000,
    );
    // What was deferred last gets its last word when its time is up.
    await new Promise((resolve) => setTimeout(resolve, DEFER_MS + 1_000));
    for (const child of [next, other]) child.signal('SIGTERM');
    expect(await Promise.all([next.ended, other.ended])).toStrictEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);

    const findings = await judge(run, feeder.written, ['a', 'b']);
    const shares = sharesOf(commitsOf(run.steps()));
    const decided = [...shares].map(([instance, count]) => `${instance} ${count}`).join(', ');
    report(`${JSON.stringify(findings)}; decided by ${decided}; ${feeder.workload.units} units begun`);
    const open = kills.filter(({ step }) => OPEN.some((one) => one === step));
    expect(open.filter(({ open: left, waiting }) => left.length > 0 && waiting >= LEAST_WAITING)).toHaveLength(10);
    expect(findings.faults).toStrictEqual([]);
    expect(findings).toMatchObject({ inputs: feeder.written, lost: 0, duplicates: 0 });
    for (const instance of ['a', 'b']) expect(shares.get(instance) ?? 0).toBeGreaterThan(feeder.written / 10);
  }, 400_000);
});
