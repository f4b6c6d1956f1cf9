/**
 * `npm run test:foreign [-- jest options]`: producers and consumers in Python and Java, which know only the schemas, against
 * a real Kafka and registry. Sets up everything: this checkout, a Python environment and a Java class path in `.cache/`;
 * the tests and the backend are then run as the tier `foreign` of test/run.mjs. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUp } from '../../infra/local/set-up.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const foreign = join(root, 'test', 'foreign');
const cache = join(root, '.cache', 'foreign');
const say = (text) => process.stderr.write(`holdfast: ${text}\n`);
const interrupt = new globalThis.AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupt.abort(signal));

try {
  await setUp({ root, say, signal: interrupt.signal });
  mkdirSync(cache, { recursive: true });
  const { withLock } = await import(new URL('../../dist/infra/local/lock.js', import.meta.url).href);
  const { python, classPath } = await withLock(join(cache, 'set-up.lock'), async () => ({
    python: await pythonEnvironment(),
    classPath: await javaClassPath(),
  }));
  const { seed } = await import(new URL('../../dist/test/foreign/values.js', import.meta.url).href);
  const java = await run('java', ['-cp', classPath, 'foreign.Foreign', 'versions']);
  say(`python: ${(await run(python, [join(foreign, 'python', 'foreign.py'), 'versions'])).trim()}`);
  say(`java: ${java.trim()}`);
  say(`seed of the values: ${seed} (HOLDFAST_FOREIGN_SEED names another)`);
  process.exitCode = await tests({ HOLDFAST_FOREIGN_PYTHON: python, HOLDFAST_FOREIGN_CLASSPATH: classPath });
} catch (error) {
  say(interrupt.signal.aborted ? `${interrupt.signal.reason}: stopped` : error.message);
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 2;
}

/** The interpreter of an environment with what requirements.txt names. */
async function pythonEnvironment() {
  const found = await versionOf('python3', ['-c', 'import sys; print(*sys.version_info[:3], sep=".")']);
  const [major, minor] = found.trim().split('.').map(Number);
  if (!(major === 3 && minor >= 11))
    throw new Error(`found only Python ${found.trim()}: install python3 3.11 or later`);
  const requirements = join(foreign, 'python', 'requirements.txt');
  const home = join(cache, 'python');
  const python = join(home, 'bin', 'python');
  await once(home, [found, readFileSync(requirements, 'utf8')], async () => {
    say('setting Python up (venv, pip install)');
    await run('python3', ['-m', 'venv', home]).catch((error) => {
      throw new Error(`python3 cannot make an environment with pip: install its venv module\n${error.message}`);
    });
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
    await run(python, ['-m', 'pip', 'install', ...quiet, '--requirement', requirements]);
  });
  return python;
}

/** Compiled classes and the libraries that pom.xml names. */
async function javaClassPath() {
  const found = await versionOf('java', ['--version']);
  const major = Number(/\d+/.exec(found)?.[0]);
  if (!(major >= 17)) throw new Error(`found only Java ${major}: install a JDK of version 17 or later`);
  const project = join(foreign, 'java');
  const home = join(cache, 'java');
  const sources = readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  await once(home, [found, ...sources.map((file) => readFileSync(file, 'utf8'))], async () => {
    await versionOf('mvn', ['--version']);
    say('setting Java up (mvn compile)');
    const libraries = [`-DoutputDirectory=${join(home, 'libs')}`, '-DincludeScope=runtime'];
    const quiet = ['--quiet', '--batch-mode', '-Dstyle.color=never', `-Doutput=${home}`];
    await run('mvn', [
      ...quiet,
      '-f',
      join(project, 'pom.xml'),
      'compile',
      'dependency:copy-dependencies',
      ...libraries,
    ]);
  });
  return [join(home, 'classes'), join(home, 'libs', '*')].join(delimiter);
}

/** Makes a folder anew unless it was made of the same before. */
async function once(home, ingredients, make) {
  const stamp = join(home, '.holdfast-stamp');
  const wanted = createHash('sha256').update(JSON.stringify(ingredients)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(home, { recursive: true, force: true });
  await make();
  writeFileSync(stamp, wanted);
}

/** What a tool says of itself. @throws Error with the way out where there is none */
async function versionOf(tool, args) {
  return run(tool, args).catch((error) => {
    if (error.cause?.code !== 'ENOENT') throw error;
    const wanted = { python3: 'Python 3.11 or later', java: 'a JDK of version 17 or later', mvn: 'Maven' }[tool];
    throw new Error(`found no ${tool} on the PATH: install ${wanted}; the tests in other languages need it`);
  });
}

/** The standard output of a command. @throws Error with what it said */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal: interrupt.signal });
    const [out, err] = [[], []];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.on('error', (cause) => reject(new Error(`${command} could not be started: ${cause.message}`, { cause })));
    child.on('close', (code, signal) => {
      const said = globalThis.Buffer.concat(out).toString();
      if (code === 0) resolve(said);
      else
        reject(
          new Error(
            `${[command, ...args].join(' ')} failed (${signal ?? code})\n${said}${globalThis.Buffer.concat(err)}`,
          ),
        );
    });
  });
}

/** The tier, on a backend of its own; the exit code. It stops what it started when it is told to end. */
function tests(environment) {
  return new Promise((resolve, reject) => {
    const args = [join(root, 'test', 'run.mjs'), 'foreign', '--', ...process.argv.slice(2)];
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
    const end = () => child.kill(interrupt.signal.reason);
    interrupt.signal.addEventListener('abort', end);
    if (interrupt.signal.aborted) end();
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 2));
  });
}
