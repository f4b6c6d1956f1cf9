/**
 * `npm run test:nodes`: runs what depends on the version of Node (native modules, the Kafka client, the runtime) on the
 * versions of `package.json` beside this file, and the demo, all of it without a warning. The whole suite runs on the
 * machine's own Node. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setUp } from '../../infra/local/set-up.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

const TIERS = ['unit', 'topology', 'contract', 'integration'];
/** Of the integration tier: what native code and the client library do. */
const FILES = '\\.(unit|topology|contract)\\.test|/(rocksdb|kafka-(corrections|record-batches|transactions))';
/** Generated tests take long and say nothing of Node. */
const WITHOUT = '/property/';

const say = (text) => process.stderr.write(`holdfast: ${text}\n`);
const print = (line) => process.stdout.write(`${line}\n`);
const interrupt = new globalThis.AbortController();
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-nodes-'));
const total = { passed: 0, failed: 0 };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    say(`${signal}: stopping`);
    interrupt.abort(signal);
  });
}

try {
  await setUp({ root, say, signal: interrupt.signal });
  const binaries = await install();
  for (const { major, pinned, node } of binaries) if (!interrupt.signal.aborted) await runOn(major, pinned, node);
} catch (error) {
  count(false, `did not run: ${error.message}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (interrupt.signal.aborted) count(false, `interrupted (${interrupt.signal.reason})`);
print(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = interrupt.signal.aborted
  ? { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[interrupt.signal.reason]
  : Number(total.failed > 0);

/** The binaries of this platform, by the lock file; kept in `.cache/`. */
async function install() {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8');
  const directory = join(root, '.cache', 'node-versions', createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (!existsSync(directory)) {
    say('fetching the other versions of Node (npm ci)');
    const fresh = `${directory}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(here, file), join(fresh, file));
    cpSync(join(root, '.npmrc'), join(fresh, '.npmrc'));
    const { code } = await run(['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: fresh });
    try {
      if (code !== 0) throw new Error(`npm ci ended with ${code}`);
      // Another process may have been faster.
      if (!existsSync(directory)) renameSync(fresh, directory);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  const platform = `${process.platform}-${process.arch}`;
  const found = Object.entries(JSON.parse(lock).packages)
    .map(([path, { version }]) => ({ path, pinned: version, words: path.split('/').pop().split('-') }))
    .filter(({ words: [, , ...on] }) => on.join('-') === platform)
    .map(({ path, pinned, words: [, major] }) => ({ major, pinned, node: join(directory, path, 'bin', 'node') }));
  if (found.length === 0) throw new Error(`package.json names no Node for ${platform}`);
  return found;
}

async function runOn(major, pinned, node) {
  const { lines } = await run([node, '--version']);
  const version = lines[0] ?? 'none';
  print(`== Node ${version}`);
  count(version === `v${pinned}`, `it is version ${pinned}`);

  // All processes that are started below it write their warnings there.
  const warnings = join(scratch, `warnings-${major}.txt`);
  const env = { ...process.env, NODE_OPTIONS: `--redirect-warnings=${warnings}` };

  const tests = await run(
    [
      node,
      join('test', 'run.mjs'),
      ...TIERS,
      '--',
      `--testPathPatterns=${FILES}`,
      `--testPathIgnorePatterns=${WITHOUT}`,
    ],
    { env },
  );
  const counted = /^(\d+) passed, (\d+) failed$/.exec(tests.lines.at(-1) ?? '');
  for (const line of tests.lines.slice(0, counted === null ? undefined : -1)) if (line !== '') print(`   ${line}`);
  total.passed += Number(counted?.[1] ?? 0);
  total.failed += Number(counted?.[2] ?? 0);
  if (counted === null || (tests.code !== 0 && counted[2] === '0')) count(false, `the tests ended with ${tests.code}`);
  if (interrupt.signal.aborted) return;

  const demo = await run([node, join('services', 'demo', 'demo.mjs')], { env });
  if (demo.code !== 0) for (const line of demo.lines) print(`   ${line}`);
  count(demo.code === 0, `the demo: ${demo.lines.at(-1) ?? `exit code ${demo.code}`}`);

  const warned = existsSync(warnings) ? readFileSync(warnings, 'utf8').trimEnd().split('\n') : [];
  for (const line of warned) print(`   ${line}`);
  count(warned.length === 0, 'nothing warned');
}

function count(holds, what) {
  total[holds ? 'passed' : 'failed'] += 1;
  print(`   ${holds ? '✓' : '✗'} ${what}`);
}

/** Runs a command to its end; what it prints to standard error is passed on. */
async function run([file, ...args], { cwd = root, env = process.env } = {}) {
  const { dyingWithParent } = await import(new URL('../../dist/infra/local/run-command.js', import.meta.url).href);
  const [command, ...rest] = await dyingWithParent([file, ...args]);
  return new Promise((resolve, reject) => {
    // A process group of its own: the terminal's Ctrl-C comes to it by us, once.
    const child = spawn(command, rest, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const stop = () => child.kill('SIGTERM');
    if (interrupt.signal.aborted) stop();
    interrupt.signal.addEventListener('abort', stop);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      interrupt.signal.removeEventListener('abort', stop);
      resolve({ code: signal ?? code, lines });
    });
  });
}
