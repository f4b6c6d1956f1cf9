import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../integration/kafka-fixture.js';
import { FaultRun, required } from './kit/fault-run.js';
import { Feeder } from './kit/feeder.js';
import type { LedgerChild } from './kit/ledger-child.js';
import { DEFER_MS } from './kit/mesh.js';
import { judge, type Findings } from './kit/oracle.js';
import type { LedgerSabotage } from './kit/sabotaged-ledger.js';
import { commitsOf, positionsOf } from './kit/step-log.js';

const PARTITIONS = 2;
const INPUTS = 1_500;
/** The commit at which the first process dies; inputs are fed one transaction's worth at a time until then. */
const DIES_AT = 3;

/** A judge that has never found anybody guilty proves nothing: each of these ledgers commits in a way that is known to be wrong. */
describe('the oracle', () => {
  let schemas: FaultRun;
  const runs: FaultRun[] = [];

  const open = (schemasOf?: FaultRun): Promise<FaultRun> =>
    FaultRun.open({
      brokers: required('HOLDFAST_KAFKA_BROKERS').split(','),
      registryUrl: required('HOLDFAST_REGISTRY_URL'),
      partitions: PARTITIONS,
      groups: 1,
      ...(schemasOf === undefined ? {} : { schemasOf }),
    });

  beforeAll(async () => {
    schemas = await open();
    runs.push(schemas);
  }, 120_000);

  afterAll(async () => {
    await Promise.all(runs.map((run) => run.close()));
  }, 60_000);

  /** One process that dies, and the next start of it, which goes on. */
  const runWith = async (sabotage: LedgerSabotage): Promise<Findings> => {
    const run = await open(schemas);
    runs.push(run);
    const feeder = new Feeder(run, 7);
    await feeder.introduceMesh();
    const serve = (diesAt: number): Promise<LedgerChild> =>
      run.serve('a', {
        program: ['./sabotaged-ledger.js', sabotage, String(diesAt), run.schemaPrefix],
      });
    const first = await serve(DIES_AT);
    while (first.alive && feeder.written < INPUTS) {
      await feeder.feed(INPUTS / 10);
      await decided(run, first, feeder).catch(() => undefined);
    }
    if (sabotage === 'none') await first.kill();
    else expect((await first.ended).signal).toBe('SIGKILL');
    const second = await serve(0);
    await feeder.feed(INPUTS / 5);
    await decided(run, second, feeder);
    await new Promise((resolve) => setTimeout(resolve, DEFER_MS + 1_000));
    second.signal('SIGTERM');
    expect(await second.ended).toStrictEqual({ code: 0, signal: null });
    return judge(run, feeder.written, ['a']);
  };

  /** Until this process has committed the last input of every partition, or is dead. */
  const decided = (run: FaultRun, child: LedgerChild, { written }: Feeder): Promise<true> =>
    eventually(
      () => {
        if (!child.alive) throw new Error(`it has ended: ${child.said}`);
        const positions = [...positionsOf(commitsOf(child.steps())).values()];
        return positions.reduce((sum, position) => sum + position, 0) === written ? true : undefined;
      },
      `everything to be decided in ${run.directory}`,
      60_000,
    );

  it('should find nothing where a process died and commits are right', async () => {
    expect(await runWith('none')).toMatchObject({ faults: [], lost: 0, duplicates: 0 });
  }, 180_000);

  it('should find inputs decided twice where the position is not in the transaction', async () => {
    const { duplicates, faults } = await runWith('position-not-on-changelog');
    process.stderr.write(`ledger-oracle: ${faults.join('\n  ')}\n`);
    expect(duplicates).toBeGreaterThan(0);
  }, 180_000);

  it('should find inputs lost where the outputs follow the position', async () => {
    const { faults, lost } = await runWith('outputs-after-position');
    process.stderr.write(`ledger-oracle: ${faults.join('\n  ')}\n`);
    expect(lost).toBeGreaterThan(0);
  }, 180_000);

  it('should find another fold where the store is written before the commit', async () => {
    const { faults } = await runWith('store-before-commit');
    process.stderr.write(`ledger-oracle: ${faults.join('\n  ')}\n`);
    expect(faults.filter((fault) => fault.includes('record that should be another'))).toHaveLength(1);
  }, 180_000);
});
