/**
 * `npm test [tier …] [-- jest options]`: sets the checkout up, starts one local backend for the tiers that need it, and
 * runs the compiled tests tier by tier. The last line is `N passed, N failed`. A tier that cannot run, or that has no
 * tests, has failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { setUp } from '../infra/local/set-up.mjs';

/**
 * In the order they run. `serial`: tests that share the backend, or the machine, with nothing else. `named`: only when it
 * is asked for by name.
 */
const TIERS = {
  unit: { serial: false, backend: false },
  topology: { serial: false, backend: false },
  architecture: { serial: false, backend: false },
  contract: { serial: false, backend: true },
  integration: { serial: true, backend: true },
  e2e: { serial: true, backend: true },
  fault: { serial: true, backend: true },
  /** Needs what test/foreign/run.mjs sets up first. */
  foreign: { serial: true, backend: true, named: true },
};
const FAST_WORKERS = 2;
const BACKEND_TIMEOUT_MS = 120_000;
const LINGER_MS = 20_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (text) => process.stderr.write(`holdfast: ${text}\n`);
const interrupt = new globalThis.AbortController();
const { selected, jestOptions } = parse(process.argv.slice(2));
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-test-'));

/** By tier: `passed` and `failed` count tests; `faults` are reasons beside them, each counted as failed. */
const outcomes = new Map(selected.map((tier) => [tier, { passed: 0, failed: 0, skipped: 0, faults: [] }]));
const outside = [];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    say(`${signal}: stopping`);
    interrupt.abort(signal);
  });
}

let backend;
try {
  await runAll();
} catch (error) {
  for (const outcome of outcomes.values()) outcome.faults.push(`did not run: ${error.message}`);
} finally {
  await (await backend?.catch(() => undefined))?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(conclude());

async function runAll() {
  await setUp({ root, say, signal: interrupt.signal });
  const files = testFiles();
  for (const file of files.filter((file) => tierOf(file) === undefined)) {
    outside.push(`${file} belongs to no tier: its name must end in .<tier>.test.ts`);
  }
  const present = selected.filter((tier) => files.some((file) => tierOf(file) === tier));
  for (const tier of selected.filter((tier) => !present.includes(tier))) {
    outcomes.get(tier).faults.push('has no tests');
  }

  if (present.some((tier) => TIERS[tier].backend)) backend = startBackend();
  // Handled where it is awaited; until then a failed start must not end this process.
  backend?.catch(() => undefined);

  await runTiers(
    present.filter((tier) => !TIERS[tier].backend),
    {},
  );
  const onBackend = present.filter((tier) => TIERS[tier].backend);
  if (onBackend.length === 0) return;
  let environment;
  try {
    const { brokers, registryUrl } = await backend;
    environment = { HOLDFAST_KAFKA_BROKERS: brokers.join(','), HOLDFAST_REGISTRY_URL: registryUrl };
  } catch (error) {
    for (const tier of onBackend) outcomes.get(tier).faults.push(`did not run: ${error.message}`);
    return;
  }
  await runTiers(
    onBackend.filter((tier) => !TIERS[tier].serial),
    environment,
  );
  for (const tier of onBackend.filter((tier) => TIERS[tier].serial)) await runTiers([tier], environment);
}

async function startBackend() {
  const { resolveBackend } = await import(new URL('../dist/infra/local/resolve-backend.js', import.meta.url).href);
  // No spinner: it would draw over what jest prints meanwhile.
  const stages = new Set();
  const onProgress = (stage) => {
    if (!stages.has(stage)) say(stage);
    stages.add(stage);
  };
  return resolveBackend({ onProgress });
}

/** Tiers that run together are one jest, and told apart by the names of their files. */
async function runTiers(tiers, environment) {
  if (tiers.length === 0) return;
  if (interrupt.signal.aborted) throw new Error(`interrupted (${interrupt.signal.reason})`);
  const serial = tiers.some((tier) => TIERS[tier].serial);
  const report = join(scratch, `${tiers.join('-')}.json`);
  say(`running ${tiers.join(', ')}`);
  const ended = await runJest(
    [
      ...(serial ? ['--runInBand'] : [`--maxWorkers=${FAST_WORKERS}`]),
      ...(tiers.some((tier) => TIERS[tier].backend) ? [`--testTimeout=${BACKEND_TIMEOUT_MS}`] : []),
      '--json',
      `--outputFile=${report}`,
      ...tiers.flatMap((tier) => ['--testMatch', `**/*.${tier}.test.js`]),
      ...jestOptions,
    ],
    environment,
    report,
  );
  if (!existsSync(report)) {
    for (const tier of tiers) outcomes.get(tier).faults.push(`did not run: jest ended with ${ended}`);
    return;
  }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  for (const suite of testResults) addSuite(outcomes.get(tierOf(suite.name)), suite);
  for (const tier of tiers) {
    const { passed, failed, faults } = outcomes.get(tier);
    if (passed + failed + faults.length === 0) faults.push('no test ran');
  }
  const clean = tiers.every((tier) => outcomes.get(tier).failed + outcomes.get(tier).faults.length === 0);
  if (clean && ended !== 'exit code 0') outcomes.get(tiers.at(-1)).faults.push(`jest did not end well: ${ended}`);
}

async function runJest(options, environment, report) {
  // Where the system can, the kernel ends jest with this process, even when this one is killed.
  const { dyingWithParent } = await import(new URL('../dist/infra/local/run-command.js', import.meta.url).href);
  const [command, ...args] = await dyingWithParent([
    process.execPath,
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...options,
  ]);
  return new Promise((resolve) => {
    // A process group of its own, so that its workers can be ended with it.
    const jest = spawn(command, args, {
      cwd: root,
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    let lingering = false;
    const killGroup = (signal) => {
      try {
        process.kill(-jest.pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    };
    const onInterrupt = () => killGroup('SIGTERM');
    interrupt.signal.addEventListener('abort', onInterrupt);
    let reportedAt;
    const watch = setInterval(() => {
      reportedAt ??= existsSync(report) ? performance.now() : undefined;
      lingering = reportedAt !== undefined && performance.now() - reportedAt > LINGER_MS;
      if (lingering) killGroup('SIGKILL');
    }, 500);
    const finish = (how) => {
      clearInterval(watch);
      interrupt.signal.removeEventListener('abort', onInterrupt);
      killGroup('SIGKILL');
      resolve(lingering ? 'all tests done, but something stayed open (a socket, a timer, a process)' : how);
    };
    jest.on('error', (error) => finish(error.message));
    jest.on('exit', (code, signal) => finish(signal ?? `exit code ${code}`));
  });
}

function addSuite(outcome, { name, status, message, assertionResults }) {
  let failed = 0;
  for (const test of assertionResults) {
    if (test.status === 'passed') outcome.passed += 1;
    else if (test.status === 'failed') failed += 1;
    else outcome.skipped += 1;
  }
  outcome.failed += failed;
  if (status === 'failed' && failed === 0) {
    // The first line under jest's own headline.
    const reason = message.split('\n').find((line) => /^(?!\s*●)\s*\S/.test(line));
    outcome.faults.push(`${basename(name)}: ${reason?.trim() ?? 'it failed outside its tests'}`);
  }
}

function testFiles() {
  const dist = join(root, 'dist');
  return readdirSync(dist, { recursive: true }).filter((path) => path.endsWith('.test.js'));
}

function tierOf(file) {
  return Object.keys(TIERS).find((tier) => file.endsWith(`.${tier}.test.js`));
}

function parse(args) {
  const end = args.indexOf('--');
  const words = end === -1 ? args : args.slice(0, end);
  const unknown = words.find((word) => !(word in TIERS));
  if (unknown !== undefined) {
    say(`no tier "${unknown}"; tiers: ${Object.keys(TIERS).join(', ')}. Options for jest go after "--".`);
    process.stdout.write('0 passed, 1 failed\n');
    process.exit(2);
  }
  return {
    selected: Object.keys(TIERS).filter((tier) => (words.length === 0 ? !TIERS[tier].named : words.includes(tier))),
    jestOptions: end === -1 ? [] : args.slice(end + 1),
  };
}

/** Prints the outcome; the exit code. */
function conclude() {
  const print = (line) => process.stdout.write(`${line}\n`);
  let passed = 0;
  let failed = outside.length;
  print('');
  for (const [tier, outcome] of outcomes) {
    const tierFailed = outcome.failed + outcome.faults.length;
    const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : '';
    print(`${tier.padEnd(12)} ${outcome.passed} passed, ${tierFailed} failed${skipped}`);
    for (const fault of outcome.faults) print(`${' '.repeat(13)}${fault}`);
    passed += outcome.passed;
    failed += tierFailed;
  }
  for (const fault of outside) print(fault);
  print(`${passed} passed, ${failed} failed`);
  if (interrupt.signal.aborted) return interrupt.signal.reason === 'SIGINT' ? 130 : 143;
  return failed === 0 ? 0 : 1;
}
