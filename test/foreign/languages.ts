import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Json } from './avro-json.js';

/** A producer and consumer in another language: a program of `test/foreign/` with the commands that python/foreign.py lists. */
export type Language = { readonly name: string; readonly command: readonly string[] };

const named = (variable: string): string => {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new Error(`${variable} is not set: run "npm run test:foreign"`);
  return value;
};

/** The checkout; this file runs as compiled. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** For a process that ends soon, on a machine that does other things too. */
const BRIEF = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export const LANGUAGES: readonly Language[] = [
  { name: 'python', command: [named('HOLDFAST_FOREIGN_PYTHON'), `${root}test/foreign/python/foreign.py`] },
  { name: 'java', command: ['java', ...BRIEF, '-cp', named('HOLDFAST_FOREIGN_CLASSPATH'), 'foreign.Foreign'] },
];

/** Runs a command of a program to its end: the JSON objects that it printed. @throws Error it failed, with what it said */
export const run = ({ command }: Language, ...args: readonly string[]): Promise<readonly Json[]> =>
  output([...command, ...args]).then((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Json),
  );

/** What a command prints. @throws Error it failed, with what it said */
export const output = ([file = '', ...args]: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: root });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const said = Buffer.concat(err).toString();
      if (code === 0) resolve(Buffer.concat(out).toString());
      else reject(new Error(`${[file, ...args].join(' ')} ended with ${signal ?? code}:\n${said}`));
    });
  });
