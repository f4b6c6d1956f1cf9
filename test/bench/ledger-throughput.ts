/**
 * Events per second, and the time from an input's append to its committed verdict, of one and of two `holdfast serve
 * ledger` processes. Prints figures, asserts nothing:
 * `node dist/test/bench/ledger-throughput.js [--inputs 20000] [--rate 500] [--seconds 15]`, with HOLDFAST_KAFKA_BROKERS and
 * HOLDFAST_REGISTRY_URL.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createKafkaStreamClients } from '../../infra/kafka/kafka-stream-clients.js';
import { TASK_EVENTS } from '../../topology/topics.js';
import { groupsOwnedBy, waitingIn } from '../fault/kit/evidence.js';
import { FaultRun, required } from '../fault/kit/fault-run.js';
import { Feeder } from '../fault/kit/feeder.js';
import type { LedgerChild } from '../fault/kit/ledger-child.js';
import { commitsOf, type Commit } from '../fault/kit/step-log.js';
import { eventually, silent } from '../integration/kafka-fixture.js';

const GROUPS = [0, 1, 2, 3];
const PARTITIONS = 8;
const CHUNK = 5_000;
const WARM_UP = 2_000;
const TICK_MS = 20;
const PATIENCE_MS = 300_000;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '20000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '15' },
  },
});
const [inputs, rate, seconds] = [Number(values.inputs), Number(values.rate), Number(values.seconds)];

const decided = (run: FaultRun): Promise<true> =>
  eventually(
    async () => ((await waitingIn(run, GROUPS)) === 0 ? true : undefined),
    'everything to be decided',
    PATIENCE_MS,
  );

/** From the first record sent to the last commit, everything prepared before. */
const throughput = async (run: FaultRun, feeder: Feeder): Promise<number> => {
  const records = feeder.workload.next(inputs);
  const begun = Date.now();
  for (let at = 0; at < records.length; at += CHUNK) await run.producer.send(records.slice(at, at + CHUNK));
  await decided(run);
  const last = commitsOf(run.steps()).at(-1)?.at ?? Date.now();
  return inputs / ((last - begun) / 1_000);
};

/** Append times of what is read from here on, and the commits that decided it: both by this machine's clock. */
const latencies = async (run: FaultRun, feeder: Feeder): Promise<readonly number[]> => {
  const topic = run.topic(TASK_EVENTS.name);
  const before = await run.admin.describeOffsets([topic]);
  const perTick = Math.max(1, Math.round((rate * TICK_MS) / 1_000));
  const begun = performance.now();
  for (let tick = 0; tick * TICK_MS < seconds * 1_000; tick += 1) {
    await run.producer.send(feeder.workload.next(perTick));
    await delay(Math.max(0, begun + (tick + 1) * TICK_MS - performance.now()));
  }
  await decided(run);
  const commits = commitsOf(run.steps());
  const connection = { brokers: run.config.kafka.brokers, clientId: 'holdfast-bench' };
  const clients = createKafkaStreamClients({ connection, logger: silent, groupId: run.groupId });
  const found: number[] = [];
  try {
    for (const { end: to, partition } of await clients.reader.bounds(before)) {
      const from = before.find((bounds) => bounds.partition === partition)?.end ?? 0n;
      if (from < to)
        await clients.reader.read({ topic, partition }, { from, to }, ({ records }) => {
          for (const { offset, time } of records) {
            const at = committedAt(commits, partition, Number(offset));
            if (at !== undefined) found.push(at - time);
          }
          return Promise.resolve();
        });
    }
  } finally {
    await clients.close();
  }
  return found.sort((one, other) => one - other);
};

const committedAt = (commits: readonly Commit[], partition: number, offset: number): number | undefined =>
  commits.find(({ positions }) => (positions[String(partition)] ?? 0) > offset)?.at;

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;

const measure = async (run: FaultRun, processes: number): Promise<void> => {
  const feeder = new Feeder(run, processes);
  await feeder.introduceMesh();
  const children: LedgerChild[] = [];
  for (let index = 0; index < processes; index += 1) children.push(await run.serve(`bench-${index}`));
  const settled = (): boolean =>
    children.every((child) => {
      if (!child.alive) throw new Error(`${child.instance} has ended: ${child.said}`);
      return groupsOwnedBy(run.steps(), child).length === GROUPS.length / processes;
    });
  await eventually(() => (settled() ? true : undefined), 'the groups to be divided', PATIENCE_MS);
  await feeder.feed(WARM_UP);
  await decided(run);
  const perSecond = await throughput(run, feeder);
  const sorted = await latencies(run, feeder);
  process.stdout.write(
    `${processes} process(es): ${Math.round(perSecond)} events/s over ${inputs}; append to verdict at ${rate}/s: ` +
      `p50 ${quantile(sorted, 0.5)} ms, p99 ${quantile(sorted, 0.99)} ms (${sorted.length} inputs)\n`,
  );
};

for (const processes of [1, 2]) {
  const run = await FaultRun.open({
    brokers: required('HOLDFAST_KAFKA_BROKERS').split(','),
    registryUrl: required('HOLDFAST_REGISTRY_URL'),
    partitions: PARTITIONS,
    groups: GROUPS.length,
  });
  try {
    await measure(run, processes);
  } finally {
    await run.close();
  }
}
