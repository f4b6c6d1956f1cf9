import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RocksStateStores } from '../../infra/rocksdb/rocks-state-stores.js';
import { StoreFailedError } from '../../infra/streams/errors.js';
import { runScenario } from '../kit/counter-scenario.js';
import { counterTopology } from '../kit/counter-topology.js';
import { TopologyTestDriver } from '../../infra/memory/topology-test-driver.js';

const WRITER = fileURLToPath(new URL('../kit/rocks-writer.js', import.meta.url));

/** Kills the writer when it has acknowledged `after` more writes; the last count it acknowledged. */
const writeAndKill = async (
  directory: string,
  after: number,
): Promise<{ readonly trusted: boolean; readonly acked: number }> => {
  const child = spawn(process.execPath, [WRITER, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  let [trusted, acked, seen] = [false, 0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('opened')) trusted = line === 'opened true';
    else acked = Number(line);
    seen += 1;
    if (seen === after) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { trusted, acked };
};

describe('the RocksDB stores', () => {
  let directory: string;
  const stores = (bootId?: string): RocksStateStores =>
    bootId === undefined
      ? new RocksStateStores(directory)
      : new RocksStateStores(directory, () => Promise.resolve(bootId));

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'holdfast-rocks-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  test('should hold whole batches only, and all that were acknowledged, when the process is killed while writing', async () => {
    for (const after of [1, 300, 2_000, 700, 5_000]) {
      const { acked, trusted } = await writeAndKill(directory, after);

      const { store, trusted: still } = await stores().open('killed');
      const [count] = await store.getMany(['!count']);
      const written = count === undefined ? 0 : Number(Buffer.from(count).toString());
      const keys = await store.range({ from: 'key-', to: 'key.', limit: 1_000_000 });
      await store.close();

      // The same boot: the kernel has what the process wrote.
      expect([trusted, still]).toStrictEqual([true, true]);
      expect(written).toBeGreaterThanOrEqual(acked);
      expect(new Set(keys.map(([key]) => key))).toStrictEqual(
        new Set(Array.from({ length: written }, (_, index) => `key-${index}`)),
      );
    }
  }, 60_000);

  test('should not be trusted when the machine went down with it open', async () => {
    const { store } = await stores('boot 1').open('a');
    await store.write([['key', Buffer.from('value')]]);
    await writeFile(join(directory, 'a.copy'), 'boot 1');
    await store.close();
    // What a crash leaves: the marker of the boot that died.
    await writeFile(join(directory, 'a.open'), 'boot 1');

    const { store: after, trusted } = await stores('boot 2').open('a');
    await after.close();
    const { store: closed, trusted: trustedAgain } = await stores('boot 3').open('a');
    await closed.close();

    expect([trusted, trustedAgain]).toStrictEqual([false, true]);
  });

  test('should fail to open what is damaged, and open it again after a wipe', async () => {
    const { store } = await stores().open('a');
    await store.write([['key', Buffer.from('value')]]);
    await store.close();
    await truncate(join(directory, 'a', 'CURRENT'));

    await expect(stores().open('a')).rejects.toThrow(StoreFailedError);
    await stores().wipe('a');
    const { store: fresh } = await stores().open('a');

    expect(await fresh.getMany(['key'])).toStrictEqual([undefined]);
    await fresh.close();
  });

  test('should fail to read damaged blocks, by key and by range, and never say that they are absent', async () => {
    const { store } = await stores().open('a');
    for (let batch = 0; batch < 40; batch += 1)
      await store.write(
        Array.from({ length: 1_000 }, (_, index) => [`key-${batch}-${index}`, Buffer.alloc(400, index)] as const),
      );
    await store.close();
    // Opening moves the write-ahead log into tables.
    const { store: again } = await stores().open('a');
    await again.close();
    await flipBytes(join(directory, 'a'));

    const { store: damaged } = await stores().open('a');
    const keys = Array.from({ length: 40_000 }, (_, index) => `key-${index % 40}-${Math.floor(index / 40)}`);
    await expect(damaged.getMany(keys)).rejects.toThrow(StoreFailedError);
    await expect(damaged.range({ from: 'key-', to: 'key.', limit: 100_000 })).rejects.toThrow(StoreFailedError);
    await damaged.close();
  }, 60_000);

  test('should serve a stream application as the ones in memory do, over crashes too', async () => {
    const expected = await runScenario(new TopologyTestDriver(counterTopology));
    for (const step of ['P3', 'P5', 'P6', 'P7'] as const) {
      const driver = new TopologyTestDriver(counterTopology, {
        stores: (instanceId) => new RocksStateStores(join(directory, `${step}-${instanceId}`)),
      });

      const outcome = await runScenario(driver, () => {
        driver.crashAt({ step });
      });

      expect(outcome).toStrictEqual(expected);
      await driver.close();
    }
  }, 60_000);
});

/** Flips bits in the middle of every table file. */
const flipBytes = async (location: string): Promise<void> => {
  for (const name of (await readdir(location)).filter((file) => file.endsWith('.sst'))) {
    const file = await open(join(location, name), 'r+');
    const { size } = await file.stat();
    for (let at = 2_000; at < size / 2; at += 2_000) {
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
      await file.write(Buffer.from([(buffer[0] ?? 0) ^ 0xff]), 0, 1, at);
    }
    await file.close();
  }
};
