import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cacheEntry } from '../../infra/local/cache-entry.js';
import { bringUp, status, takeDown } from '../../infra/local/kept-backend.js';
import { kafkaTool } from '../../infra/local/kafka-tool.js';
import { startLocalKafka } from '../../infra/local/local-backend.js';
import { resolveBackend } from '../../infra/local/resolve-backend.js';

const TIMEOUT_MS = 180_000;
const DEADLINE_MS = 60_000;
const LOCAL = new URL('../../infra/local/', import.meta.url).href;
const STAY = 'setInterval(() => {}, 1000);';
const quiet = (): void => undefined;

/** A temporary directory of each test's own: the processes of its backends name it on their command lines. */
let temporary: string;
const parents: ChildProcess[] = [];

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'holdfast-local-backend-'));
});

afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  rmSync(temporary, { recursive: true, force: true });
});

type Ports = readonly number[];

/** Another Node process that runs `body` with a started backend in `backend`, after it has printed its ports. */
function parentOf(
  body: string,
  start: 'startLocalBackend' | 'startLocalKafka' = 'startLocalBackend',
): { readonly process: ChildProcess; readonly ports: Promise<Ports> } {
  const script = `
    const { ${start} } = await import('${LOCAL}local-backend.js');
    const backend = await ${start}();
    const urls = ['http://' + backend.brokers[0], backend.registryUrl].filter((url) => url !== undefined);
    console.log(JSON.stringify(urls.map((url) => Number(new URL(url).port))));
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  parents.push(child);
  const ports = new Promise<Ports>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      resolve(JSON.parse(line) as Ports);
    });
    child.once('exit', () => {
      reject(new Error('the parent ended before its backend was up'));
    });
  });
  ports.catch(quiet);
  return { process: child, ports };
}

function backendProcesses(): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(temporary));
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`still not so after ${DEADLINE_MS / 1000} s: ${condition.toString()}`);
    await delay(50);
  }
}

async function expectNothingLeft(ports: Ports): Promise<void> {
  await eventually(() => backendProcesses().length === 0);
  for (const port of ports) expect(await listens(port)).toBe(false);
  expect(readdirSync(temporary)).toStrictEqual([]);
}

async function runKafkaTool(className: string, args: readonly string[]): Promise<string> {
  const tool = await kafkaTool(className, args);
  const { status: code, stdout, stderr } = spawnSync(tool.command, tool.args, { encoding: 'utf8' });
  if (code !== 0) throw new Error(`${className} ended with ${String(code)}: ${stdout}${stderr}`);
  return stdout;
}

describe('a local backend', () => {
  test(
    'should serve clients of Kafka and of the registry until it is stopped, and then leave nothing',
    async () => {
      const parent = parentOf(`
        process.stdin.once('data', async () => {
          await Promise.all([backend.stop(), backend.stop()]);
          await backend.stop();
          console.log('stopped');
        });`);
      const [kafka = 0, registry = 0] = await parent.ports;
      const broker = ['--bootstrap-server', `127.0.0.1:${kafka}`];
      const topics = 'org.apache.kafka.tools.TopicCommand';

      await runKafkaTool(topics, [...broker, '--create', '--topic', 'tried', '--partitions', '2']);
      expect((await runKafkaTool(topics, [...broker, '--list'])).trim()).toBe('tried');
      const subjects = await fetch(`http://127.0.0.1:${registry}/apis/ccompat/v7/subjects`);
      expect(await subjects.json()).toStrictEqual([]);
      expect(backendProcesses()).toHaveLength(3);

      parent.process.stdin?.write('\n');
      await eventually(async () => !(await listens(kafka)));
      await expectNothingLeft([kafka, registry]);
      expect(parent.process.exitCode).toBeNull();
    },
    TIMEOUT_MS,
  );

  test.each([
    { end: 'is killed with SIGKILL', start: 'startLocalBackend', body: STAY, signal: 'SIGKILL' },
    { end: 'is interrupted', start: 'startLocalKafka', body: STAY, signal: 'SIGINT' },
    { end: 'is terminated', start: 'startLocalKafka', body: STAY, signal: 'SIGTERM' },
    { end: 'throws', start: 'startLocalKafka', body: "throw new Error('on purpose');", signal: undefined },
    { end: 'has nothing left to do', start: 'startLocalKafka', body: '', signal: undefined },
  ] as const)(
    'should leave nothing when its parent $end',
    async ({ start, body, signal }) => {
      const parent = parentOf(body, start);
      const ports = await parent.ports;

      if (signal !== undefined) parent.process.kill(signal);

      await expectNothingLeft(ports);
    },
    TIMEOUT_MS,
  );

  test(
    'should leave nothing when its parent is killed while it is starting',
    async () => {
      const parent = parentOf('');
      await eventually(() => backendProcesses().some((line) => line.includes('kafka.Kafka')));

      parent.process.kill('SIGKILL');

      await eventually(() => backendProcesses().length === 0);
      await eventually(() => readdirSync(temporary).length === 0);
    },
    TIMEOUT_MS,
  );

  test(
    'should keep its topics and its address when the broker crashes and starts again',
    async () => {
      const kafka = await startLocalKafka({
        kafka: { properties: { 'broker.session.timeout.ms': 2_000, 'broker.heartbeat.interval.ms': 500 } },
      });
      try {
        const broker = ['--bootstrap-server', ...kafka.brokers];
        await runKafkaTool('org.apache.kafka.tools.TopicCommand', [...broker, '--create', '--topic', 'kept']);

        await kafka.stopKafka('SIGKILL');
        await kafka.startKafka();

        expect(await runKafkaTool('org.apache.kafka.tools.TopicCommand', [...broker, '--list'])).toBe('kept\n');
      } finally {
        await kafka.stop();
      }
    },
    TIMEOUT_MS,
  );

  test(
    'should fail with the end of the log when the broker refuses to start',
    async () => {
      const start = startLocalKafka({ kafka: { properties: { 'log.segment.bytes': 'nonsense' } } });

      await expect(start).rejects.toMatchObject({
        code: 'HOLDFAST_BACKEND_START_FAILED',
        message: expect.stringContaining('Invalid value nonsense for configuration log.segment.bytes') as unknown,
      });
    },
    TIMEOUT_MS,
  );
});

describe('the tools a local backend needs', () => {
  const startWith = (env: NodeJS.ProcessEnv): string =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `const { startLocalBackend } = await import('${LOCAL}local-backend.js');
         await startLocalBackend({ cacheDirectory: process.argv[1] }).catch((error) => {
           console.log(error.name, error.code, error.message);
         });`,
        join(temporary, 'cache'),
      ],
      { encoding: 'utf8', env },
    ).stdout;

  test('should be asked for, with the ways out, when there is neither Java nor Maven', () => {
    const output = startWith({ PATH: temporary });

    expect(output).toContain('HoldfastError HOLDFAST_BACKEND_JAVA_MISSING');
    expect(output).toContain('no Java');
    expect(output).toContain('no Maven');
    for (const wayOut of ['install Java 17', 'Docker', 'HOLDFAST_KAFKA_BROKERS and HOLDFAST_REGISTRY_URL']) {
      expect(output).toContain(wayOut);
    }
  });

  test('should be asked for when there is Java but no Maven and nothing in the cache', async () => {
    const { command } = await kafkaTool('unused', []);
    writeFileSync(join(temporary, 'java'), `#!/bin/sh\nexec '${command}' "$@"\n`, { mode: 0o755 });

    expect(startWith({ PATH: temporary })).toContain('HOLDFAST_BACKEND_MAVEN_MISSING');
  });

  test('should not be needed when both addresses are configured, and both are needed', async () => {
    const before = { ...process.env };
    try {
      process.env.HOLDFAST_KAFKA_BROKERS = 'one:9092, two:9092';
      process.env.HOLDFAST_REGISTRY_URL = 'http://registry/apis/ccompat/v7/';
      expect(await resolveBackend()).toMatchObject({
        brokers: ['one:9092', 'two:9092'],
        registryUrl: 'http://registry/apis/ccompat/v7',
        local: false,
      });

      delete process.env.HOLDFAST_REGISTRY_URL;
      await expect(resolveBackend()).rejects.toMatchObject({ code: 'HOLDFAST_BACKEND_HALF_CONFIGURED' });
    } finally {
      delete process.env.HOLDFAST_KAFKA_BROKERS;
      Object.assign(process.env, before);
    }
  });
});

describe('a kept backend', () => {
  test(
    'should outlive the command that started it, be found by the next, and replace one that died',
    async () => {
      const directory = join(temporary, 'run');
      const script = `const { bringUp } = await import('${LOCAL}kept-backend.js');
        await bringUp(process.argv[1], () => {});`;
      try {
        spawnSync(process.execPath, ['--input-type=module', '--eval', script, directory]);

        const first = await status(directory);
        expect(first.up).toBe(true);
        expect(await bringUp(directory, quiet)).toStrictEqual({ backend: first.backend, alreadyUp: true });

        // Whoever kills the supervisor leaves a state that names dead processes.
        process.kill(first.backend?.pids.supervisor ?? 0, 'SIGKILL');
        await eventually(async () => !(await status(directory)).up);
        const second = await bringUp(directory, quiet);
        expect(second.alreadyUp).toBe(false);

        expect(await takeDown(directory)).toBe(true);
        expect(backendProcesses()).toStrictEqual([]);
        expect(await listens(second.backend.ports.kafka)).toBe(false);
        expect(readdirSync(temporary)).toStrictEqual([]);
      } finally {
        await takeDown(directory);
      }
      expect(await takeDown(directory)).toBe(false);
    },
    TIMEOUT_MS,
  );
});

describe('the cache of fetched artifacts', () => {
  const fillWith =
    (content: string, fills: string[]) =>
    async (directory: string): Promise<void> => {
      fills.push(directory);
      await delay(20);
      writeFileSync(join(directory, 'library.jar'), content);
    };

  test('should be filled once when two ask at the same time', async () => {
    const fills: string[] = [];
    const ask = (): Promise<string> => cacheEntry(temporary, 'entry', fillWith('whole', fills), quiet);

    expect(await Promise.all([ask(), ask()])).toStrictEqual([join(temporary, 'entry'), join(temporary, 'entry')]);
    expect(fills).toHaveLength(1);
  });

  test('should be filled again when a file of it is damaged', async () => {
    const fills: string[] = [];
    const ask = (): Promise<string> => cacheEntry(temporary, 'entry', fillWith('whole', fills), quiet);
    const entry = await ask();
    await ask();
    expect(fills).toHaveLength(1);

    truncateSync(join(entry, 'library.jar'), 2);
    await ask();
    writeFileSync(join(entry, 'library.jar'), 'wrong');
    await ask();

    expect(fills).toHaveLength(3);
    expect(readdirSync(temporary)).toStrictEqual(['entry']);
  });

  test('should stay empty when filling it fails', async () => {
    const fill = (): Promise<void> => Promise.reject(new Error('no network'));

    await expect(cacheEntry(temporary, 'entry', fill, quiet)).rejects.toThrow('no network');

    expect(readdirSync(temporary)).toStrictEqual([]);
  });
});
