import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLocalKafka, type LocalKafka } from '../../infra/local/local-backend.js';
import { eventually } from '../integration/kafka-fixture.js';
import { RegistryProxy } from '../integration/registry-proxy.js';
import { groupsOwnedBy, ownersOf, waitingIn } from './kit/evidence.js';
import { FaultRun, required } from './kit/fault-run.js';
import { Feeder } from './kit/feeder.js';
import { dispatchOfLaterVersion } from './kit/foreign-schema.js';
import type { LedgerChild } from './kit/ledger-child.js';
import { DEFER_MS } from './kit/mesh.js';
import { judge } from './kit/oracle.js';

import { groupOf, type LoggedStep } from './kit/step-log.js';

const GROUPS = [0, 1];
const BURST = 1_500;

/** One ledger of two processes lives through one fault after the other; at the end the oracle judges all of it. */
describe('the ledger among faults', () => {
  const registryUrl = required('HOLDFAST_REGISTRY_URL');
  /** A broker of its own, which is killed. */
  let broker: LocalKafka;
  let gate: RegistryProxy;
  let run: FaultRun;
  let feeder: Feeder;
  let a: LedgerChild;
  let b: LedgerChild;

  beforeAll(async () => {
    broker = await startLocalKafka({ kafka: { properties: { 'broker.session.timeout.ms': 3_000 } } });
    gate = await RegistryProxy.open(registryUrl);
    const { brokers } = broker;
    run = await FaultRun.open({
      ...{ brokers, registryUrl, servedRegistryUrl: gate.url },
      ...{ partitions: 4, groups: GROUPS.length },
    });
    feeder = new Feeder(run, 99);
    await feeder.introduceMesh();
    a = await run.serve('a', { killAt: 'P4', signal: 'SIGSTOP' });
    b = await run.serve('b');
    await settled();
  }, 180_000);

  afterAll(async () => {
    await run.close();
    await gate.shut();
    await broker.stop();
  }, 60_000);

  /** Each process holds one of the two groups. */
  const settled = (): Promise<true> =>
    eventually(
      () => {
        for (const child of [a, b]) if (!child.alive) throw new Error(`${child.instance} has ended: ${child.said}`);
        const steps = run.steps();
        return [a, b].every((child) => groupsOwnedBy(steps, child).length === 1) ? true : undefined;
      },
      'each process to run one group',
      60_000,
    );

  const waiting = (least: number): Promise<true> =>
    eventually(async () => ((await waitingIn(run, GROUPS)) >= least ? true : undefined), 'a backlog');

  const decided = (): Promise<true> =>
    eventually(
      async () => ((await waitingIn(run, GROUPS)) === 0 ? true : undefined),
      'everything to be decided',
      60_000,
    );

  it('should go on where it was after the broker crashed under it', async () => {
    await feeder.feed(BURST);
    await waiting(1);
    await broker.stopKafka('SIGKILL');
    await broker.startKafka();
    await feeder.feed(BURST);
    await decided();
    expect([a.alive, b.alive]).toStrictEqual([true, true]);
  }, 120_000);

  it('should keep a process out that was stopped within a transaction until others had taken over', async () => {
    await settled();
    a.arm();
    await feeder.feed(BURST);
    const stopped = await eventually(() => a.steps().find(({ step }) => step === 'killed'), 'it to stop');
    await eventually(
      () => ([...ownersOf(run.steps()).values()].every((owner) => owner.startsWith('b/')) ? true : undefined),
      'the other process to take its group over',
      60_000,
    );
    await feeder.feed(BURST);
    await decided();
    a.signal('SIGCONT');
    const word = await Promise.race([
      a.ended,
      eventually(
        () => (groupsOwnedBy(run.steps(), a).length > 0 ? ('recovered' as const) : undefined),
        'it to come back',
        60_000,
      ),
    ]);
    expect(withoutLock(a.steps())).toStrictEqual([]);
    process.stderr.write(`ledger-faults: stopped in g${groupOf(stopped.lock)}, then ${JSON.stringify(word)}\n`);
    if (word !== 'recovered') {
      expect(word.code).not.toBe(0);
      expect(a.said).toMatch(/HOLDFAST_/);
      a = await run.serve('a');
    }
    await settled();
  }, 120_000);

  it('should decide what it knows the schemas of while the registry is down, and wait with the rest', async () => {
    const { partition, offset } = await feeder.write(await dispatchOfLaterVersion(run, registryUrl, 'before-the-fall'));
    await decided();
    const unknown = await dispatchOfLaterVersion(run, registryUrl, 'later');
    await gate.shut();
    await feeder.feed(100);
    await decided();
    // Under the same ID as before: known by now to the one process that met it.
    const again = await feeder.write({ ...unknown, partition });
    await decided();
    expect(again.offset).toBeGreaterThan(offset);
    // To a process that has not met it, the same ID is unknown: its partition waits, the others go on.
    const owner = groupsOwnedBy(run.steps(), a).includes(partition % GROUPS.length) ? 'a' : 'b';
    const elsewhere = (partition + 1) % run.config.kafka.partitions;
    await feeder.write({ ...unknown, partition: elsewhere });
    await eventually(async () => {
      await feeder.feed(50);
      const own = await waitingIn(run, [partition % GROUPS.length]);
      const others = await waitingIn(run, [elsewhere % GROUPS.length]);
      return own === 0 && others > 0 ? true : undefined;
    }, `${owner} to go on while the other waits`);
    await gate.reopen();
    await decided();
  }, 120_000);

  it('should refuse to run twice on one state directory', async () => {
    const second = await run.serve('a');
    try {
      await eventually(() => (second.alive ? undefined : true), 'the second process to refuse', 15_000);
      expect(await second.ended).toStrictEqual({ code: 2, signal: null });
      expect(second.said).toMatch(/state/);
    } finally {
      second.signal('SIGTERM');
      await second.ended;
    }
  }, 60_000);

  it('should end what is under way and exit 0 on SIGTERM under load', async () => {
    await settled();
    await feeder.feed(2 * BURST);
    await waiting(BURST / 2);
    b.signal('SIGTERM');
    expect(await b.ended).toStrictEqual({ code: 0, signal: null });
    b = await run.serve('b');
    await settled();
  }, 60_000);

  it('should restore its stores where they were deleted, and have decided every input once', async () => {
    await feeder.feed(BURST);
    await decided();
    await stop();
    await run.wipeStores('a');
    a = await run.serve('a');
    b = await run.serve('b');
    await settled();
    await feeder.feed(10);
    await decided();
    await new Promise((resolve) => setTimeout(resolve, DEFER_MS + 1_000));
    await stop();
    const findings = await judge(run, feeder.written, ['a', 'b']);
    process.stderr.write(`ledger-faults: ${JSON.stringify(findings)}\n`);
    expect(findings).toMatchObject({ faults: [], inputs: feeder.written, lost: 0, duplicates: 0 });
  }, 120_000);

  const stop = async (): Promise<void> => {
    for (const child of [a, b]) child.signal('SIGTERM');
    for (const child of [a, b]) expect(await child.ended).toStrictEqual({ code: 0, signal: null });
  };
});

/** What a process wrote after it was stopped, under locks that it had not taken again. */
const withoutLock = (steps: readonly LoggedStep[]): readonly string[] => {
  const since = steps.slice(steps.findIndex(({ step }) => step === 'continued') + 1);
  const locked = new Set<string>();
  return since.flatMap(({ lock, step }) => {
    if (step === 'A2') locked.add(lock);
    return (step === 'P3' || step === 'P5') && !locked.has(lock) ? [`${step} of ${lock}`] : [];
  });
};
